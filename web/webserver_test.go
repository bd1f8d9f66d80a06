package web

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/store"
	"colloquy/web/live/livetest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// The clock of the library that colours code ends by itself, a moment after its last use.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

const testToken = "test-token"

// A webServer is a server over the real store, with a runner that writes what a test
// sends it.
type webServer struct {
	t      testing.TB
	dir    string
	store  *store.Store
	web    *Server
	http   *httptest.Server
	runner *fakeRunner
	out    *safeBuffer
}

func newWebServer(t testing.TB, change ...func(*Options)) *webServer {
	t.Helper()
	out, dir := new(safeBuffer), t.TempDir()
	logger := slog.New(slog.NewTextHandler(out, nil))
	st, err := store.Open(t.Context(), store.Options{Dir: dir, Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	w := &webServer{t: t, dir: dir, store: st, runner: &fakeRunner{store: st}, out: out}
	opt := Options{
		Logger: logger, Log: st, Runner: w.runner, Classes: st, Reviews: st, Sessions: st, Materials: st, People: st,
		Memberships: st, Links: st, Models: st, Settings: st, Generate: w.runner.Generate, Logins: st.Logins(),
		Token: testToken, Roster: livetest.Roster(), Heartbeat: time.Hour,
	}
	for _, f := range change {
		f(&opt)
	}
	if w.web, err = New(opt); err != nil {
		t.Fatal(err)
	}
	w.http = httptest.NewServer(w.web.Handler())
	t.Cleanup(w.close)
	return w
}

func (w *webServer) close() {
	w.web.CloseStreams("shutdown")
	w.http.Client().CloseIdleConnections()
	w.http.Close()
	if err := w.store.Close(); err != nil {
		w.t.Error(err)
	}
	for _, bad := range []string{"panic", "level=ERROR"} {
		if strings.Contains(w.out.String(), bad) {
			w.t.Errorf("the log holds %q:\n%s", bad, w.out.String())
		}
	}
}

func (w *webServer) firstClass() classroom.Class {
	w.t.Helper()
	list, err := w.store.Classes(w.t.Context())
	if err != nil || len(list) == 0 {
		w.t.Fatal(len(list), err)
	}
	return list[0]
}

// session creates a session, appends the events of a script, and returns its id.
func (w *webServer) session(events []classroom.Event) string {
	w.t.Helper()
	class := classroom.Class{Title: "Class", Mode: classroom.ModeQA, Roster: livetest.Roster()}
	class, err := w.store.CreateClass(w.t.Context(), class)
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := w.store.CreateSession(w.t.Context(), classroom.Session{ClassID: class.ID}, livetest.Roster())
	if err != nil {
		w.t.Fatal(err)
	}
	w.append(s.ID, events)
	return s.ID
}

// append appends the events of a script but its session_start, in batches of 50.
func (w *webServer) append(session string, events []classroom.Event) {
	w.t.Helper()
	var drafts []classroom.Draft
	for _, e := range events {
		if e.Type == classroom.TypeSessionStart {
			continue
		}
		p, err := classroom.Decode(e)
		if err != nil || p == nil {
			continue
		}
		drafts = append(drafts, classroom.Draft{Exchange: e.Exchange, Agent: e.Agent, Attempt: e.Attempt, Payload: p})
	}
	for len(drafts) > 0 {
		n := min(50, len(drafts))
		if _, err := w.store.Append(w.t.Context(), session, 0, drafts[:n]...); err != nil {
			w.t.Fatal(err)
		}
		drafts = drafts[n:]
	}
}

func (w *webServer) log(session string) []classroom.Event {
	w.t.Helper()
	events, err := w.store.Read(w.t.Context(), session, 0, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	return events
}

// request sends a request with the token; headers are "Name: value".
func (w *webServer) request(method, path, body string, headers ...string) *http.Response {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.http.URL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+testToken)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
		if value == "" {
			r.Header.Del(name)
		}
	}
	client := *w.http.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp
}

// ask sends a request and returns status and body.
func (w *webServer) ask(method, path, body string, headers ...string) (int, string) {
	w.t.Helper()
	resp := w.request(method, path, body, headers...)
	defer resp.Body.Close()
	// The test fails, and does not wait for ever, if the answer is a stream.
	limit := time.AfterFunc(time.Minute, func() { resp.Body.Close() })
	defer limit.Stop()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// form encodes the names and values of a form.
func form(pairs ...string) string {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v.Encode()
}

const asForm = "Content-Type: application/x-www-form-urlencoded"

// submit posts a form of names and values, without htmx.
func (w *webServer) submit(path string, pairs ...string) (int, string) {
	w.t.Helper()
	return w.ask("POST", path, form(pairs...), asForm)
}

// titleChange returns the event of a session that was renamed.
func titleChange(title string) []classroom.Event {
	data := fmt.Appendf(nil, `{"title":%q,"by":"x"}`, title)
	return []classroom.Event{{Type: classroom.TypeTitleChange, Data: data}}
}

// browser returns a client that is signed in by the one-time link.
func (w *webServer) browser() *http.Client {
	w.t.Helper()
	path, ok, err := w.web.SignInLink(w.t.Context(), false)
	if err != nil || !ok {
		w.t.Fatalf("no sign-in link: %v", err)
	}
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar, Transport: w.http.Client().Transport}
	resp, err := client.Get(w.http.URL + path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Request.URL.Path != "/" {
		w.t.Fatalf("the sign-in link led to %s with %d", resp.Request.URL, resp.StatusCode)
	}
	return client
}

// A safeBuffer is a buffer that several goroutines may write to.
type safeBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
