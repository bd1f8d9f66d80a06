package live

import (
	"strconv"
	"testing"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// BenchmarkDiff measures one patch of a growing answer, as the log grows by a row.
func BenchmarkDiff(b *testing.B) {
	w := livetest.NewScript(1)
	w.Exchange, w.Attempt = 1, 1
	w.Say(classroom.UserMessage{Text: "q", Author: livetest.Me, Delivery: classroom.Prompt})
	w.Say(classroom.RunStart{Prompt: 2})
	w.Agent = "ada"
	w.Say(classroom.AgentStart{Name: "Ada", Role: classroom.Teacher})
	s := newView(viewKey{session: "s1"})
	s.apply(w.Events)
	s.markSent()
	bytes, n := 0, 0
	for b.Loop() {
		delta := " and another word"
		if n++; n%30 == 0 {
			delta = ".\n\nA new paragraph"
		}
		if n%3000 == 0 {
			b.StopTimer() // an answer of 50 KB is long enough
			w.Messages++
			b.StartTimer()
		}
		id := "m" + strconv.Itoa(w.Messages)
		at := w.Say(classroom.MessageUpdate{MessageID: id, Kind: classroom.BlockText, Delta: delta})
		s.apply(w.Events[at-1:])
		bytes += s.diff().len()
	}
	b.ReportMetric(float64(bytes)/float64(n), "bytes/cut")
}
