package agents_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// TestCost: the usage and cost of a run are the sums over all its model calls,
// failed ones included.
func TestCost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		used := llmtest.Usage(llm.Usage{Input: 1000, Output: 100})
		model := llmtest.New(
			llmtest.Reply{llmtest.Text("x"), used}, // fails, and is tried again
			llmtest.Use(used, llmtest.Call(0, "a", "echo", `{"say":"x"}`)),
			llmtest.Reply{llmtest.Text("Done."), used, llmtest.Finish(llm.Stop)})
		c := newRuntimeRig(t, log, model, func(o *agents.Options) {
			o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model {
				return llm.With(model, llm.Profile{Price: llm.Price{Input: 3_000_000, Output: 15_000_000}})
			}
		})
		defer c.rt.Close()
		c.send("Go.", "")
		end := payloads[classroom.RunEnd](c.settle())[0]
		if end.Usage.Input != 3000 || end.Usage.Output != 300 {
			t.Errorf("usage %+v", end.Usage)
		}
		if end.Cost == nil || *end.Cost != 3*(3000+1500) {
			t.Errorf("cost %v", end.Cost)
		}
	})
}

// TestDeliverAll: a class that delivers waiting messages together has all steers in
// one turn and all follow-ups in one exchange; others deliver one at a time.
func TestDeliverAll(t *testing.T) {
	for name, together := range map[string]bool{"one": false, "together": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := newMemoryStore()
				log.class.Rules.DeliverAll = together
				log.open("s", "ada")
				gate := make(chan struct{})
				model := llmtest.New()
				model.When(nil, sayUntil("Well", gate))
				model.Always(nil, llmtest.Say("Yes."))
				c := newRuntimeRig(t, log, model)
				defer c.rt.Close()
				c.send("Go.", "")
				synctest.Wait()
				for _, d := range []classroom.Delivery{
					classroom.Steer, classroom.Steer, classroom.FollowUp, classroom.FollowUp,
				} {
					c.send("And "+string(d), d)
				}
				close(gate)
				events := c.settle()
				most := 0
				for _, q := range payloads[classroom.QueueUpdate](events) {
					most = max(most, len(q.Delivered))
				}
				exchanges := len(classroom.Of(events).Cards)
				if together && (most != 2 || exchanges != 2) || !together && (most != 1 || exchanges != 3) {
					t.Errorf("%d taken at once, %d exchanges", most, exchanges)
				}
			})
		})
	}
}

// TestNamedInInterjection: an agent that an interjection names has the floor next;
// in a discussion its answer counts for no round.
func TestNamedInInterjection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.openAs("s", classroom.ModeDiscussion, 1, "ada", "ben", "cleo")
		gate := make(chan struct{})
		model := llmtest.New()
		model.When(asks("ada"), sayUntil("Well", gate))
		model.Always(directs, llmtest.Say("?"))
		model.Always(nil, llmtest.Say("Yes."))
		c := newRuntimeRig(t, log, model)
		defer c.rt.Close()
		c.send("Go.", "")
		synctest.Wait()
		c.send("@Cleo, what do you say", classroom.Steer)
		close(gate)
		want := "ada  1 rule,cleo reply 1 named,ben  1 rule,cleo  1 rule"
		if got := strings.Join(floorOf(c.settle()), ","); got != want {
			t.Errorf("floor %s, want %s", got, want)
		}
	})
}

// TestOpaqueState: opaque provider state is in the log, is returned to
// the model with the call, also after a restart, and is never exposed.
func TestOpaqueState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		model := llmtest.New(
			llmtest.Use(llmtest.Thought("seal-1", "Hm."),
				llmtest.CallWithOpaque(0, "a", "echo", "seal-2", `{"say":"x"}`)),
			llmtest.Say("Done."), llmtest.Say("Again."))
		c := newRuntimeRig(t, log, model)
		c.send("Go.", "")
		c.settle()
		c.rt.Close()
		c = newRuntimeRig(t, log, model) // another process over the same log
		defer c.rt.Close()
		c.send("And now?", "")
		events := c.settle()
		for _, r := range model.Requests()[1:] {
			said := r.Messages[1]
			if said.Model != model.Name() || len(said.Thought) != 1 ||
				said.Thought[0] != (llm.Thought{Text: "Hm.", Opaque: "seal-1"}) || said.Calls[0].Opaque != "seal-2" {
				t.Errorf("the model gets back %+v", said)
			}
		}
		for _, e := range events {
			if b, _ := json.Marshal(classroom.WithoutOpaque(e)); strings.Contains(string(b), "seal-") {
				t.Errorf("leaves opaque: %s", b)
			}
		}
	})
}

