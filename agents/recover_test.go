package agents_test

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

func TestRetries(t *testing.T) {
	busy := &llm.Error{Fault: llm.Overloaded, Message: "The model is busy.", RetryAfter: 5 * time.Second}
	cases := map[string]struct {
		replies []llmtest.Reply
		status  string
		retries int
		waited  time.Duration
	}{
		"passes": {[]llmtest.Reply{{llmtest.Text("half"), llmtest.Fail(busy)}, llmtest.Say("Whole.")},
			classroom.Completed, 1, 5 * time.Second},
		"cut": {[]llmtest.Reply{{llmtest.Text("half")}, llmtest.Say("Whole.")}, classroom.Completed, 1,
			2 * time.Second},
		"gives up": {slices.Repeat([]llmtest.Reply{{llmtest.Text("half"), llmtest.Fail(llm.ErrIncomplete)}}, 4),
			classroom.Failed, 3, 14 * time.Second},
		"hopeless": {[]llmtest.Reply{{llmtest.Fail(&llm.Error{Fault: llm.Credentials,
			Message: "The key was refused."})}}, classroom.Failed, 0, 0},
		"asked long": {[]llmtest.Reply{{llmtest.Fail(&llm.Error{Fault: llm.Overloaded, Message: "Later.",
			RetryAfter: time.Hour})}}, classroom.Failed, 0, 0},
	}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			bubble(t, llmtest.New(x.replies...), []string{"ada"}, func(c *runtimeRig) {
				began := time.Now()
				c.send("Why?", "")
				log := c.settle()
				end := payloads[classroom.RunEnd](log)
				if end[0].Status != x.status || end[0].Status == classroom.Failed && end[0].Code == "" {
					t.Errorf("run_end %+v", end)
				}
				if n := len(types(log, classroom.TypeRetry)); n != x.retries {
					t.Errorf("%d retries, want %d", n, x.retries)
				}
				if took := time.Since(began); took < x.waited || took > x.waited+time.Second {
					t.Errorf("took %v, want %v", took, x.waited)
				}
				w := classroom.Of(log).Cards[0].Windows[0]
				last := w.Entries[len(w.Entries)-1].Message
				if x.retries > 0 && (last == nil || last.Superseded || last.Text() == "") {
					t.Errorf("the last text is not shown: %+v", last)
				}
			})
		})
	}
}

// record plays a run with tools, thinking, a steer and a follow-up, and returns its log.
func record(t *testing.T) *memoryStore {
	log := newMemoryStore()
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		log.open("s")
		c := newRuntimeRig(t, log, llmtest.New(
			llmtest.Use(llmtest.Thinking("hm"), llmtest.Text("Let me look."),
				llmtest.Call(0, "x", "echo", `{"say":"hi"}`), llmtest.Call(1, "y", "echo", `{"say":"ho"}`)),
			llmtest.Reply{llmtest.Text("It "), llmtest.Pause(200 * time.Millisecond), llmtest.Text("is so."),
				llmtest.Wait(gate), llmtest.Finish(llm.Stop)},
			llmtest.Say("Shorter."), llmtest.Say("Terms."), llmtest.Say("Oh."), llmtest.Say("Next."),
			llmtest.Say("Next."), llmtest.Say("Next.")))
		defer c.rt.Close()
		c.send("Why?", "")
		time.Sleep(time.Second)
		c.send("Shorter, please.", classroom.Steer)
		c.send("And then?", classroom.FollowUp)
		close(gate)
		c.settle()
	})
	return log
}

