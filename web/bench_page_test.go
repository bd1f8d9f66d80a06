package web

import (
	"strconv"
	"testing"

	"colloquy/classroom"
	"colloquy/templates"
)

// BenchmarkPage measures the page of a session of 10,000 events over the real
// store: cold, folded from its log, and warm, from the cached fold.
func BenchmarkPage(b *testing.B) {
	w := newWorld(b)
	var events []classroom.Event
	s := newScript(77)
	for len(s.events) < 10_000 {
		s.run("A question?")
	}
	events = s.events
	id := w.session(events)
	page := func(b *testing.B, p *projector) {
		var out string
		err := p.view(b.Context(), w.store, func(sc *screen) {
			v := templates.Workbench{Session: classroom.Session{ID: id}, Class: classroom.Class{ID: "c1"}}
			sc.fill(&v)
			out = render(templates.WorkbenchPage(v))
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(out))/1024, "KiB")
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			page(b, &projector{session: id})
		}
	})
	b.Run("warm", func(b *testing.B) {
		p := &projector{session: id}
		page(b, p)
		for b.Loop() {
			page(b, p)
		}
	})
}

// BenchmarkReconnectAtHead measures a reader that comes back with the newest
// cursor of a session of 100,000 events, from its request to caught_up.
func BenchmarkReconnectAtHead(b *testing.B) {
	w := newWorld(b)
	id := w.session(nil)
	drafts := make([]classroom.Draft, 1000)
	for i := range drafts {
		drafts[i] = classroom.Draft{Exchange: 1, Agent: "ada", Attempt: 1, Payload: classroom.MessageUpdate{MessageID: "m1", Kind: classroom.BlockText, Delta: "word "}}
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

// BenchmarkCut measures one cut of a growing answer, as the log grows by a row.
func BenchmarkCut(b *testing.B) {
	w := newScript(1)
	w.exchange, w.attempt = 1, 1
	w.say(classroom.UserMessage{Text: "q", Author: me, Delivery: classroom.Prompt})
	w.say(classroom.RunStart{Prompt: 2})
	w.agent = "ada"
	w.say(classroom.AgentStart{Name: "Ada", Role: classroom.Teacher})
	s := newScreen("s1", true)
	s.take(w.events)
	s.prime()
	bytes, n := 0, 0
	for b.Loop() {
		delta := " and another word"
		if n++; n%30 == 0 {
			delta = ".\n\nA new paragraph"
		}
		if n%3000 == 0 {
			b.StopTimer() // an answer of 50 KB is long enough
			w.messages++
			b.StartTimer()
		}
		at := w.say(classroom.MessageUpdate{MessageID: "m" + strconv.Itoa(w.messages), Kind: classroom.BlockText, Delta: delta})
		s.take(w.events[at-1:])
		bytes += s.cut().len()
	}
	b.ReportMetric(float64(bytes)/float64(n), "bytes/cut")
}
