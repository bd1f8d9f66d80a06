package templates

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"colloquy/static"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// A fakeServer is a server that does what a test says: it shows one session, sends
// what the test puts into its streams, and answers posts as told.
type fakeServer struct {
	*httptest.Server
	page string

	mu      sync.Mutex
	opened  []string             // the queries of all streams there were
	streams map[chan string]bool // those that are open
	refuse  []int                // statuses for the next streams
	posts   []url.Values
	answers []int // statuses for the next posts
	down    bool  // posts find nobody
	frozen  bool  // nothing answers, and no connection is cut
	loads   int
	changed chan struct{} // closed when any of these changes
}

// opening are the frames with which a stream opens; package main holds the server to them.
//
//go:embed testdata/stream/opening.txt
var opening string

func newFakeServer(t *testing.T, page string) *fakeServer {
	s := &fakeServer{page: page, streams: map[chan string]bool{}, changed: make(chan struct{})}
	m := http.NewServeMux()
	m.Handle(static.Prefix, static.Handler())
	m.HandleFunc("GET /healthz", func(_ http.ResponseWriter, r *http.Request) {
		if locked(s, func() bool { return s.frozen }) {
			<-r.Context().Done()
		}
	})
	m.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<title>login</title>") })
	m.HandleFunc("GET /sessions/s1", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		s.loads++
		s.happened()
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'self'; style-src 'self'; img-src "+
			"'self' data:")
		fmt.Fprint(w, s.page)
	})
	m.HandleFunc("GET /sessions/s1/stream", s.stream)
	m.HandleFunc("POST /sessions/s1/{what}", s.post)
	s.Server = httptest.NewServer(m)
	t.Cleanup(func() {
		s.cut()
		s.Close()
	})
	return s
}

func (s *fakeServer) stream(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.frozen {
		s.mu.Unlock()
		<-r.Context().Done()
		return
	}
	s.opened = append(s.opened, r.URL.RawQuery)
	if len(s.refuse) > 0 {
		status := s.refuse[0]
		s.refuse = s.refuse[1:]
		s.mu.Unlock()
		w.WriteHeader(status)
		fmt.Fprint(w, "<p>an error page</p>")
		return
	}
	frames := make(chan string, 100)
	s.streams[frames] = true
	s.happened()
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.streams, frames)
		s.happened()
		s.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, opening)
	for {
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		select {
		case f := <-frames:
			if f == "" {
				panic(http.ErrAbortHandler) // the line is cut
			}
			fmt.Fprint(w, f)
		case <-r.Context().Done():
			return
		}
	}
}

// send puts a frame into every open stream.
func (s *fakeServer) send(id int, data string) {
	if id > 0 {
		data = fmt.Sprintf("id: %d\ndata: %s", id, data)
	}
	s.each(data + "\n\n")
}

func (s *fakeServer) cut() { s.each("") }

func (s *fakeServer) each(frame string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for frames := range s.streams {
		frames <- frame
	}
}

func (s *fakeServer) post(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		panic(http.ErrAbortHandler)
	}
	r.PostForm.Set("path", r.URL.Path)
	s.posts = append(s.posts, r.PostForm)
	s.happened()
	status := http.StatusNoContent
	if len(s.answers) > 0 {
		status, s.answers = s.answers[0], s.answers[1:]
	}
	w.WriteHeader(status)
	if status >= 400 {
		fmt.Fprintf(w, "A plain sentence about %d.", status)
	}
}

// locked runs f under the fakeServer's lock.
func locked[T any](s *fakeServer, f func() T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f()
}

func (s *fakeServer) open() int { return locked(s, func() int { return len(s.streams) }) }

// until waits for a condition in the page, across navigations.
func until(t *testing.T, ctx context.Context, what, js string) {
	t.Helper()
	look := chromedp.Evaluate[bool](`new Promise((done) => {
		const end = Date.now() + 500;
		const look = () => {
			let ok = false;
			try { ok = Boolean(`+js+`) } catch {}
			if (ok || Date.now() > end) done(ok); else setTimeout(look, 10);
		};
		look();
	})`, chromedp.EvalAwaitPromise)
	late, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for late.Err() == nil {
		if ok, err := chromedp.Run(late, look); err == nil && ok { // an error is a page on its way to the next
			return
		}
	}
	state := eval[string](t, ctx,
		`(document.getElementById("link")?.textContent.trim() || "no link") + " at " + location.href`)
	t.Fatalf("not in %v: %s (%s)", limit, what, strings.Join(strings.Fields(state), " "))
}

// eventually waits for a condition of the fakeServer, which says when something happens to it.
func (s *fakeServer) eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for late := time.After(limit); ; {
		s.mu.Lock()
		is, changed := ok(), s.changed
		s.mu.Unlock()
		if is {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("not in %v: %s", limit, what)
		}
	}
}

// happened tells eventually that something is not as it was; its caller holds the lock.
func (s *fakeServer) happened() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// enter presses the key as a keyboard does: what the page prevents does not happen.
func enter(t *testing.T, ctx context.Context) {
	t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown,
		input.DispatchKeyEventTypeKeyUp} {
		p := input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13}
		if kind == input.DispatchKeyEventTypeKeyDown {
			p.Text = "\r"
		}
		if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, p); err != nil {
			t.Fatal(err)
		}
	}
}

// visit opens the session and waits until its stream is live.
func visit(t *testing.T, ctx context.Context, s *fakeServer) {
	t.Helper()
	do(t, ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(s.URL+"/sessions/s1"))
	until(t, ctx, "live", isLive)
}

const isLive = `document.documentElement.dataset.link === "live"`

func benchPage(t *testing.T, name string) string {
	t.Helper()
	return render(t, WorkbenchPage(bench(t, sampleFolds(t)[name], Prefs{Theme: "light"})))
}
