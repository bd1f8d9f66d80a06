package agents_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// twoProcesses runs f with two runtimes over one store, each with a holder of its own.
// The store is in memory; package store shows that real ones exclude each other.
func twoProcesses(t *testing.T, one, two *llmtest.Script, f func(t *testing.T, a, b *runtimeRig)) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		a := newRuntimeRig(t, log, one, func(o *agents.Options) { o.Holder = "a" })
		b := newRuntimeRig(t, log, two, func(o *agents.Options) { o.Holder = "b" })
		defer b.rt.Close()
		defer a.rt.Close()
		f(t, a, b)
	})
}

// leaseGone is when a session that is idle has no lease any more.
const leaseGone = 10 * time.Second

// A process that has had a session in memory for long continues from what another one
// appended to it meanwhile: numbers, title and queue are those of the whole log.
func TestLeaseRefoldsTheLog(t *testing.T) {
	twoProcesses(t, llmtest.New(llmtest.Say("One."), llmtest.Say("Three.")), llmtest.New(llmtest.Say("Two.")),
		func(t *testing.T, a, b *runtimeRig) {
			if err := b.rt.Cancel(t.Context(), "s"); err != nil { // loads the session
				t.Fatal(err)
			}
			for i, c := range []*runtimeRig{a, b, a} {
				c.send("Question?", "")
				f := classroom.Of(c.settle())
				if len(f.Cards) != i+1 || f.LastCard().State != classroom.CardCompleted {
					t.Fatalf("after question %d: %s", i+1, outline(a.log.log("s")))
				}
				time.Sleep(leaseGone) // of the bubble's clock
			}
			for _, c := range []*runtimeRig{b, a} {
				if err := c.rt.Rename(t.Context(), "s", "Leaves", "person"); err != nil {
					t.Fatal(err)
				}
				time.Sleep(leaseGone)
			}
			b.settle()
		})
}

// While a process runs a session, another cannot change it, and leaves its log alone.
func TestLivingLeaseIsNotStolen(t *testing.T) {
	slow := llmtest.Reply{llmtest.Text("One."), llmtest.Pause(70 * time.Second), llmtest.Finish(llm.Stop)}
	twoProcesses(t, llmtest.New(slow), llmtest.New(), func(t *testing.T, a, b *runtimeRig) {
		if err := b.rt.Cancel(t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		a.send("Why?", "")
		for range 3 {
			synctest.Wait()
			before := len(a.log.log("s"))
			_, sent := b.rt.Send(t.Context(), "s", classroom.Post{Text: "And?"})
			for what, err := range map[string]error{
				"send": sent, "rename": b.rt.Rename(t.Context(), "s", "Leaves", "person"),
				"resume": b.rt.Resume(t.Context(), "s"),
			} {
				if !errors.Is(err, classroom.ErrLeaseLost) {
					t.Errorf("%s: got %v, want %v", what, err, classroom.ErrLeaseLost)
				}
			}
			if err := b.rt.Recover(t.Context()); err != nil {
				t.Error(err)
			}
			if after := len(a.log.log("s")); after != before {
				t.Errorf("the other process appended %d events", after-before)
			}
			time.Sleep(20 * time.Second) // longer than a lease that nobody renews
		}
		if f := classroom.Of(a.settle()); f.LastCard().State != classroom.CardCompleted {
			t.Errorf("the run: %s", outline(a.log.log("s")))
		}
	})
}

// A run whose process has died is continued by another one once the lease has expired.
func TestExpiredLeaseIsTaken(t *testing.T) {
	for name, take := range map[string]func(*testing.T, *runtimeRig) string{
		"by itself": func(t *testing.T, c *runtimeRig) string {
			c.log.dieInMidRun(t, "s")
			if err := c.rt.Recover(t.Context()); err != nil {
				t.Error(err)
			}
			if got := outline(c.log.log("s")); strings.Contains(got, "run_interrupt") {
				t.Errorf("before the lease expired: %s", got)
			}
			time.Sleep(time.Minute)
			return "run_interrupt:crash run_resume"
		},
		"by a question": func(t *testing.T, c *runtimeRig) string {
			if err := c.rt.Cancel(t.Context(), "s"); err != nil { // loads the session
				t.Error(err)
			}
			c.log.dieInMidRun(t, "s")
			time.Sleep(time.Minute)
			c.send("And?", "")
			return "run_interrupt:lease_lost run_end:cancelled/superseded user_message:prompt run_start"
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := newMemoryStore()
				log.open("s", "ada")
				model := llmtest.New()
				model.Always(nil, llmtest.Say("Again."))
				b := newRuntimeRig(t, log, model, func(o *agents.Options) { o.Holder = "b" })
				defer b.rt.Close()
				want := take(t, b)
				if got := outline(b.settle()); !strings.Contains(got, want) {
					t.Errorf("got  %s\nwant %s in it", got, want)
				}
			})
		})
	}
}

// dieInMidRun appends what a process "dead" wrote before it was killed. Its lease lives
// on for a moment.
func (m *memoryStore) dieInMidRun(t *testing.T, id string) {
	t.Helper()
	g, err := m.Acquire(t.Context(), id, "dead", 15*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Append(t.Context(), id, g,
		classroom.Draft{Exchange: 1, Payload: classroom.UserMessage{Text: "Why?", Delivery: classroom.Prompt}},
		classroom.Draft{Exchange: 1, Attempt: 1, Payload: classroom.RunStart{Prompt: 2, Model: "m"}})
	if err != nil {
		t.Fatal(err)
	}
}

// A name that is left out would be the same in every process.
func TestRuntimeNeedsAHolder(t *testing.T) {
	if _, err := agents.New(agents.Options{Log: newMemoryStore()}); err == nil {
		t.Error("a runtime was made whose process has no name")
	}
}
