package agents

import (
	"context"
	"fmt"
	"iter"
	"time"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

// maxGenerateTurns bounds the tool calls of one Generate.
const maxGenerateTurns = 4

// Generate answers one prompt as the class's first teacher would, outside any
// session: nothing is kept. It yields text as it comes and ends with the
// sequence or with an error. The reader's context cancels it.
func (rt *Runtime) Generate(ctx context.Context, class classroom.Class, prompt string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		agent := classroom.Agent{ID: "teacher", Name: "Teacher", Role: classroom.Teacher}
		if teachers := floor.WithRole(class.Roster, classroom.Teacher); len(teachers) > 0 {
			agent = teachers[0]
		}
		req := llm.Request{
			Speaker:  llm.Speaker{ID: agent.ID, Name: agent.Name, Role: string(agent.Role)},
			System:   system(class, class.Roster, agent),
			Messages: []llm.Message{{Role: llm.User, From: "Visitor", Text: prompt}},
			Tools:    rt.allowedAlone(agent),
		}
		model := rt.o.Model(ctx, class, agent)
		for n := range maxGenerateTurns {
			end, going, err := say(ctx, model, req, fmt.Sprintf("g%d", n), yield)
			calls := callsOf(end)
			switch {
			case !going:
				return
			case err != nil:
				yield("", rt.told(ctx, err))
				return
			case len(calls) == 0:
				return
			}
			req.Messages = append(req.Messages, rt.answer(ctx, class, agent, end, calls)...)
		}
	}
}

// say yields the text of one message; going is false where the reader had enough.
func say(ctx context.Context, model llm.Model, req llm.Request, id string, yield func(string, error) bool) (classroom.MessageEnd, bool, error) {
	m := newMessage(id)
	for e, err := range llm.Guard(model).Stream(ctx, req) {
		if err != nil {
			return m.end(err), true, err
		}
		m.take(e, time.Time{})
		if e.Kind == llm.TextDelta && !yield(e.Text, nil) {
			return m.end(nil), false, nil
		}
	}
	return m.end(nil), true, nil
}

// told is a model's trouble as a session's run_end says it. Nothing keeps what
// operators want to know besides, so it is logged.
func (rt *Runtime) told(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	end := failedBy(err)
	rt.o.Logger.Info("a model was asked in vain", "code", end.Code, "detail", end.Detail)
	return &classroom.Error{Code: end.Code, Message: end.Message}
}

// answer runs the calls of a message, and returns it with its results.
func (rt *Runtime) answer(ctx context.Context, class classroom.Class, agent classroom.Agent, end classroom.MessageEnd, calls []classroom.Block) []llm.Message {
	self := llm.Message{Role: llm.Self}
	var results []llm.Message
	for _, call := range calls {
		self.Calls = append(self.Calls, llm.Call{ID: call.CallID, Name: call.Name, Args: call.Args})
		res := Result{IsError: true}
		if t, wrong := rt.check(agent, call); t == nil {
			res.Text = wrong
		} else {
			res = t.try(ctx, Call{Class: class.ID, Agent: agent.ID, Args: call.Args, Progress: func(string) {}})
		}
		done := toolEnd(call, res, 0)
		results = append(results, llm.Message{Role: llm.ToolResult, CallID: call.CallID, Text: done.Content[0].Text, IsError: res.IsError, Details: done.Details})
	}
	self.Text = textOf(end.Blocks)
	return append([]llm.Message{self}, results...)
}
