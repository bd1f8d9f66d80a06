package agents_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

func summarises(r llm.Request) bool { return strings.HasPrefix(r.System, "You summarise") }

// small sets the context of the model.
func small(model llm.Model, window int) func(*agents.Options) {
	return func(o *agents.Options) {
		o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model {
			return llm.With(model, llm.Profile{Context: window})
		}
	}
}

// TestCompaction: a conversation that does not fit is shortened
// before it is sent; system prompt, question and recent turns stay, the log
// keeps everything, and the page says so.
func TestCompaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		model := llmtest.New()
		model.Always(summarises, llmtest.Say("They spoke of many plants; the code word is heliotrope."))
		model.Always(nil, llmtest.Say(strings.Repeat("A plant grows. ", 60)))
		c := newRuntimeRig(t, log, model, small(model, 4000))
		defer c.rt.Close()
		var events []classroom.Event
		for i := range 60 {
			c.send(fmt.Sprintf("Question %d: what is a plant?", i), "")
			events = c.settle()
		}
		compactions := payloads[classroom.Compaction](events)
		if len(compactions) == 0 {
			t.Fatal("no compaction")
		}
		for i, r := range model.Requests() {
			if summarises(r) {
				continue
			}
			if !strings.Contains(r.System, "You are Ms Ada, teacher.") {
				t.Fatalf("request %d lost its system prompt", i)
			}
			size := len(r.System)
			for _, m := range r.Messages {
				size += len(m.Text)
			}
			if size > 4*4000 {
				t.Errorf("request %d holds %d bytes", i, size)
			}
		}
		requests := model.Requests()
		last := requests[len(requests)-1]
		last.Messages = last.Messages[:len(last.Messages)-1] // without the cue
		if first := last.Messages[0].Text; !strings.Contains(first, "heliotrope") {
			t.Errorf("the summary is not the first message: %q", first)
		}
		if text := last.Messages[len(last.Messages)-1].Text; !strings.Contains(text, "Question 59") {
			t.Errorf("the last message is %q", text)
		}
		if notes := notices(classroom.Of(events)); notes != len(compactions) {
			t.Errorf("the page shows %d of %d compactions", notes, len(compactions))
		}
		for _, k := range compactions {
			if k.TokensAfter >= k.TokensBefore || k.FirstKept == 0 {
				t.Errorf("compaction %+v", k)
			}
		}
	})
}

func notices(f *classroom.Fold) int {
	n := 0
	for _, card := range f.Cards {
		for _, w := range card.Windows {
			for _, x := range w.Entries {
				if x.Notice != nil {
					n++
				}
			}
		}
	}
	return n
}

// TestOverflow: after the model refuses a conversation as too long, it is shortened
// once; after a second refusal the run fails and says why.
func TestOverflow(t *testing.T) {
	long := llmtest.Reply{llmtest.Fail(&llm.Error{Fault: llm.TooLong, Message: "Too long for this model."})}
	for name, x := range map[string]struct {
		replies []llmtest.Reply
		status  string
	}{
		"once":  {[]llmtest.Reply{long, llmtest.Say("Short.")}, classroom.Completed},
		"twice": {[]llmtest.Reply{long, long}, classroom.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := newMemoryStore()
				log.open("s", "ada")
				model := llmtest.New(append([]llmtest.Reply{llmtest.Say("One."), llmtest.Say("Two.")}, x.replies...)...)
				model.Always(summarises, llmtest.Reply{llmtest.Finish(llm.Stop)}) // an empty summary
				c := newRuntimeRig(t, log, model)
				defer c.rt.Close()
				var events []classroom.Event
				for range 3 {
					c.send(strings.Repeat("Tell me of plants. ", 2000), "")
					events = c.settle()
				}
				ends := payloads[classroom.RunEnd](events)
				if end := ends[2]; end.Status != x.status || x.status == classroom.Failed && end.Code != "too_long" {
					t.Errorf("run_end %+v", end)
				}
				if n := len(payloads[classroom.Compaction](events)); n == 0 {
					t.Error("no compaction")
				}
			})
		})
	}
}

// TestBrokenSummary: where the model does not finish its summary, excerpts stand
// for it. After Stop nothing is shortened.
func TestBrokenSummary(t *testing.T) {
	for name, reply := range map[string]llmtest.Reply{
		"cut":     {llmtest.Text("The")},
		"length":  {llmtest.Text("The"), llmtest.Finish(llm.Length)},
		"trouble": {llmtest.Text("The"), llmtest.Fail(&llm.Error{Fault: llm.Overloaded, Message: "Busy."})},
		"stopped": {llmtest.Text("The"), llmtest.Hang()},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := newMemoryStore()
				log.open("s", "ada")
				model := llmtest.New()
				model.Always(summarises, reply)
				model.Always(nil, llmtest.Say(strings.Repeat("A plant grows. ", 60)))
				c := newRuntimeRig(t, log, model, small(model, 2000))
				defer c.rt.Close()
				for i := 0; i < 9 && len(model.Requests()) == i; i++ {
					c.send(fmt.Sprintf("FACT%d", i), "")
					if name == "stopped" {
						synctest.Wait()
						if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
							t.Fatal(err)
						}
					}
					c.settle()
				}
				for _, k := range payloads[classroom.Compaction](log.log("s")) {
					if name == "stopped" || !strings.Contains(k.Summary, "FACT0") {
						t.Errorf("compaction %+v", k)
					}
				}
			})
		})
	}
}

// TestManyCompactions: with excerpts for summaries, the first question is still
// known after many of them.
func TestManyCompactions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		model := llmtest.New()
		model.Always(nil, llmtest.Say(strings.Repeat("A plant grows. ", 60)))
		c := newRuntimeRig(t, log, model, func(o *agents.Options) {
			o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model {
				return llm.With(model, llm.Profile{Context: 4000, Assumed: true})
			}
		})
		defer c.rt.Close()
		var events []classroom.Event
		for i := range 40 {
			c.send(fmt.Sprintf("FACT%d is this", i), "")
			events = c.settle()
		}
		all := payloads[classroom.Compaction](events)
		if len(all) < 3 {
			t.Fatalf("%d compactions", len(all))
		}
		last := all[len(all)-1].Summary
		for i := range 20 {
			if !strings.Contains(last, fmt.Sprintf("FACT%d ", i)) {
				t.Errorf("FACT%d is forgotten in:\n%s", i, last)
			}
		}
		if strings.Count(last, "each line cut short") != 1 {
			t.Errorf("the heads pile up:\n%s", last)
		}
	})
}

// TestNothingToShorten: where nothing precedes the question, nothing is
// summarised, and the run fails as too long.
func TestNothingToShorten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		tooLong := &llm.Error{Fault: llm.TooLong, Message: "Too long for this model."}
		c := newRuntimeRig(t, log, llmtest.New(llmtest.Reply{llmtest.Fail(tooLong)}))
		defer c.rt.Close()
		c.send(strings.Repeat("Tell me of plants. ", 2000), "")
		events := c.settle()
		if n := len(payloads[classroom.Compaction](events)); n != 0 {
			t.Errorf("%d compactions", n)
		}
		if end := payloads[classroom.RunEnd](events)[0]; end.Code != "too_long" {
			t.Errorf("run_end %+v", end)
		}
	})
}
