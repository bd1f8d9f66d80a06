package live

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// within waits until done is closed. After ten seconds it fails the test with
// what was waited for and what every goroutine did meanwhile.
func within(t testing.TB, what string, done <-chan struct{}) {
	t.Helper()
	limit := time.NewTimer(10 * time.Second)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
		stacks := make([]byte, 1<<20)
		t.Fatalf("waited in vain for %s\n\n%s", what, stacks[:runtime.Stack(stacks, true)])
	}
}

// A rehearsal is one stream of a server without a network. It calls at with the
// name of each moment of its loop, so that a test can act exactly then.
type rehearsal struct {
	hub    *Hub
	login  string
	mu     sync.Mutex   // guards out, which a test reads while the stream writes
	out    bytes.Buffer // what was sent; see sent
	header http.Header
	turns  int
	never  chan struct{}
	at     func(moment string)
}

func (rh *rehearsal) Header() http.Header { return rh.header }
func (rh *rehearsal) WriteHeader(int)     { rh.at("headers") }

func (rh *rehearsal) Write(b []byte) (int, error) {
	rh.at("write")
	rh.mu.Lock()
	defer rh.mu.Unlock()
	return rh.out.Write(b)
}

func (rh *rehearsal) sent() string {
	rh.mu.Lock()
	defer rh.mu.Unlock()
	return rh.out.String()
}

func (rh *rehearsal) Flush()                           { rh.at("flush") }
func (rh *rehearsal) SetWriteDeadline(time.Time) error { return nil }
func (rh *rehearsal) leave()                           { rh.at("leave") }

// next gives a comment, another, news, a third comment, and then nothing for ever.
func (rh *rehearsal) next(_ context.Context, at classroom.Cursor) (step, error) {
	rh.turns++
	rh.at(fmt.Sprintf("turn %d", rh.turns))
	switch {
	case rh.turns == 3:
		return step{to: at, more: closedChan}, nil
	case rh.turns < 5:
		return step{bytes: heartbeatFrame, to: at + 1}, nil
	}
	return step{to: at, more: rh.never}, nil
}

// play opens the stream, carries it to its end and returns what was sent.
func (rh *rehearsal) play(t *testing.T) string {
	c := Client{Writer: rh, Request: httptest.NewRequest("GET", "/", nil), Login: rh.login}
	st, err := rh.hub.openStream(c, "json", "s1")
	if err != nil {
		t.Error(err)
		return ""
	}
	sb := new(sidebar)
	sb.current.Store(newLists(nil))
	st.sidebar = &sidebarReader{sidebar: sb, has: &lists{replaced: closedChan}}
	st.source = rh
	rh.at("opened")
	if err := st.Carry(); err != nil {
		t.Error(err)
	}
	return rh.sent()
}

// endings are the three ways in which a server ends a stream. Each returns once the
// streams were notified.
var endings = map[string]func(*streams){
	"logout":  func(open *streams) { open.endLogin("login") },
	"deleted": func(open *streams) { open.endSession("s1") },
	"shutdown": func(open *streams) {
		go open.closeAll("shutdown")
		for told := false; !told; runtime.Gosched() {
			open.mu.Lock()
			told = open.closed != ""
			open.mu.Unlock()
		}
	},
}

// noMeter counts nothing.
type noMeter struct{}

func (noMeter) StreamOpened(string)    {}
func (noMeter) StreamClosed(string)    {}
func (noMeter) EventsSent(string, int) {}

// newTestHub returns a hub without sessions, whose clients may stay signed in.
func newTestHub(logger *slog.Logger) *Hub {
	return NewHub(Options{
		Log: livetest.NewMemLog(), Logger: logger, Meter: noMeter{},
		Decide:    func(*http.Request) Decision { return Decision{} },
		Heartbeat: time.Hour, FrameLimit: time.Hour,
	})
}

