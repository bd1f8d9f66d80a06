package web

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live"
	"colloquy/web/live/livetest"
)

// BenchmarkPage measures the page of a session of 10,000 events over the real
// store: cold, folded from its log, and warm, from the cached fold.
func BenchmarkPage(b *testing.B) {
	w := newWebServer(b)
	var events []classroom.Event
	s := livetest.NewScript(77)
	for len(s.Events) < 10_000 {
		s.Run("A question?")
	}
	events = s.Events
	id := w.session(events)
	page := func(b *testing.B, hub *live.Hub) {
		var out strings.Builder
		err := hub.View(b.Context(), id, live.Reader{}, func(sv *live.SessionView) {
			v := templates.Workbench{Session: classroom.Session{ID: id}, Class: classroom.Class{ID: "c1"}}
			sv.FillWorkbench(&v)
			if err := templates.WorkbenchPage(v).Render(b.Context(), &out); err != nil {
				b.Fatal(err)
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len())/1024, "KiB")
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			hub := live.NewHub(live.Options{Log: w.store, Heartbeat: time.Hour})
			page(b, hub)
			hub.Close("shutdown")
		}
	})
	b.Run("warm", func(b *testing.B) {
		page(b, w.web.live)
		for b.Loop() {
			page(b, w.web.live)
		}
	})
}

// BenchmarkReconnectAtHead measures a reader that comes back with the newest
// cursor of a session of 100,000 events, from its request to caught_up.
func BenchmarkReconnectAtHead(b *testing.B) {
	w := newWebServer(b)
	id := w.session(nil)
	drafts := make([]classroom.Draft, 1000)
	for i := range drafts {
		drafts[i] = classroom.Draft{
			Exchange: 1, Agent: "ada", Attempt: 1,
			Payload: classroom.MessageUpdate{MessageID: "m1", Kind: classroom.BlockText, Delta: "word "},
		}
	}
	for range 100 {
		if _, err := w.store.Append(b.Context(), id, 0, drafts...); err != nil {
			b.Fatal(err)
		}
	}
	head := strconv.Itoa(100*len(drafts) + 1)
	for b.Loop() {
		r := w.open("/api/sessions/"+id+"/events", "Last-Event-ID: "+head)
		if met, _ := r.until("caught_up"); len(met) != 1 {
			b.Fatalf("%d frames before caught_up", len(met))
		}
		r.close()
	}
}
