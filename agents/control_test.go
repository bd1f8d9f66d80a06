package agents_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// Stop ends the run within a second, keeps the text and gives one run_end,
// wherever the run is and however often it is pressed.
func TestCancelAtEveryPoint(t *testing.T) {
	hang := echo
	hang.Run = func(context.Context, agents.Call) (agents.Result, error) {
		time.Sleep(time.Hour) // it ignores its context
		return agents.Result{}, nil
	}
	overloaded := &llm.Error{Fault: llm.Overloaded, Message: "The model is busy."}
	points := map[string]llmtest.Reply{
		"before the first byte": {llmtest.Hang()},
		"in text":               {llmtest.Text("partial "), llmtest.Text("text"), llmtest.Hang()},
		"in thinking":           {llmtest.Thinking("hm"), llmtest.Hang()},
		"in tool arguments":     {llmtest.Call(0, "x", "echo", `{"sa`), llmtest.Hang()},
		"in a tool":             llmtest.Use(llmtest.Call(0, "x", "echo", `{"say":"x"}`)),
		"in a retry's wait":     {llmtest.Text("partial text"), llmtest.Fail(overloaded)},
	}
	for name, reply := range points {
		t.Run(name, func(t *testing.T) {
			bubble(t, llmtest.New(reply), nil, func(c *runtimeRig) {
				c.send("Why?", "")
				time.Sleep(300 * time.Millisecond)
				synctest.Wait()
				began := time.Now()
				var all sync.WaitGroup
				for range 4 {
					all.Go(func() {
						if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				log := c.settle()
				if took := time.Since(began); took > time.Second {
					t.Errorf("the run ended %v after Stop", took)
				}
				if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
					t.Error(err)
				}
				ends := payloads[classroom.RunEnd](c.settle())
				if len(ends) != 1 || ends[0].Status != classroom.Cancelled {
					t.Errorf("run_end %+v", ends)
				}
				messages := payloads[classroom.MessageEnd](log)
				if strings.Contains(name, "text") && (len(messages) != 1 ||
					messages[0].Blocks[0].Text != "partial text") {
					t.Errorf("the partial text is %+v", messages)
				}
				c.model.Add(llmtest.Say("Fresh."), llmtest.Say("Fresh."), llmtest.Say("Fresh."))
				c.send("And now?", "")
				if ends := payloads[classroom.RunEnd](c.settle()); ends[1].Status != classroom.Completed {
					t.Errorf("the next question: %+v", ends[1])
				}
				time.Sleep(2 * time.Hour) // until that tool has ended
			}, func(o *agents.Options) { o.Tools = []agents.Tool{hang} })
		})
	}
}

func TestSteerEntersTheWindow(t *testing.T) {
	gate := make(chan struct{})
	model := llmtest.New(sayUntil("One.", gate), llmtest.Say("Two."))
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		gate = make(chan struct{})
		model = llmtest.New(sayUntil("One.", gate), llmtest.Say("Two."))
		c := newRuntimeRig(t, log, model)
		defer c.rt.Close()
		c.send("Why?", "")
		synctest.Wait()
		if r := c.send("Shorter, please.", ""); r.Delivery != classroom.Steer || *r.Exchange != 1 {
			t.Errorf("receipt %+v", r)
		}
		close(gate)
		got := outline(c.settle())
		want := "session_start user_message:prompt run_start agent_start:ada turn_start message_start" +
			" user_message:steer queue_update message_end:stop turn_end" +
			" turn_start queue_update message_start message_end:stop turn_end agent_end:stop run_end:completed"
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		last := model.Requests()[1].Messages
		if n := len(last); last[n-1].Text != "Shorter, please." || last[n-2].Text != "One." {
			t.Errorf("the second request ends with %+v", last)
		}
	})
}

