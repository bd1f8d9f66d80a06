package agents

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

// maxGenerateTurns bounds the tool calls of one Generate.
const maxGenerateTurns = 4

// Generate answers one prompt as the class's first teacher, outside any session:
// nothing is stored. It yields text as it arrives; after an error it ends. The
// caller's context cancels it. A message of distress gets its fixed text; no model
// sees it.
func (rt *Runtime) Generate(ctx context.Context, class classroom.Class, prompt string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if p, found := distressIn(prompt); found {
			p.Adult, p.HelpLine = class.Rules.Adult, class.Rules.HelpLine
			yield(p.Text(), nil)
			return
		}
		agent := classroom.Agent{ID: "teacher", Name: "Teacher", Role: classroom.Teacher}
		if teachers := floor.WithRole(class.Roster, classroom.Teacher); len(teachers) > 0 {
			agent = teachers[0]
		}
		req := llm.Request{
			Speaker:  llm.Speaker{ID: agent.ID, Name: agent.Name, Role: string(agent.Role)},
			System:   systemPrompt(class, class.Roster, agent, llm.Rules{}),
			Messages: []llm.Message{{Role: llm.User, From: "Visitor", Text: prompt}},
			Tools:    rt.allowedOutsideSession(agent),
		}
		model := rt.o.Model(ctx, class, agent)
		found := rt.search(ctx, class.ID, classroom.MaterialQuery{
			Question: prompt, Limit: answerPassages,
		})
		set, err := rt.withheldSet(ctx, class)
		if err != nil {
			yield("", fmt.Errorf("look up what class %s withholds: %w", class.ID, err))
			return
		}
		found.found.Passages, found.found.Near = set.RedactAll(found.found.Passages), set.RedactAll(found.found.Near)
		if !set.Empty() {
			model = guarded{model, set}
		}
		switch {
		case llm.ProfileOf(model).Scripted:
			req.Lookup = found.llm()
		case rt.maySearch(agent):
			req = WithPassages(req, found.text())
		}
		removeTools := func() { req = WithoutTools(req) }
		if llm.RefusesTools(model) {
			removeTools()
		}
		for n := range maxGenerateTurns {
			end, going, err := streamText(ctx, model, req, fmt.Sprintf("g%d", n), yield)
			if toolsRefused(err) && len(req.Tools) > 0 {
				removeTools()
				end, going, err = streamText(ctx, model, req, fmt.Sprintf("g%d-1", n), yield)
			}
			calls := callsOf(end)
			switch {
			case !going:
				return
			case err != nil:
				yield(rt.endOfText(ctx, model, err))
				return
			case len(calls) == 0:
				return
			}
			req.Messages = append(req.Messages, rt.runCalls(ctx, class, agent, end, calls)...)
		}
	}
}

// endOfText returns what follows the text of a message that ended with an error: a fixed hint
// where the message was about to give away what the class withholds.
func (rt *Runtime) endOfText(ctx context.Context, model llm.Model, err error) (string, error) {
	if errors.Is(err, errGaveAway) {
		return firstHint, nil
	}
	return "", rt.publicError(ctx, model, err)
}

// streamText yields the text of one message, and returns the message. The bool is
// false where the caller stopped reading.
func streamText(
	ctx context.Context, model llm.Model, req llm.Request, id string, yield func(string, error) bool,
) (classroom.MessageEnd, bool, error) {
	m := newMessage(id)
	for e, err := range llm.Guard(model).Stream(ctx, req) {
		if err != nil {
			return m.end(err), true, err
		}
		m.add(e, time.Time{})
		if e.Kind == llm.TextDelta && !yield(e.Text, nil) {
			return m.end(nil), false, nil
		}
	}
	return m.end(nil), true, nil
}

// runCalls runs the calls of a message, and returns the message and their results.
func (rt *Runtime) runCalls(
	ctx context.Context, class classroom.Class, agent classroom.Agent, end classroom.MessageEnd,
	calls []classroom.Block,
) []llm.Message {
	self := llm.Message{Role: llm.Self}
	var results []llm.Message
	for _, call := range calls {
		self.Calls = append(self.Calls, llm.Call{ID: call.CallID, Name: call.Name, Args: call.Args})
		res := Result{IsError: true}
		if t, wrong := rt.checkCall(agent, call); t == nil {
			res.Text = wrong
		} else {
			res = t.execute(ctx, Call{Class: class.ID, Agent: agent.ID, Args: call.Args, Progress: func(string) {}})
		}
		done := toolEnd(call, res, 0)
		results = append(results, llm.Message{
			Role: llm.ToolResult, CallID: call.CallID,
			Text: done.Content[0].Text, IsError: res.IsError, Details: done.Details,
		})
	}
	self.Text = textOf(end.Blocks)
	return append([]llm.Message{self}, results...)
}
