package agents_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
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

// A runtimeRig is a runtime over a memoryStore and one scripted model, inside a synctest bubble.
type runtimeRig struct {
	t     *testing.T
	log   *memoryStore
	model *llmtest.Script
	rt    *agents.Runtime
}

func newRuntimeRig(t *testing.T, log *memoryStore, model *llmtest.Script, change ...func(*agents.Options)) *runtimeRig {
	t.Helper()
	only := func(context.Context, classroom.Class, classroom.Agent) llm.Model { return model }
	o := agents.Options{
		Log: log, Leases: log, Classes: log, Model: only, Tools: []agents.Tool{echo}, Holder: rand.Text(),
	}
	for _, f := range change {
		f(&o)
	}
	rt, err := agents.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &runtimeRig{t, log, model, rt}
}

// sayUntil is a reply that says text and ends when gate is closed.
func sayUntil(text string, gate <-chan struct{}) llmtest.Reply {
	return llmtest.Reply{llmtest.Text(text), llmtest.Wait(gate), llmtest.Finish(llm.Stop)}
}

// echo is a tool that answers with its argument.
var echo = agents.Tool{
	Name: "echo", Description: "Says it again.",
	Input: json.RawMessage(`{"type":"object","properties":{"say":{"type":"string"}},"required":["say"]}`),
	Run: func(_ context.Context, c agents.Call) (agents.Result, error) {
		var args struct{ Say string }
		if err := json.Unmarshal(c.Args, &args); err != nil {
			return agents.Result{}, err
		}
		c.Progress("half way")
		return agents.Result{Text: args.Say, Details: args}, nil
	},
}

func (c *runtimeRig) send(text string, d classroom.Delivery) classroom.Receipt {
	c.t.Helper()
	r, err := c.rt.Send(c.t.Context(), "s", classroom.Post{Text: text, Delivery: d,
		Author: classroom.Author{ID: "t", Name: "Ms Moss"}})
	if err != nil {
		c.t.Fatalf("send %q: %v", text, err)
	}
	return r
}

// settle waits until nothing runs and checks the invariants of logs.
func (c *runtimeRig) settle() []classroom.Event {
	c.t.Helper()
	for range 20000 {
		synctest.Wait()
		if c.rt.Running() == 0 {
			break
		}
		time.Sleep(50 * time.Millisecond) // of the bubble's clock
	}
	log := c.log.log("s")
	for _, broken := range brokenInvariants(log) {
		c.t.Error(broken)
	}
	return log
}

// outline returns a log as one line, a word for each event, for comparison.
func outline(log []classroom.Event) string {
	var out []string
	for _, e := range log {
		p, _ := classroom.Decode(e)
		word := string(e.Type)
		switch p := p.(type) {
		case classroom.MessageUpdate:
			continue
		case classroom.AgentStart:
			word += ":" + e.Agent
		case classroom.AgentEnd:
			word += ":" + string(p.StopReason)
		case classroom.MessageEnd:
			word += ":" + string(p.StopReason)
		case classroom.RunEnd:
			word += ":" + p.Status
			if p.Code != "" {
				word += "/" + p.Code
			}
		case classroom.UserMessage:
			word += ":" + string(p.Delivery)
		case classroom.ToolExecutionEnd:
			word += fmt.Sprintf(":%v", p.IsError)
		case classroom.RunInterrupt:
			word += ":" + p.Reason
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

func types(log []classroom.Event, t classroom.Type) []classroom.Event {
	var out []classroom.Event
	for _, e := range log {
		if e.Type == t {
			out = append(out, e)
		}
	}
	return out
}

// payloads decodes the events of one type.
func payloads[P classroom.Payload](log []classroom.Event) []P {
	var out []P
	for _, e := range log {
		if p, err := classroom.Decode(e); err == nil {
			if p, ok := p.(P); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// brokenInvariants returns the rules of all logs that this one breaks.
func brokenInvariants(log []classroom.Event) []string {
	var bad []string
	run, window, ends := 0, "", map[int]int{}
	open, done := map[string]int{}, map[string]int{}
	for i, e := range log {
		say := func(f string, args ...any) {
			bad = append(bad, fmt.Sprintf("event %d (%s): ", i+1, e.Type)+fmt.Sprintf(f, args...))
		}
		if e.ID != classroom.Cursor(i+1) {
			say("id %d", e.ID)
		}
		p, err := classroom.Decode(e)
		if err != nil {
			say("%v", err)
		}
		switch p := p.(type) {
		case classroom.RunStart, classroom.RunResume:
			if run != 0 {
				say("exchange %d runs", run)
			}
			if e.Type == classroom.TypeRunResume {
				ends[e.Exchange] = 0
			}
			run = e.Exchange
		case classroom.RunEnd, classroom.RunInterrupt:
			if window != "" {
				say("inside the window of %s", window)
			}
			if ends[e.Exchange]++; e.Type == classroom.TypeRunEnd && ends[e.Exchange] > 1 {
				say("again")
			}
			if e.Type == classroom.TypeRunInterrupt {
				ends[e.Exchange] = 0
			}
			run = 0
		case classroom.AgentStart:
			if window != "" {
				say("inside the window of %s", window)
			}
			window = e.Agent
		case classroom.AgentEnd:
			if window != e.Agent {
				say("of %s in the window of %q", e.Agent, window)
			}
			window = ""
		case classroom.MessageStart, classroom.MessageUpdate, classroom.MessageEnd, classroom.TurnStart,
			classroom.TurnEnd:
			if e.Exchange != run || e.Agent != window {
				say("exchange %d, agent %s; running %d, window %s", e.Exchange, e.Agent, run, window)
			}
		case classroom.ToolExecutionStart:
			open[p.CallID]++
		case classroom.ToolExecutionEnd:
			if done[p.CallID]++; done[p.CallID] > open[p.CallID] {
				say("%s ended without a start or twice", p.CallID)
			}
		}
	}
	for id, n := range open {
		if run == 0 && done[id] != n {
			bad = append(bad, "call "+id+" has no end")
		}
	}
	return append(bad, deliveredTwice(log)...)
}

// deliveredTwice returns the messages that enter an exchange twice, or that a queue
// has when they have entered one.
func deliveredTwice(log []classroom.Event) []string {
	var bad []string
	entered := map[classroom.Cursor]bool{}
	var queue classroom.QueueUpdate
	enter := func(e classroom.Event, at classroom.Cursor) {
		if entered[at] {
			bad = append(bad, fmt.Sprintf("event %d (%s): message %d entered before", e.ID, e.Type, at))
		}
		entered[at] = true
	}
	for _, e := range log {
		switch p, _ := classroom.Decode(e); p := p.(type) {
		case classroom.RunStart:
			enter(e, p.Prompt)
		case classroom.QueueUpdate:
			queue = p
			for _, at := range p.Delivered {
				enter(e, at)
			}
		}
		for _, w := range append(slices.Clone(queue.Steer), queue.FollowUp...) {
			if entered[w.Cursor] {
				bad = append(bad, fmt.Sprintf("event %d (%s): message %d still waits", e.ID, e.Type, w.Cursor))
			}
		}
	}
	return bad
}
