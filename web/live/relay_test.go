package live

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/web/live/livetest"
)

// Relay sends the first byte at once and a heartbeat whenever one is due, between the
// frames, and says why it ended.
func TestRelayBridgesSilenceAndSaysHowItEnded(t *testing.T) {
	const interval = 15 * time.Second
	endings := map[string]struct {
		end  func(hub *Hub, frames chan []byte, leave func())
		want error
	}{
		"no more frames":    {func(_ *Hub, frames chan []byte, _ func()) { close(frames) }, nil},
		"logout":            {func(hub *Hub, _ chan []byte, _ func()) { hub.EndLogin("login") }, ErrEnded},
		"the reader leaves": {func(_ *Hub, _ chan []byte, leave func()) { leave() }, context.Canceled},
	}
	for name, ending := range endings {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hub := NewHub(Options{
					Log: livetest.NewMemLog(), Meter: noMeter{}, Heartbeat: interval, FrameLimit: time.Hour,
				})
				defer hub.Close("shutdown")
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				rh := &rehearsal{header: http.Header{}, at: func(string) {}}
				request := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
				st, err := hub.Plain(Client{Writer: rh, Request: request, Login: "login"}, "generate")
				if err != nil {
					t.Fatal(err)
				}
				defer st.Close()
				frames, ended := make(chan []byte), make(chan error, 1)
				go func() { ended <- st.Relay(frames) }()
				wantBeats := func(n int) {
					t.Helper()
					synctest.Wait()
					if got := strings.Count(rh.sent(), string(heartbeatFrame)); got != n {
						t.Errorf("%d heartbeats were sent, want %d", got, n)
					}
				}
				wantBeats(1)
				time.Sleep(interval)
				wantBeats(2)
				frames <- []byte("data: word\n\n")
				time.Sleep(2 * interval)
				wantBeats(4)
				if !strings.Contains(rh.sent(), "data: word\n\n") {
					t.Errorf("the stream sent %q, without the frame", rh.sent())
				}
				ending.end(hub, frames, leave)
				err = <-ended
				_, gone := errors.AsType[DisconnectError](err)
				if !errors.Is(err, ending.want) || gone != (ending.want == context.Canceled) {
					t.Errorf("it ended with %v, want %v", err, ending.want)
				}
			})
		})
	}
}
