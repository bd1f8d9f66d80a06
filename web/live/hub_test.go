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
		hub := NewHub(Options{
			Log: brokenLog{livetest.NewMemLog()}, Logger: slog.New(slog.NewTextHandler(&out, nil)), Meter: noMeter{},
			Heartbeat: time.Hour, FrameLimit: time.Hour,
			Lists: func(context.Context) ([]templates.ClassNav, error) {
				return nil,
					errors.New("the disk has gone")
			},
			ListsChanged: func() <-chan struct{} { return nil },
		})
		ctx, leave := context.WithCancel(t.Context())
		client := func() Client {
			rh := &rehearsal{header: http.Header{}, at: func(string) {}}
			return Client{Writer: rh, Request: httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)}
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
