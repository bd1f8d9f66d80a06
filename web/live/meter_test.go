package live

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// A countingMeter sums up what it is told, by kind.
type countingMeter struct {
	mu                   sync.Mutex
	opened, closed, sent map[string]int
}

func newCountingMeter() *countingMeter {
	return &countingMeter{opened: map[string]int{}, closed: map[string]int{}, sent: map[string]int{}}
}

func (m *countingMeter) add(to map[string]int, kind string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	to[kind] += n
}

func (m *countingMeter) StreamOpened(kind string)      { m.add(m.opened, kind, 1) }
func (m *countingMeter) StreamClosed(kind string)      { m.add(m.closed, kind, 1) }
func (m *countingMeter) EventsSent(kind string, n int) { m.add(m.sent, kind, n) }

// Every stream that is counted as opened is counted as closed, and all of its events
// are counted, also those that it was sent since the last heartbeat.
func TestEndedStreamIsCountedWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := livetest.Scripted(5, 1)
		log, meter := livetest.NewMemLog(events[:1]...), newCountingMeter()
		hub := NewHub(Options{Log: log, Meter: meter, Heartbeat: time.Hour, FrameLimit: time.Hour})
		defer hub.Close("shutdown")
		ctx, leave := context.WithCancel(t.Context())
		rh := &rehearsal{header: http.Header{}, at: func(string) {}}
		request := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		st, err := hub.Events(Client{Writer: rh, Request: request}, classroom.Session{ID: "s1", Head: 1}, 0)
		if err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- st.Carry() }()
		synctest.Wait()
		log.Add(events[1:]...)
		synctest.Wait()
		if last := fmt.Sprintf("id: %d\n", len(events)); !strings.Contains(rh.sent(), last) {
			t.Fatalf("the stream sent %q, without the last event", rh.sent())
		}
		leave()
		if err := <-over; err != nil {
			t.Error(err)
		}
		if meter.opened["json"] != 1 || meter.closed["json"] != 1 || meter.sent["json"] != len(events) {
			t.Errorf("%v opened, %v closed, %v events, want 1, 1 and %d",
				meter.opened, meter.closed, meter.sent, len(events))
		}
	})
}
