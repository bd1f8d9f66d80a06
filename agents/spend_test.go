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

// TestCost: what a run used and cost is the sum over all its calls of models,
// those included that came to nothing.
func TestCost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.open("s", "ada")
		used := llmtest.Usage(llm.Usage{Input: 1000, Output: 100})
		model := llmtest.New(
			llmtest.Reply{llmtest.Text("x"), used}, // broken off, and tried again
			llmtest.Use(used, llmtest.Call(0, "a", "echo", `{"say":"x"}`)),
			llmtest.Reply{llmtest.Text("Done."), used, llmtest.Finish(llm.Stop)})
		c := newClass(t, log, model, func(o *agents.Options) {
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

// TestTogether: a class that takes waiting messages together has all of them in
// one turn, and asks what waits in one exchange; others take one at a time.
func TestTogether(t *testing.T) {
	for name, together := range map[string]bool{"one": false, "together": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := newMemory()
				log.class.Rules.Together = together
				log.open("s", "ada")
				gate := make(chan struct{})
				model := llmtest.New()
				model.When(nil, llmtest.Reply{llmtest.Text("Well"), llmtest.Wait(gate), llmtest.Finish(llm.Stop)})
				model.Always(nil, llmtest.Say("Yes."))
				c := newClass(t, log, model)
				defer c.rt.Close()
				c.send("Go.", "")
				synctest.Wait()
				for _, d := range []classroom.Delivery{classroom.Steer, classroom.Steer, classroom.FollowUp, classroom.FollowUp} {
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

// TestNamedInBetween: an agent that an interjection names has the floor next, in
// a discussion as an answer that counts for no round.
func TestNamedInBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.openAs("s", classroom.ModeDiscussion, 1, "ada", "ben", "cleo")
		gate := make(chan struct{})
		model := llmtest.New()
		model.When(func(r llm.Request) bool { return r.Speaker.ID == "ada" }, llmtest.Reply{llmtest.Text("Well"), llmtest.Wait(gate), llmtest.Finish(llm.Stop)})
		model.Always(directs, llmtest.Say("?"))
		model.Always(nil, llmtest.Say("Yes."))
		c := newClass(t, log, model)
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

// TestSealed is case V11: what a provider wants back is in the log, goes back to
// the model with the call, also after a restart, and is in nothing that leaves.
func TestSealed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.open("s", "ada")
		model := llmtest.New(
			llmtest.Use(llmtest.Thought("seal-1", "Hm."), llmtest.SealedCall(0, "a", "echo", "seal-2", `{"say":"x"}`)),
			llmtest.Say("Done."), llmtest.Say("Again."))
		c := newClass(t, log, model)
		c.send("Go.", "")
		c.settle()
		c.rt.Close()
		c = newClass(t, log, model) // another process over the same log
		defer c.rt.Close()
		c.send("And now?", "")
		events := c.settle()
		for _, r := range model.Requests()[1:] {
			said := r.Messages[1]
			if said.Model != model.Name() || len(said.Thought) != 1 || said.Thought[0] != (llm.Thought{Text: "Hm.", Sealed: "seal-1"}) || said.Calls[0].Sealed != "seal-2" {
				t.Errorf("the model gets back %+v", said)
			}
		}
		for _, e := range events {
			if b, _ := json.Marshal(classroom.Unsealed(e)); strings.Contains(string(b), "seal-") {
				t.Errorf("leaves sealed: %s", b)
			}
		}
	})
}

// TestInterruptedIsCounted: what an attempt used that was cut off is in the
// run_end of the one that goes on.
func TestInterruptedIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.open("s", "ada", "ben")
		used := llmtest.Usage(llm.Usage{Input: 1000, Output: 100})
		whole := llmtest.Reply{llmtest.Text("Yes."), used, llmtest.Finish(llm.Stop)}
		model := llmtest.New(whole, llmtest.Reply{llmtest.Text("Well"), llmtest.Hang()}, whole)
		c := newClass(t, log, model)
		c.send("Go.", "")
		synctest.Wait()
		c.rt.Close() // Ada has spoken, Ben speaks
		c = newClass(t, log, model)
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
			log := newMemory()
			log.open("s", "ada")
			c := newClass(t, log, llmtest.New(llmtest.Reply{llmtest.Thinking("Hm."), llmtest.Finish(reason)}))
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

// TestAlternatingBlocks: a model that alternates thinking and text does not get a
// row of the log for each token.
func TestAlternatingBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemory()
		log.open("s", "ada")
		var reply llmtest.Reply
		want := ""
		for i := range 2000 {
			word := string(rune('a' + i%26))
			want += word
			reply = append(reply, llmtest.Thinking("hm "), llmtest.Text(word))
		}
		c := newClass(t, log, llmtest.New(append(reply, llmtest.Finish(llm.Stop))))
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
		log := newMemory()
		log.open("s", "ada")
		c := newClass(t, log, llmtest.New(llmtest.Reply{llmtest.Text("plan-7"), llmtest.Rethink(), llmtest.Text("visible-7"), llmtest.Finish(llm.Stop)}))
		defer c.rt.Close()
		c.send("Go.", "")
		events := c.settle()
		blocks := payloads[classroom.MessageEnd](events)[0].Blocks
		if len(blocks) != 2 || blocks[0].Kind != classroom.BlockThinking || blocks[0].Text != "plan-7" || blocks[1].Text != "visible-7" {
			t.Errorf("blocks %+v", blocks)
		}
	})
}
