package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
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

// A world is a server over the real store, with a runner that writes what a test says.
type world struct {
	t      testing.TB
	store  *store.Store
	web    *Server
	http   *httptest.Server
	runner *fakeRunner
	out    *safeBuffer
}

func newWorld(t testing.TB, change ...func(*Options)) *world {
	t.Helper()
	out := new(safeBuffer)
	logger := slog.New(slog.NewTextHandler(out, nil))
	st, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), Log: logger})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, store: st, runner: &fakeRunner{store: st}, out: out}
	opt := Options{
		Logger: logger, Log: st, Runner: w.runner, Classes: st, Sessions: st, Materials: st, People: st, Models: st,
		Settings: st, Generate: w.runner.Generate, Logins: st.Logins(),
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

func (w *world) close() {
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

// session makes a session with a log of those exchanges, and returns its id.
func (w *world) session(events []classroom.Event) string {
	w.t.Helper()
	class, err := w.store.CreateClass(w.t.Context(), classroom.Class{Title: "Class", Mode: classroom.ModeQA, Roster: livetest.Roster()})
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

// append writes a scripted log, after its session_start, in one batch each 50.
func (w *world) append(session string, events []classroom.Event) {
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

func (w *world) log(session string) []classroom.Event {
	w.t.Helper()
	events, err := w.store.Read(w.t.Context(), session, 0, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	return events
}

// request sends a request with the token; headers are "Name: value".
func (w *world) request(method, path, body string, headers ...string) *http.Response {
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
func (w *world) ask(method, path, body string, headers ...string) (int, string) {
	w.t.Helper()
	resp := w.request(method, path, body, headers...)
	defer resp.Body.Close()
	// A stream where an answer was due is a failure, not a test that never ends.
	limit := time.AfterFunc(time.Minute, func() { resp.Body.Close() })
	defer limit.Stop()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// browser returns a client that is signed in by the one-time link.
func (w *world) browser() *http.Client {
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

// A sse is one frame.
type sse struct{ event, id, data, comment string }

// A reader reads frames from one connection.
type reader struct {
	t    testing.TB
	resp *http.Response
	in   *bufio.Reader
	stop context.CancelFunc
}

// open connects to a stream; headers are "Name: value".
func (w *world) open(path string, headers ...string) *reader {
	w.t.Helper()
	return w.openAs(&http.Client{Transport: w.http.Client().Transport}, path, append([]string{"Authorization: Bearer " + testToken}, headers...)...)
}

func (w *world) openAs(client *http.Client, path string, headers ...string) *reader {
	w.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", w.http.URL+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	resp, err := client.Do(r)
	if err != nil {
		stop()
		w.t.Fatal(err)
	}
	rd := &reader{t: w.t, resp: resp, in: bufio.NewReader(resp.Body), stop: stop}
	w.t.Cleanup(rd.close)
	return rd
}

func (r *reader) close() {
	r.stop()
	r.resp.Body.Close()
}

// next returns the next frame; io.EOF at the stream's end.
func (r *reader) next() (sse, error) {
	var f sse
	data := false
	for {
		line, err := r.in.ReadString('\n')
		if err != nil {
			return f, err
		}
		line = strings.TrimSuffix(line, "\n")
		if strings.Contains(line, "\r") {
			return f, fmt.Errorf("a carriage return in %q", line)
		}
		if line == "" {
			return f, nil
		}
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "" && ok:
			f.comment = ":" + value
		case name == "event":
			f.event = value
		case name == "id":
			f.id = value
		case name == "data":
			if data {
				f.data += "\n"
			}
			f.data, data = f.data+value, true
		default:
			return f, fmt.Errorf("the line %q is no field of a frame", line)
		}
	}
}

// until reads to the control frame of that name and returns what came before it.
func (r *reader) until(name string) (met []sse, last sse) {
	r.t.Helper()
	for {
		f, err := r.next()
		if err != nil {
			r.t.Fatalf("the stream ended before %s: %v (after %d frames)", name, err, len(met))
		}
		if f.event == name && f.id == "" {
			return met, f
		}
		met = append(met, f)
	}
}

// withID keeps the frames that have an id.
func withID(frames []sse) []sse {
	var out []sse
	for _, f := range frames {
		if f.id != "" {
			out = append(out, f)
		}
	}
	return out
}

// A fakeRunner writes messages into the log and runs nothing by itself.
type fakeRunner struct {
	store *store.Store
	mu    sync.Mutex
	said  []string
	err   error // of the next call
	gen   func(context.Context) iter.Seq2[string, error]
}

func (f *fakeRunner) fail() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.err
	f.err = nil
	return err
}

func (f *fakeRunner) Send(ctx context.Context, id string, p classroom.Post) (classroom.Receipt, error) {
	if err := f.fail(); err != nil {
		return classroom.Receipt{}, err
	}
	s, err := f.store.Session(ctx, id)
	if err != nil {
		return classroom.Receipt{}, err
	}
	x := s.Exchanges + 1
	events, err := f.store.Append(ctx, id, 0, classroom.Draft{Exchange: x, Payload: classroom.UserMessage{
		Text: p.Text, Author: p.Author, Delivery: classroom.Prompt, ClientID: p.ClientID,
	}})
	if err != nil {
		return classroom.Receipt{}, err
	}
	f.note("send " + p.Author.Name + ": " + p.Text)
	return classroom.Receipt{Exchange: &x, Cursor: events[0].ID, Delivery: classroom.Prompt}, nil
}

func (f *fakeRunner) note(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, what)
}

func (f *fakeRunner) notes() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string{}, f.said...)
}

func (f *fakeRunner) Cancel(_ context.Context, id string) error { f.note("cancel"); return f.fail() }
func (f *fakeRunner) Resume(_ context.Context, id string) error { f.note("resume"); return f.fail() }
func (f *fakeRunner) SendQueue(_ context.Context, id string) error {
	f.note("send queue")
	return f.fail()
}

func (f *fakeRunner) Unqueue(_ context.Context, _ string, at classroom.Cursor) error {
	f.note(fmt.Sprintf("unqueue %d", at))
	return f.fail()
}

func (f *fakeRunner) EditQueue(_ context.Context, _ string, _ classroom.Cursor, steer, followUp []classroom.Queued) error {
	f.note(fmt.Sprintf("edit %v %v", steer, followUp))
	return f.fail()
}

func (f *fakeRunner) Generate(ctx context.Context, prompt string) iter.Seq2[string, error] {
	return f.gen(ctx)
}

// A safeBuffer takes a log from many goroutines.
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
