package live

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live/livetest"
)

// A brokenLog is a log whose disk has gone.
type brokenLog struct{ *livetest.MemLog }

func (brokenLog) Read(context.Context, string, classroom.Cursor, int) ([]classroom.Event, error) {
	return nil, errors.New("the disk has gone")
}

// Where the log or the lists cannot be read, the program's log says which.
func TestHubLogsWhatItCannotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		gone := errors.New("the disk has gone")
		hub := NewHub(Options{
			Log: brokenLog{livetest.NewMemLog()}, Logger: slog.New(slog.NewTextHandler(&out, nil)), Meter: noMeter{},
			Heartbeat: time.Hour, FrameLimit: time.Hour,
			Lists:        func(context.Context) ([]templates.ClassNav, error) { return nil, gone },
			ListsChanged: func() <-chan struct{} { return nil },
		})
		ctx, leave := context.WithCancel(t.Context())
		client := func() Client {
			rh := &rehearsal{header: http.Header{}, at: func(string) {}}
			r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
			return Client{Writer: rh, Request: r, Lists: &Lists{}}
		}
		events, eventsErr := hub.Events(client(), classroom.Session{ID: "of-events"}, 0)
		page, pageErr := hub.Page(client(), classroom.Session{ID: "of-page", ClassID: "c1"}, 0)
		if err := errors.Join(eventsErr, pageErr); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // of the bubble's clock: each follower has tried
		leave()
		for _, st := range []*Stream{events, page} {
			_ = st.Carry() // it ends at once, or with the error that is logged
		}
		hub.Close("shutdown")
		for _, want := range []string{
			`msg="follow log" session=of-events error="the disk has gone"`,
			`msg="follow log for pages" session=of-page error="the disk has gone"`,
			`msg="follow lists" error="the disk has gone"`,
		} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the program's log lacks %s", want)
			}
		}
	})
}

// A stuckLog is a log whose disk does not answer until release is closed.
type stuckLog struct {
	*livetest.MemLog
	release chan struct{}
}

func (l stuckLog) Read(context.Context, string, classroom.Cursor, int) ([]classroom.Event, error) {
	<-l.release
	return nil, nil
}

// A reader of the log that does not end in time is named and left behind, and none
// that ends is named.
func TestCloseNamesReadersThatDoNotEnd(t *testing.T) {
	for _, stuck := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			log := stuckLog{livetest.NewMemLog(), make(chan struct{})}
			hub := NewHub(Options{
				Log: log, Logger: slog.New(slog.NewTextHandler(&out, nil)), Meter: noMeter{},
				Heartbeat: time.Hour, FrameLimit: time.Hour,
			})
			hub.feeds.acquire(feedKey{session: "s1"}, 0)
			synctest.Wait()
			if !stuck {
				close(log.release)
			}
			began, want := time.Now(), time.Duration(0)
			hub.Close("shutdown")
			if stuck {
				want = closeLimit
			}
			named := strings.Contains(out.String(), `msg="readers of the log did not end"`) &&
				strings.Contains(out.String(), "readers=feeds")
			named = named && !strings.Contains(out.String(), "readers=views")
			if took := time.Since(began); took != want || named != stuck {
				t.Errorf("stuck %v: Close took %v, want %v, and logged %q", stuck, took, want, out.String())
			}
			if stuck {
				close(log.release)
			}
		})
	}
}

// A stream ends with the reason that Close was given, and Close waits for nothing else.
func TestCloseSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := NewHub(Options{
			Log:    livetest.NewMemLog(livetest.Scripted(6, 1)...),
			Logger: slog.New(slog.DiscardHandler), Meter: noMeter{},
			Heartbeat: time.Hour, FrameLimit: time.Hour,
			Lists:        func(context.Context) ([]templates.ClassNav, error) { return nil, nil },
			ListsChanged: func() <-chan struct{} { return nil },
		})
		rh := &rehearsal{header: http.Header{}, at: func(string) {}}
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		st, err := hub.Page(Client{Writer: rh, Request: request}, classroom.Session{ID: "s1", ClassID: "c1"}, 0)
		if err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- st.Carry() }()
		synctest.Wait()
		began := time.Now() // of the bubble's clock
		hub.Close("maintenance")
		if took := time.Since(began); took != 0 {
			t.Errorf("Close waited %v for what can end at once", took)
		}
		if err := <-over; err != nil || !strings.HasSuffix(rh.sent(), `{"reason":"maintenance"}`+"\n\n") {
			t.Errorf("the stream ended with %v and %q", err, rh.sent())
		}
	})
}