// A follow-up waits and opens the next exchange once; after Stop it keeps waiting.
func TestFollowUp(t *testing.T) {
	for _, stop := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			gate := make(chan struct{})
			model := llmtest.New(sayUntil("One.", gate), llmtest.Say("Two."), llmtest.Say("Three."))
			log := newMemoryStore()
			log.open("s", "ada")
			c := newRuntimeRig(t, log, model)
			defer c.rt.Close()
			c.send("Why?", "")
			synctest.Wait()
			if r := c.send("And then?", classroom.Prompt); r.Delivery != classroom.FollowUp || r.Exchange != nil {
				t.Errorf("receipt %+v", r)
			}
			if stop {
				if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
					t.Fatal(err)
				}
				if n := len(types(c.settle(), classroom.TypeRunStart)); n != 1 {
					t.Errorf("%d runs after Stop", n)
				}
				if err := c.rt.SendQueue(c.t.Context(), "s"); err != nil {
					t.Fatal(err)
				}
			} else {
				close(gate)
			}
			f := classroom.Of(c.settle())
			last := f.LastCard()
			if len(f.Cards) != 2 || last.Question.Text != "And then?" ||
				last.State != classroom.CardCompleted || f.Queue.Len() != 0 {
				t.Errorf("cards %+v, queue %+v", last, f.Queue)
			}
		})
	}
}

// Whoever presses Stop and asks again gets the new answer.
func TestQuestionAfterStopIsAnswered(t *testing.T) {
	bubble(t, llmtest.New(llmtest.Reply{llmtest.Hang()}, llmtest.Say("Two.")), []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		synctest.Wait()
		if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		c.send("Something else.", "")
		f := classroom.Of(c.settle())
		if len(f.Cards) != 2 || f.Cards[1].State != classroom.CardCompleted {
			t.Errorf("%d cards, the last %+v", len(f.Cards), f.LastCard())
		}
	})
}

func TestSendsAreIdempotent(t *testing.T) {
	bubble(t, llmtest.New(llmtest.Say("One.")), []string{"ada"}, func(c *runtimeRig) {
		p := classroom.Post{Text: "Why?", ClientID: "c-1"}
		receipts := make([]classroom.Receipt, 8)
		var all sync.WaitGroup
		for i := range receipts {
			all.Go(func() {
				r, err := c.rt.Send(c.t.Context(), "s", p)
				if err != nil {
					t.Error(err)
				}
				receipts[i] = r
			})
		}
		all.Wait()
		log := c.settle()
		again, err := c.rt.Send(c.t.Context(), "s", p)
		for _, r := range append(receipts, again) {
			if r.Cursor != receipts[0].Cursor || r.Exchange == nil || *r.Exchange != 1 || err != nil {
				t.Errorf("receipt %+v, %v", r, err)
			}
		}
		if n := len(types(log, classroom.TypeUserMessage)); n != 1 {
			t.Errorf("%d messages", n)
		}
		p.Text = "Another"
		if _, err := c.rt.Send(c.t.Context(), "s", p); !errors.Is(err, classroom.ErrClientIDReused) {
			t.Errorf("the same id with another text: %v", err)
		}
	})
}

// After a cut-off step: see "A cut-off step" in docs/events.md.
func TestBarrier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := make(chan struct{}), make(chan struct{})
		log := newMemoryStore()
		log.open("s", "ada")
		model := llmtest.New(
			llmtest.Reply{
				llmtest.Text("Let me look."), llmtest.Call(0, "x", "echo", `{"say":"x"}`),
				llmtest.Wait(first), llmtest.Finish(llm.Length),
			},
			llmtest.Reply{llmtest.Wait(second), llmtest.Text("Short."), llmtest.Finish(llm.Stop)}, llmtest.Say("Open."))
		c := newRuntimeRig(t, log, model)
		defer c.rt.Close()
		c.send("Why?", "")
		synctest.Wait()
		c.send("steer", classroom.Steer)
		c.send("follow", classroom.FollowUp)
		close(first)
		synctest.Wait()
		for _, d := range []classroom.Delivery{classroom.Steer, classroom.FollowUp, ""} {
			_, err := c.rt.Send(c.t.Context(), "s", classroom.Post{Text: "late", Delivery: d})
			if !errors.Is(err, classroom.ErrBarrier) {
				t.Errorf("while the barrier is up %q: %v", d, err)
			}
		}
		close(second)
		got := c.settle()
		ends := payloads[classroom.ToolExecutionEnd](got)
		if len(ends) != 1 || !ends[0].IsError || len(types(got, classroom.TypeToolExecutionUpdate)) != 0 {
			t.Errorf("the cut call: %+v", ends)
		}
		f := classroom.Of(got)
		if len(f.Cards) != 1 || len(f.Queue.Dropped) != 2 || f.Queue.Len() != 0 || f.Barrier {
			t.Errorf("%d cards, queue %+v", len(f.Cards), f.Queue)
		}
		c.send("Open again?", "")
		if f := classroom.Of(c.settle()); f.Cards[1].State != classroom.CardCompleted {
			t.Errorf("after the barrier: %+v", f.Cards[1])
		}
	})
}

