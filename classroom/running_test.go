package classroom

import "testing"

// TestOnlyTheRunsEventsEndIt: at every cursor of the recorded logs, a run is at work
// from its run_start or run_resume to its run_end or run_interrupt, whatever the
// windows, messages and calls between them say.
func TestOnlyTheRunsEventsEndIt(t *testing.T) {
	for name, log := range recordedLogs(t) {
		f, running := new(Fold), 0
		for _, e := range log {
			f.Apply(e)
			switch e.Type {
			case TypeRunStart, TypeRunResume:
				running = e.Exchange
			case TypeRunEnd, TypeRunInterrupt:
				running = 0
			}
			if f.Running != running || (f.Status() == Running) != (running != 0) {
				t.Fatalf("%s at %d, %s: exchange %d runs, want %d", name, e.ID, e.Type, f.Running, running)
			}
			for _, c := range f.Cards {
				if (c.State == CardRunning) != (c.Exchange == running) {
					t.Fatalf("%s at %d, %s: card %d is %s, exchange %d runs",
						name, e.ID, e.Type, c.Exchange, c.State, running)
				}
			}
		}
	}
}
