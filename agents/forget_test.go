package agents_test

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// A busyModel counts the calls that are open.
type busyModel struct {
	llm.Model
	open atomic.Int32
}

func (m *busyModel) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		m.open.Add(1)
		defer m.open.Add(-1)
		for e, err := range m.Model.Stream(ctx, req) {
			if !yield(e, err) {
				return
			}
		}
	}
}

// When Forget returns, the deleted session's run is over, and so is its call of the model.
func TestForgetEndsTheRunOfADeletedSession(t *testing.T) {
	model := &busyModel{Model: llmtest.New(llmtest.Reply{llmtest.Text("Be"), llmtest.Hang()})}
	calls := func(o *agents.Options) {
		o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model { return model }
	}
	bubble(t, nil, []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		synctest.Wait()
		if c.rt.Running() != 1 || model.open.Load() != 1 {
			t.Fatalf("%d runs are at work with %d calls, want 1 and 1", c.rt.Running(), model.open.Load())
		}
		c.log.remove("s")
		began := time.Now() // of the bubble's clock
		c.rt.Forget("s")
		if took := time.Since(began); took != 0 {
			t.Errorf("the run ended by itself, after %v", took)
		}
		synctest.Wait() // for what the call leaves to its own goroutine
		if c.rt.Running() != 0 || model.open.Load() != 0 {
			t.Errorf("after Forget %d runs are at work with %d calls", c.rt.Running(), model.open.Load())
		}
		c.rt.Forget("never there")
	}, calls)
}

// What a session was is not remembered under its id after Forget.
func TestForgetRemovesAnIdleSession(t *testing.T) {
	bubble(t, llmtest.New(llmtest.Say("One."), llmtest.Say("Two.")), []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		c.settle()
		c.rt.Forget("s")
		c.log.open("s", "ada")
		if r := c.send("Why?", ""); r.Exchange == nil || *r.Exchange != 1 {
			t.Errorf("the first question of a new session got %+v", r)
		}
		c.settle()
	})
}

func TestRunningCountsSessionsAtWork(t *testing.T) {
	model := llmtest.New()
	model.Always(nil, llmtest.Reply{llmtest.Hang()})
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		ids := []string{"s", "t", "u"}
		for i, id := range ids {
			c.log.open(id, "ada")
			if _, err := c.rt.Send(c.t.Context(), id, classroom.Post{Text: "Why?"}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if n := c.rt.Running(); n != i+1 {
				t.Errorf("%d runs are at work, want %d", n, i+1)
			}
		}
		for i, id := range ids {
			if err := c.rt.Cancel(c.t.Context(), id); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if n := c.rt.Running(); n != len(ids)-i-1 {
				t.Errorf("%d runs are at work, want %d", n, len(ids)-i-1)
			}
		}
	})
}

// A post that breaks a rule is refused before anything is written.
func TestSendRefusesWhatBreaksARule(t *testing.T) {
	bubble(t, llmtest.New(), []string{"ada"}, func(c *runtimeRig) {
		for _, x := range []struct {
			post classroom.Post
			want error
		}{
			{classroom.Post{Text: " \n"}, classroom.ErrEmptyText},
			{classroom.Post{Text: "Why?", Delivery: "pigeon"}, classroom.ErrBadDelivery},
			{classroom.Post{Text: "Why?", ClientID: "a b"}, classroom.ErrBadClientID},
		} {
			if _, err := c.rt.Send(c.t.Context(), "s", x.post); !errors.Is(err, x.want) {
				t.Errorf("%+v: got %v, want %v", x.post, err, x.want)
			}
		}
		if log := c.settle(); len(log) != 1 {
			t.Errorf("the log holds %s", outline(log))
		}
	})
}