func TestCaps(t *testing.T) {
	cut := llmtest.Reply{llmtest.Call(0, "x", "echo", `{"say":"x"}`), llmtest.Finish(llm.Length)}
	call := llmtest.Use(llmtest.Call(0, "x", "echo", `{"say":"x"}`))
	cases := map[string]struct {
		reply  llmtest.Reply
		limits classroom.Limits
	}{
		"length":   {cut, classroom.Limits{}},
		"turn_cap": {call, classroom.Limits{Turns: 3}},
		"tool_cap": {call, classroom.Limits{ToolCalls: 3}},
		"time_cap": {llmtest.Reply{llmtest.Text("x"), llmtest.Hang()}, classroom.Limits{}},
		"token_cap": {slices.Concat(llmtest.Reply{llmtest.Usage(llm.Usage{Output: 60})}, call),
			classroom.Limits{Tokens: 100}},
		"empty_answer": {llmtest.Reply{llmtest.Text("  "), llmtest.Finish(llm.Stop)}, classroom.Limits{}},
		"window_cap":   {llmtest.Say("x"), classroom.Limits{Windows: 2}},
	}
	for code, x := range cases {
		t.Run(code, func(t *testing.T) {
			model := llmtest.New()
			model.Always(nil, x.reply)
			bubble(t, model, nil, func(c *runtimeRig) {
				c.send("Why?", "")
				end := payloads[classroom.RunEnd](c.settle())
				if len(end) != 1 || end[0].Status != classroom.Failed || end[0].Code != code || end[0].Message != "" {
					t.Errorf("run_end %+v", end)
				}
			}, func(o *agents.Options) { o.Limits = x.limits })
		})
	}
}

// Two people edit one queue: no edit removes what the other has just sent.
func TestQueueOfTwo(t *testing.T) {
	bubble(t, llmtest.New(llmtest.Reply{llmtest.Text("One."), llmtest.Hang()}), []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		synctest.Wait()
		a := c.send("A", classroom.FollowUp)
		seen := classroom.Cursor(len(c.log.log("s")))
		b := c.send("B", classroom.FollowUp)
		edit := []classroom.Queued{{Cursor: a.Cursor, Text: "A edited"}}
		if err := c.rt.EditQueue(c.t.Context(), "s", seen, nil, edit); !errors.Is(err, classroom.ErrQueueChanged) {
			t.Errorf("an edit that does not know of B: %v", err)
		}
		if err := c.rt.Unqueue(c.t.Context(), "s", a.Cursor); err != nil {
			t.Fatal(err)
		}
		if err := c.rt.Unqueue(c.t.Context(), "s", a.Cursor); !errors.Is(err, classroom.ErrQueueChanged) {
			t.Errorf("taken out twice: %v", err)
		}
		f := classroom.Of(c.log.log("s"))
		if q := f.Queue; len(q.FollowUp) != 1 || q.FollowUp[0].Cursor != b.Cursor || len(q.Dropped) != 0 {
			t.Errorf("queue %+v", q)
		}
		edit = []classroom.Queued{{Cursor: b.Cursor, Text: "B edited"}}
		if err := c.rt.EditQueue(c.t.Context(), "s", f.Cursor, nil, edit); err != nil {
			t.Fatal(err)
		}
		if q := classroom.Of(c.log.log("s")).Queue; q.FollowUp[0].Text != "B edited" {
			t.Errorf("queue %+v", q)
		}
	})
}