// TestInterruptedIsCounted: the usage of an interrupted attempt is in the run_end
// of the attempt that continues.
func TestInterruptedIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada", "ben")
		used := llmtest.Usage(llm.Usage{Input: 1000, Output: 100})
		whole := llmtest.Reply{llmtest.Text("Yes."), used, llmtest.Finish(llm.Stop)}
		model := llmtest.New(whole, llmtest.Reply{llmtest.Text("Well"), llmtest.Hang()}, whole)
		c := newRuntimeRig(t, log, model)
		c.send("Go.", "")
		synctest.Wait()
		c.rt.Close() // Ada has spoken, Ben speaks
		c = newRuntimeRig(t, log, model)
		defer c.rt.Close()
		if err := c.rt.Recover(c.t.Context()); err != nil {
			t.Fatal(err)
		}
		end := payloads[classroom.RunEnd](c.settle())
		if len(end) != 1 || end[0].Usage.Input != 2000 || end[0].Usage.Output != 200 {
			t.Errorf("run_end %+v", end)
		}
	})
}

// TestThinkingIsNoAnswer: thinking alone is an empty answer, and one that was cut
// off at the length limit says that.
func TestThinkingIsNoAnswer(t *testing.T) {
	for reason, code := range map[llm.Reason]string{llm.Stop: "empty_answer", llm.Length: ""} {
		synctest.Test(t, func(t *testing.T) {
			log := newMemoryStore()
			log.open("s", "ada")
			c := newRuntimeRig(t, log, llmtest.New(llmtest.Reply{llmtest.Thinking("Hm."), llmtest.Finish(reason)}))
			defer c.rt.Close()
			c.send("Go.", "")
			events := c.settle()
			if end := payloads[classroom.RunEnd](events)[0]; end.Code != code {
				t.Errorf("%s: run_end %+v", reason, end)
			}
			if card := classroom.Of(events).LastCard(); card.CutShort() != (reason == llm.Length) {
				t.Errorf("%s: cut short is %v", reason, card.CutShort())
			}
		})
	}
}

// TestAlternatingBlocks: a model that alternates thinking and text does not write
// an event for each token.
func TestAlternatingBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		var reply llmtest.Reply
		want := ""
		for i := range 2000 {
			word := string(rune('a' + i%26))
			want += word
			reply = append(reply, llmtest.Thinking("hm "), llmtest.Text(word))
		}
		c := newRuntimeRig(t, log, llmtest.New(append(reply, llmtest.Finish(llm.Stop))))
		defer c.rt.Close()
		c.send("Go.", "")
		events := c.settle()
		if len(events) > 200 {
			t.Errorf("%d events", len(events))
		}
		got := ""
		for _, b := range payloads[classroom.MessageEnd](events)[0].Blocks {
			if b.Kind == classroom.BlockText {
				got += b.Text
			}
		}
		if got != want {
			t.Error("the text is not what the model said")
		}
	})
}

// TestRethink is case V09c: text that turns out to be thinking is thinking in
// message_end, and what follows is the answer.
func TestRethink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		c := newRuntimeRig(t, log, llmtest.New(llmtest.Reply{llmtest.Text("plan-7"), llmtest.Rethink(),
			llmtest.Text("visible-7"), llmtest.Finish(llm.Stop)}))
		defer c.rt.Close()
		c.send("Go.", "")
		events := c.settle()
		blocks := payloads[classroom.MessageEnd](events)[0].Blocks
		if len(blocks) != 2 || blocks[0].Kind != classroom.BlockThinking || blocks[0].Text != "plan-7" ||
			blocks[1].Text != "visible-7" {
			t.Errorf("blocks %+v", blocks)
		}
	})
}