// A kill after any event: the text so far is kept and closed, the run continues by
// itself, every question is answered once, and the log keeps its invariants.
func TestCrashAfterEveryEvent(t *testing.T) {
	whole := record(t)
	n := len(whole.log("s"))
	if n < 60 {
		t.Fatalf("the recorded run has only %d events", n)
	}
	for at := 1; at <= n; at++ {
		synctest.Test(t, func(t *testing.T) {
			log := whole.crash("s", at)
			before := classroom.Of(log.log("s"))
			if c := before.LastCard(); c != nil && c.State == classroom.CardAsked {
				return // a question and its run_start are one commit: no crash falls between
			}
			model := llmtest.New()
			model.Always(nil, llmtest.Say("Again."))
			c := newRuntimeRig(t, log, model)
			defer c.rt.Close()
			if err := c.rt.Recover(c.t.Context()); err != nil {
				t.Fatal(err)
			}
			got := c.settle()
			f := classroom.Of(got)
			for _, card := range f.Cards {
				if card.State != classroom.CardCompleted {
					t.Errorf("after %d events: exchange %d is %s", at, card.Exchange, card.State)
				}
			}
			if f.Queue.Len() != 0 && before.Running != 0 {
				t.Errorf("after %d events: %+v still waits", at, f.Queue)
			}
			if before.Running != 0 && len(types(got[at:], classroom.TypeRunResume)) != 1 {
				t.Errorf("after %d events: no run_resume: %s", at, outline(got[at:]))
			}
			for _, q := range model.Requests() {
				if bad := orphans(q.Messages); bad != "" {
					t.Errorf("after %d events: %s", at, bad)
				}
			}
			if lost := lostWords(before, f); lost != "" {
				t.Errorf("after %d events: %q was said, and is gone", at, lost)
			}
		})
	}
}

// lostWords returns a text of one fold that the other does not show.
func lostWords(before, after *classroom.Fold) string {
	for i, card := range before.Cards {
		for j, w := range card.Windows {
			for k, x := range w.Entries {
				if x.Message != nil && x.Message.Text() != "" &&
					after.Cards[i].Windows[j].Entries[k].Message.Text() != x.Message.Text() {
					return x.Message.Text()
				}
			}
		}
	}
	return ""
}

// orphans returns what a strict provider would refuse.
func orphans(messages []llm.Message) string {
	var open []string
	for _, m := range messages {
		if m.Role == llm.ToolResult {
			if len(open) == 0 || open[0] != m.CallID {
				return "result " + m.CallID + " answers no call"
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			return "call " + open[0] + " has no result"
		}
		for _, c := range m.Calls {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return "call " + open[0] + " has no result at the end"
	}
	return ""
}

func TestFiveAttemptsAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		model := llmtest.New()
		model.Always(nil, llmtest.Reply{llmtest.Text("x"), llmtest.Hang()})
		c := newRuntimeRig(t, log, model)
		c.send("Why?", "")
		for range 6 {
			synctest.Wait()
			c.rt.Close()
			c = newRuntimeRig(t, log, model)
			if err := c.rt.Recover(c.t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		defer c.rt.Close()
		got := c.settle()
		end := payloads[classroom.RunEnd](got)
		if len(end) != 1 || end[0].Code != "attempts" || len(types(got, classroom.TypeRunResume)) != 4 {
			t.Errorf("run_end %+v: %s", end, outline(got))
		}
		model.Always(nil, llmtest.Say("x"))
		if err := c.rt.Resume(c.t.Context(), "s"); err != nil {
			t.Errorf("a person may go on: %v", err)
		}
	})
}

// A shutdown interrupts the run and logs it; the next start continues.
func TestShutdown(t *testing.T) {
	bubble(t, llmtest.New(llmtest.Reply{llmtest.Text("partial"), llmtest.Hang()}), []string{"ada"},
		func(c *runtimeRig) {
			c.send("Why?", "")
			synctest.Wait()
			c.rt.Close()
			got := outline(c.log.log("s"))
			want := "session_start user_message:prompt run_start agent_start:ada turn_start message_start" +
				" message_end:aborted turn_end agent_end:aborted run_interrupt:shutdown"
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			_, err := c.rt.Send(c.t.Context(), "s", classroom.Post{Text: "x"})
			if !errors.Is(err, classroom.ErrClosing) {
				t.Errorf("a message after Close: %v", err)
			}
		})
}

// A question that is being taken when the runtime closes is waited for: its run
// is interrupted like any other. A disk that does not answer is not waited for, and
// what was left behind is logged.
func TestCloseDuringSend(t *testing.T) {
	for name, wait := range map[string]time.Duration{"slow disk": time.Second, "dead disk": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := newMemoryStore()
				log.open("s", "ada")
				var out strings.Builder
				c := newRuntimeRig(t, log, llmtest.New(llmtest.Say("Never asked.")), func(o *agents.Options) {
					o.Logger = slog.New(slog.NewTextHandler(&out, nil))
				})
				log.disk = make(chan struct{})
				time.AfterFunc(wait, func() { close(log.disk) })
				go func() {
					if _, err := c.rt.Send(t.Context(), "s", classroom.Post{Text: "Why?"}); err != nil {
						t.Errorf("send: %v", err)
					}
				}()
				synctest.Wait()
				began := time.Now()
				c.rt.Close()
				if took, want := time.Since(began), min(wait, 10*time.Second); took != want {
					t.Errorf("Close took %v, want %v", took, want)
				}
				left := strings.Contains(out.String(), "runs did not end") &&
					strings.Contains(out.String(), "sessions=[s]")
				if left != (name == "dead disk") {
					t.Errorf("the program's log holds %q", out.String())
				}
				time.Sleep(wait) // until the disk answers
				synctest.Wait()
				got := outline(log.log("s"))
				if want := "session_start user_message:prompt run_start run_interrupt:shutdown"; got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		})
	}
}