// A stream ends when it has to, whatever it is doing at that moment.
func TestEndIsNeverMissed(t *testing.T) {
	base := newTestHub(slog.New(slog.DiscardHandler))
	defer base.heartbeat.stop()
	const rounds = 1000
	for reason, end := range endings {
		for _, moment := range []string{
			"opened", "turn 1", "turn 2", "turn 3", "turn 4", "turn 5", "write", "flush", "any",
		} {
			t.Run(reason+"/"+moment, func(t *testing.T) {
				for round := range rounds {
					endOnce(t, base, round, moment, func(h *Hub) { end(h.streams) })
				}
			})
			if t.Failed() {
				return
			}
		}
	}
	for _, reason := range []string{"logout", "deleted"} { // and a second one does no harm
		t.Run(reason+" and shutdown", func(t *testing.T) {
			for round := range rounds {
				endOnce(t, base, round, "any", func(h *Hub) {
					endings[reason](h.streams)
					endings["shutdown"](h.streams)
				})
			}
		})
	}
}

// endOnce plays one stream and ends it at a moment: the round decides at which
// of several of that name, and, for any, how far the stream has come.
func endOnce(t *testing.T, base *Hub, round int, moment string, end func(*Hub)) {
	t.Helper()
	base.streams = newStreams()
	rh := &rehearsal{hub: base, login: "login", header: http.Header{}, never: make(chan struct{})}
	met, told := 0, make(chan struct{})
	rh.at = func(now string) {
		switch {
		case moment == "any" && now == "opened":
			go func() {
				defer close(told)
				for range round % 100 {
					runtime.Gosched()
				}
				end(rh.hub)
			}()
		case now == moment && met >= 0:
			if met++; met > round%2 || now != "write" && now != "flush" {
				met = -1
				end(rh.hub)
				close(told)
			}
		}
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		rh.play(t)
	}()
	within(t, fmt.Sprintf("a stream to end that was told so at %q (round %d)", moment, round), over)
	within(t, "the call that ended it", told)
	if sent := rh.sent(); strings.Count(sent, "event: bye\n") != 1 || !strings.HasSuffix(sent, "\"}\n\n") {
		t.Fatalf("round %d: the stream sent %q, want one bye, at its end", round, sent)
	}
}

// A logout without a login ends no stream, not even one opened with the API token.
func TestEmptyLogoutEndsNothing(t *testing.T) {
	open := newStreams()
	recorder := httptest.NewRecorder()
	o, err := open.add("s1", "", httpTransport{recorder, http.NewResponseController(recorder)})
	if err != nil {
		t.Fatal(err)
	}
	open.endLogin("")
	if err := o.err(); err != nil {
		t.Errorf("the stream of the token was ended: %v", err)
	}
}

// A stream whose read does not return delays a shutdown for a bounded time only. Its
// session is logged.
func TestShutdownIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		hub := newTestHub(slog.New(slog.NewTextHandler(&out, nil)))
		stuck, over := make(chan struct{}), make(chan struct{})
		rh := &rehearsal{hub: hub, header: http.Header{}, never: make(chan struct{}), at: func(moment string) {
			if moment == "turn 2" {
				<-stuck
			}
		}}
		go func() {
			defer close(over)
			rh.play(t)
		}()
		synctest.Wait()
		began := time.Now()
		hub.Close("shutdown")
		logged := strings.Contains(out.String(), "streams did not end") && strings.Contains(out.String(), "s1")
		if took := time.Since(began); took != closeLimit || !logged {
			t.Errorf("the shutdown took %v, want %v, and said %q", took, closeLimit, out.String())
		}
		close(stuck)
		<-over
	})
}

// A heartbeat during a stream's work is not missed: the login is checked, and a heartbeat
// sent, as soon as the stream waits.
func TestBeatWhileAtWork(t *testing.T) {
	short := newHeartbeat(time.Millisecond)
	defer short.stop()
	base := newTestHub(slog.New(slog.DiscardHandler))
	base.heartbeat.stop()
	base.heartbeat = short
	rh := &rehearsal{hub: base, header: http.Header{}, never: make(chan struct{})}
	hour := newHeartbeat(time.Hour)
	defer hour.stop()
	rh.at = func(moment string) {
		switch {
		case moment == "turn 1": // the one heartbeat of this hour
			<-short.wait()
			base.heartbeat = hour
		case moment == "flush" && strings.Count(rh.sent(), string(heartbeatFrame)) == 4:
			base.streams.endSession("s1")
		}
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		rh.play(t)
	}()
	within(t, "the heartbeat", over)
}