// An edit of the queue names in the log what it removed, in the order of the log, and
// an edit that leaves a message without text, or names one that does not wait, changes
// nothing.
func TestEditedQueueSaysWhatItRemoved(t *testing.T) {
	bubble(t, llmtest.New(llmtest.Reply{llmtest.Hang()}), []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		synctest.Wait()
		kept := c.send("Kept", classroom.FollowUp)
		var removed []classroom.Cursor
		for range 5 {
			more, hurry := c.send("More", classroom.FollowUp), c.send("Hurry", classroom.Steer)
			removed = append(removed, more.Cursor, hurry.Cursor)
		}
		edit := func(text string) error {
			followUp := []classroom.Queued{{Cursor: kept.Cursor, Text: text}}
			return c.rt.EditQueue(c.t.Context(), "s", 0, nil, followUp)
		}
		if err := edit(" "); !errors.Is(err, classroom.ErrEmptyText) {
			t.Errorf("an edit to no text: %v", err)
		}
		gone := []classroom.Queued{{Cursor: 1, Text: "Never sent"}}
		if err := c.rt.EditQueue(c.t.Context(), "s", 0, nil, gone); !errors.Is(err, classroom.ErrQueueChanged) {
			t.Errorf("an edit of a message that does not wait: %v", err)
		}
		if q := classroom.Of(c.log.log("s")).Queue; q.Len() != 11 || len(q.Dropped) != 0 {
			t.Errorf("after a refused edit the queue is %+v", q)
		}
		if err := edit("Edited"); err != nil {
			t.Fatal(err)
		}
		updates := payloads[classroom.QueueUpdate](c.log.log("s"))
		q := updates[len(updates)-1]
		if len(q.FollowUp) != 1 || len(q.Steer) != 0 || !slices.Equal(q.Dropped, removed) {
			t.Errorf("after the edit the queue is %+v, want %v removed", q, removed)
		}
	})
}

// A model that never stops is stopped at the largest size of an answer.
func TestEndlessAnswer(t *testing.T) {
	big := strings.Repeat("word ", 100_000)
	reply := llmtest.Reply{}
	for range 20 {
		reply = append(reply, llmtest.Text(big))
	}
	bubble(t, llmtest.New(append(reply, llmtest.Finish(llm.Stop))), []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		m := payloads[classroom.MessageEnd](c.settle())[0]
		if n := len(m.Blocks[0].Text); m.StopReason != classroom.StopLength || n < 2<<20 || n > 3<<20 {
			t.Errorf("%d bytes, stopped for %s", n, m.StopReason)
		}
	})
}

// Two people change the queue that both have seen: the first change stands, and
// the second is refused.
func TestSecondEditIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		c := newRuntimeRig(t, log, llmtest.New(llmtest.Reply{llmtest.Hang()}))
		defer c.rt.Close()
		c.send("Why?", "")
		synctest.Wait()
		first := c.send("One", classroom.FollowUp)
		second := c.send("Two", classroom.FollowUp)
		seen := classroom.Cursor(len(log.log("s")))
		mine := []classroom.Queued{{Cursor: first.Cursor, Text: "One, mended"}, {Cursor: second.Cursor, Text: "Two"}}
		theirs := []classroom.Queued{{Cursor: second.Cursor, Text: "Two"}, {Cursor: first.Cursor, Text: "One"}}
		if err := c.rt.EditQueue(c.t.Context(), "s", seen, nil, mine); err != nil {
			t.Fatal(err)
		}
		if err := c.rt.EditQueue(c.t.Context(), "s", seen, nil, theirs); !errors.Is(err, classroom.ErrQueueChanged) {
			t.Errorf("the second edit: %v", err)
		}
		if q := classroom.Of(log.log("s")).Queue; q.FollowUp[0].Text != "One, mended" {
			t.Errorf("the queue is %+v", q)
		}
	})
}
