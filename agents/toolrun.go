package agents

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"colloquy/classroom"
)

const stoppedText = "This call was stopped before it finished."

// runTools runs the calls of a message one after another. Each gets exactly
// one result, in source order, whatever happens.
func (r *run) runTools(ctx context.Context, calls []classroom.Block) ([]classroom.ToolExecutionEnd, error) {
	var results []classroom.ToolExecutionEnd
	for _, call := range calls {
		if ctx.Err() != nil {
			refused, err := r.refuse(ctx, calls[len(results):], stoppedText)
			return append(results, refused...), err
		}
		if r.toolCalls >= r.s.rt.o.Limits.ToolCalls {
			refused, err := r.refuse(ctx, calls[len(results):], "This call was not run: the limit of tool calls for one question is reached.")
			return append(results, refused...), err
		}
		r.toolCalls++
		res, err := r.runTool(ctx, call)
		if err != nil {
			return results, err
		}
		results = append(results, res)
	}
	return results, nil
}

func (r *run) runTool(ctx context.Context, call classroom.Block) (classroom.ToolExecutionEnd, error) {
	start := r.said(classroom.ToolExecutionStart{CallID: call.CallID, Name: call.Name, Args: call.Args})
	t, wrong := r.s.rt.check(r.agent, call)
	if t == nil {
		end := toolEnd(call, Result{Text: wrong, IsError: true}, 0)
		return end, r.append(ctx, start, r.said(end))
	}
	if err := r.append(ctx, start); err != nil {
		return classroom.ToolExecutionEnd{}, err
	}
	began := time.Now()
	res, err := r.await(ctx, t, call)
	if err != nil {
		return classroom.ToolExecutionEnd{}, err
	}
	end := toolEnd(call, res, time.Since(began))
	return end, r.append(ctx, r.said(end))
}

// await runs the tool on a goroutine of its own, so that Stop is quick also
// where the tool does not look at its context. What such a tool says later is lost.
func (r *run) await(ctx context.Context, t *tool, call classroom.Block) (Result, error) {
	progress, done := make(chan string), make(chan Result, 1)
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	c := Call{Class: r.s.class.ID, Session: r.s.id, Agent: r.agent.ID, Args: call.Args, Progress: func(text string) {
		select {
		case progress <- text:
		case <-working.Done():
		}
	}}
	go func() { done <- t.try(working, c) }()
	for {
		select {
		case res := <-done:
			return res, nil
		case text := <-progress:
			if err := r.append(ctx, r.said(classroom.ToolExecutionUpdate{CallID: call.CallID, Progress: text, Args: call.Args})); err != nil {
				return Result{}, err
			}
		case <-ctx.Done():
			return Result{Text: stoppedText, IsError: true}, nil
		}
	}
}

// refuse gives each call an error result without running it.
func (r *run) refuse(ctx context.Context, calls []classroom.Block, why string) ([]classroom.ToolExecutionEnd, error) {
	var drafts []classroom.Draft
	var results []classroom.ToolExecutionEnd
	for _, call := range calls {
		end := toolEnd(call, Result{Text: why, IsError: true}, 0)
		drafts = append(drafts, r.said(classroom.ToolExecutionStart{CallID: call.CallID, Name: call.Name, Args: call.Args}), r.said(end))
		results = append(results, end)
	}
	if len(drafts) == 0 {
		return nil, nil
	}
	return results, r.append(ctx, drafts...)
}

func toolEnd(call classroom.Block, res Result, took time.Duration) classroom.ToolExecutionEnd {
	end := classroom.ToolExecutionEnd{
		CallID: call.CallID, Name: call.Name, IsError: res.IsError, DurationMS: took.Milliseconds(),
		Content: []classroom.Content{{Kind: classroom.BlockText, Text: cut(res.Text, maxResultText)}},
	}
	if res.Details != nil {
		if details, err := json.Marshal(res.Details); err == nil {
			end.Details = details
		}
	}
	return end
}

// cut shortens text to at most limit bytes and says so in it.
func cut(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit {
		return text
	}
	text = text[:limit]
	for !utf8.ValidString(text) {
		text = text[:len(text)-1]
	}
	return text + "\n[The rest of this result was too long and is left out.]"
}
