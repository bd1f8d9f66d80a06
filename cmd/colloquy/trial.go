package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

const (
	trialTextBytes = 600     // the part of an answer that is read
	trialCallBytes = 8 << 10 // the part of its calls that is read
	trialRequests  = 3       // a model may search twice before it answers
)

// Try sends m the requests of a class and returns the result. If ctx ends during the
// answer, the part that was received counts.
func (s servers) Try(ctx context.Context, m classroom.Model) (classroom.ModelTest, error) {
	model, err := s.connected(ctx, m.ID)
	if err != nil {
		return classroom.ModelTest{}, s.userError(m, err)
	}
	t := trial{model: model, began: time.Now()}
	req := agents.TrialRequest()
	req.Thinking, req.MaxTokens = llm.Level(m.Thinking), m.MaxOutput
	err = t.run(ctx, req)
	if ctx.Err() != nil && t.Answer != "" {
		err = nil
	}
	return t.ModelTest, s.userError(m, err)
}

// A trial is the test of one model.
type trial struct {
	classroom.ModelTest
	model  llm.Model
	began  time.Time
	deltas int // of the answer's text
}

// run sends requests as a class does: if the model searches, again with the passages; if
// it refuses tools, again without them.
func (t *trial) run(ctx context.Context, req llm.Request) error {
	for range trialRequests {
		calls, err := t.ask(ctx, req)
		var e *llm.Error
		switch {
		case len(req.Tools) > 0 && errors.As(err, &e) && e.Fault == llm.ToolsRefused:
			t.NoTools = true
			req = agents.WithoutTools(agents.WithPassages(req, agents.TrialPassages))
		case err != nil || len(calls) == 0:
			return err
		default:
			t.Called = true
			self := llm.Message{Role: llm.Self, Model: t.model.Name(), Text: t.Answer, Calls: calls}
			req.Messages = append(req.Messages, self)
			for _, c := range calls {
				result := llm.Message{Role: llm.ToolResult, CallID: c.ID, Text: agents.TrialPassages}
				req.Messages = append(req.Messages, result)
			}
		}
	}
	return nil
}

// ask sends one request and returns the calls of the answer.
func (t *trial) ask(ctx context.Context, req llm.Request) (calls []llm.Call, err error) {
	t.Answer, t.deltas = "", 0
	size := 0
	for e, err := range llm.Guard(t.model).Stream(ctx, req) {
		if err != nil {
			return nil, err
		}
		switch e.Kind {
		case llm.TextDelta:
			t.text(e.Text)
		case llm.Rethink:
			t.Answer, t.deltas = "", 0
		case llm.CallDelta:
			calls = addDelta(calls, e)
			size += len(e.Text)
		}
		if len(t.Answer) > trialTextBytes || size > trialCallBytes {
			break
		}
	}
	for i := range calls { // a class answers a call with invalid arguments too
		if !json.Valid(calls[i].Args) {
			calls[i].Args = json.RawMessage("{}")
		}
	}
	return calls, nil
}

func (t *trial) text(delta string) {
	if t.AfterMS == 0 {
		t.AfterMS = max(1, time.Since(t.began).Milliseconds())
	}
	t.Answer += delta
	t.deltas++
	t.Streamed = t.deltas > 1
}

// addDelta adds a delta of a call to calls.
func addDelta(calls []llm.Call, e llm.Event) []llm.Call {
	for len(calls) <= e.Index && e.Index < 16 {
		calls = append(calls, llm.Call{})
	}
	if e.Index >= len(calls) {
		return calls
	}
	c := &calls[e.Index]
	c.ID, c.Name, c.Opaque = c.ID+e.ID, c.Name+e.Name, c.Opaque+e.Opaque
	c.Args = append(c.Args, e.Text...)
	return calls
}