func TestLostLeaseWritesNothing(t *testing.T) {
	bubble(t, llmtest.New(llmtest.Reply{llmtest.Text("x"), llmtest.Hang()}), []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		synctest.Wait()
		c.log.steal("s")
		before := len(c.log.log("s"))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if after := len(c.log.log("s")); after != before || c.rt.Running() != 0 {
			t.Errorf("%d events after the lease was lost, %d runs", after-before, c.rt.Running())
		}
	})
}

// Of two runtimes on one log, the second runs nothing while the first holds the lease.
// Once that has expired, it knows all that the first appended, closes its run and
// answers; the first notices, and writes nothing more.
func TestTwoRuntimesOnOneLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		hang := llmtest.Reply{llmtest.Text("Two"), llmtest.Hang()}
		first := newRuntimeRig(t, log, llmtest.New(llmtest.Say("One."), hang))
		second := newRuntimeRig(t, log, llmtest.New(llmtest.Say("Three."), llmtest.Say("Four.")))
		defer first.rt.Close()
		defer second.rt.Close()
		// The second has the log in memory from here on.
		if err := second.rt.Rename(t.Context(), "s", "Read by the second", "t"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(leaseGone) // of the bubble's clock
		first.send("Why?", "")
		first.settle()
		first.send("And?", "")
		synctest.Wait()
		post := classroom.Post{Text: "Then?", Author: classroom.Author{ID: "t"}}
		if _, err := second.rt.Send(t.Context(), "s", post); !errors.Is(err, classroom.ErrLeaseLost) {
			t.Errorf("the second runs beside the first: %v", err)
		}
		log.expire("s")
		second.send("Then?", "")
		f := classroom.Of(second.settle())
		first.settle()
		if now := classroom.Of(log.log("s")); now.Cursor != f.Cursor {
			t.Errorf("the first wrote %d more events", now.Cursor-f.Cursor)
		}
		for i, want := range []classroom.CardState{
			classroom.CardCompleted, classroom.CardCancelled, classroom.CardCompleted,
		} {
			if len(f.Cards) != 3 || f.Cards[i].State != want {
				t.Errorf("card %d of %d is %s, want %s", i+1, len(f.Cards), f.Cards[i].State, want)
			}
		}
		if f.Title != "Read by the second" {
			t.Errorf("the title is %q", f.Title)
		}
	})
}

// What another process appends without a lease, such as a title, is folded in with the
// next append.
func TestTitleOfAnotherProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.openUntitled("s")
		c := newRuntimeRig(t, log, llmtest.New(llmtest.Say("Because.")))
		defer c.rt.Close()
		if err := c.rt.EditQueue(t.Context(), "s", 0, nil, nil); err != nil { // reads the log
			t.Fatal(err)
		}
		title := classroom.Draft{Payload: classroom.TitleChange{Title: "Elsewhere", By: "t"}}
		if _, err := log.Append(t.Context(), "s", 0, title); err != nil {
			t.Fatal(err)
		}
		if err := c.rt.EditQueue(t.Context(), "s", 0, nil, nil); err != nil {
			t.Fatal(err)
		}
		c.send("Why?", "")
		if f := classroom.Of(c.settle()); f.Title != "Elsewhere" || f.Cards[0].State != classroom.CardCompleted {
			t.Errorf("the title is %q, the answer %s", f.Title, f.Cards[0].State)
		}
	})
}

