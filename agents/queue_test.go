package agents_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// TestQueuesSurviveTheEndOfARun: a steer and a follow-up that wait when a run is
// stopped or fails still wait after it, in the order in which they were sent, also
// in a server that starts again. Then each opens one exchange.
func TestQueuesSurviveTheEndOfARun(t *testing.T) {
	for _, how := range []string{"stopped", "failed"} {
		t.Run(how, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { queuesSurvive(t, how == "stopped") }) })
	}
}

func queuesSurvive(t *testing.T, stop bool) {
	gate, log := make(chan struct{}), newMemoryStore()
	log.open("s", "ada")
	refused := llmtest.Fail(&llm.Error{Fault: llm.Credentials, Message: "The key is wrong."})
	c := newRuntimeRig(t, log, llmtest.New(llmtest.Reply{llmtest.Text("Be"), llmtest.Wait(gate), refused}))
	c.send("Why?", "")
	synctest.Wait()
	later := c.send("Later.", classroom.FollowUp)
	now := c.send("Now.", classroom.Steer)
	if stop {
		if err := c.rt.Cancel(t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
	} else {
		close(gate)
	}
	want := []classroom.Queued{{Cursor: later.Cursor, Text: "Later."}, {Cursor: now.Cursor, Text: "Now."}}
	if q := classroom.Of(c.settle()).Queue; len(q.Steer) != 0 || !slices.Equal(q.FollowUp, want) {
		t.Errorf("after the run %+v waits, want %+v", q, want)
	}
	c.rt.Close()
	c = newRuntimeRig(t, log, llmtest.New(llmtest.Say("One."), llmtest.Say("Two.")))
	defer c.rt.Close()
	if err := c.rt.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if q := classroom.Of(c.settle()).Queue; !slices.Equal(q.FollowUp, want) {
		t.Errorf("after the restart %+v waits, want %+v", q, want)
	}
	if err := c.rt.SendQueue(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	var asked []string
	f := classroom.Of(c.settle())
	for _, card := range f.Cards {
		asked = append(asked, card.Question.Text)
	}
	if want := []string{"Why?", "Later.", "Now."}; !slices.Equal(asked, want) || f.Queue.Len() != 0 {
		t.Errorf("asked %q, want %q; %+v waits", asked, want, f.Queue)
	}
}