// A log that cannot be written ends the run; the next use closes it and continues.
func TestFailedAppend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		gate := make(chan struct{})
		model := llmtest.New(sayUntil("x", gate), llmtest.Say("Again."))
		c := newRuntimeRig(t, log, model)
		defer c.rt.Close()
		c.send("Why?", "")
		synctest.Wait()
		log.mu.Lock()
		log.failNext = errors.New("disk full")
		log.mu.Unlock()
		close(gate)
		synctest.Wait()
		c.send("Next?", "")
		f := classroom.Of(c.settle())
		if f.Cards[0].State != classroom.CardCancelled || f.Cards[0].End.Code != "superseded" ||
			f.Cards[1].State != classroom.CardCompleted {
			t.Errorf("cards: %s, %s", f.Cards[0].State, f.Cards[1].State)
		}
	})
}

// TestFullDiskIsSurvived: where nobody asks again, the run continues by itself once
// the log can be written.
func TestFullDiskIsSurvived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		gate := make(chan struct{})
		model := llmtest.New(sayUntil("x", gate), llmtest.Say("Again."))
		c := newRuntimeRig(t, log, model)
		defer c.rt.Close()
		c.send("Why?", "")
		synctest.Wait()
		full := errors.New("disk full")
		for range 3 {
			log.mu.Lock()
			log.failNext = full
			log.mu.Unlock()
			if gate != nil {
				close(gate)
				gate = nil
			}
			time.Sleep(5 * time.Second)
			synctest.Wait()
		}
		time.Sleep(10 * time.Second)
		f := classroom.Of(c.settle())
		if card := f.LastCard(); len(f.Cards) != 1 || card.State != classroom.CardCompleted || card.Attempt < 2 {
			t.Errorf("card %+v", card)
		}
	})
}

// A fork made in the middle of a run shows it interrupted. Nothing continues it by
// itself, and a person may.
func TestForkInMidRun(t *testing.T) {
	whole := record(t)
	for at := 2; at <= 20; at++ {
		synctest.Test(t, func(t *testing.T) {
			log := whole.crash("s", at)
			model := llmtest.New()
			model.Always(nil, llmtest.Say("Again."))
			c := newRuntimeRig(t, log, model)
			defer c.rt.Close()
			if err := c.rt.CloseFork(c.t.Context(), "s"); err != nil {
				t.Fatal(err)
			}
			if err := c.rt.Recover(c.t.Context()); err != nil {
				t.Fatal(err)
			}
			f := classroom.Of(c.settle())
			if card := f.LastCard(); card.State != classroom.CardInterrupted || f.Status() != classroom.Interrupted {
				t.Fatalf("cut at %d: %s", at, card.State)
			}
			if err := c.rt.Resume(c.t.Context(), "s"); err != nil {
				t.Fatal(err)
			}
			if card := classroom.Of(c.settle()).Cards[0]; card.State != classroom.CardCompleted {
				t.Errorf("cut at %d, continued: %s", at, card.State)
			}
		})
	}
}

func TestResume(t *testing.T) {
	model := llmtest.New(llmtest.Reply{llmtest.Fail(errors.New("boom"))}, llmtest.Say("Now."), llmtest.Say("Next."))
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		if err := c.rt.Resume(c.t.Context(), "s"); !errors.Is(err, classroom.ErrNothingToResume) {
			t.Errorf("nothing to resume: %v", err)
		}
		c.send("Why?", "")
		c.settle()
		if err := c.rt.Resume(c.t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		f := classroom.Of(c.settle())
		if card := f.LastCard(); card.State != classroom.CardCompleted || card.Attempt != 2 || len(card.Windows) != 2 {
			t.Errorf("card %+v", card)
		}
	})
}
