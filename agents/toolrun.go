package agents

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"colloquy/classroom"
)

// What a model reads as the result of a call that was not run to its end.
const (
	stoppedText       = "This call was stopped before it finished."
	callLimitText     = "This call was not run: the limit of tool calls for one question is reached."
	endedCallText     = "This call was not run: the answer ended before it."
	truncatedCallText = "This call was not run: the message was cut off at the model's length limit. " +
		"Call it again, and write less before it."
)

// runTools runs the calls of a message: one after another, or in parallel where
// all their tools may. Each call gets exactly one result, and the results keep
// the order of the calls. endsWindow reports whether they end the window.
func (r *run) runTools(ctx context.Context, calls []classroom.Block) (
	results []classroom.ToolExecutionEnd, endsWindow bool, err error,
) {
	endsWindow = true
	for _, batch := range r.batches(calls) {
		left := calls[len(results):]
		if ctx.Err() != nil {
			refused, err := r.refuseCalls(ctx, left, stoppedText)
			return append(results, refused...), false, err
		}
		if r.toolCalls+len(batch) > r.limits.ToolCalls {
			refused, err := r.refuseCalls(ctx, left, callLimitText)
			return append(results, refused...), false, err
		}
		r.toolCalls += len(batch)
		done, ends, err := r.runBatch(ctx, batch)
		results, endsWindow = append(results, done...), endsWindow && ends
		if err != nil {
			return results, false, err
		}
	}
	return results, endsWindow, nil
}

// batches groups the calls that run in parallel: all of them, or each alone.
func (r *run) batches(calls []classroom.Block) [][]classroom.Block {
	parallel := r.toolCalls+len(calls) <= r.limits.ToolCalls
	for _, c := range calls {
		if t := r.s.rt.tools[c.Name]; t != nil && !t.Parallel {
			parallel = false
		}
	}
	if parallel {
		return [][]classroom.Block{calls}
	}
	var out [][]classroom.Block
	for _, c := range calls {
		out = append(out, []classroom.Block{c})
	}
	return out
}

// A toolReport is the progress or the result of a running tool.
type toolReport struct {
	call     int
	progress string
	result   *Result
}

// runBatch checks the calls in order, starts the valid ones, and handles their
// reports until each has its result. Each runs on a goroutine of its own, so that
// Stop is quick even where a tool ignores its context. What such a tool reports
// later is dropped.
func (r *run) runBatch(ctx context.Context, calls []classroom.Block) (
	results []classroom.ToolExecutionEnd, endsWindow bool, err error,
) {
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	b := batch{
		r: r, calls: calls, began: time.Now(), endsWindow: true,
		results: make([]classroom.ToolExecutionEnd, len(calls)), reports: make(chan toolReport),
	}
	for i, call := range calls {
		if err := b.start(ctx, working, i, call); err != nil {
			return nil, false, err
		}
	}
	for b.open > 0 {
		select {
		case rep := <-b.reports:
			err = b.handle(ctx, rep)
		case <-ctx.Done():
			err = b.abortOpen(ctx)
		}
		if err != nil {
			return nil, false, err
		}
	}
	return b.results, b.endsWindow, nil
}

// A batch is a group of calls that run in parallel.
type batch struct {
	r          *run
	calls      []classroom.Block
	began      time.Time
	open       int // calls without a result yet
	endsWindow bool
	results    []classroom.ToolExecutionEnd
	reports    chan toolReport
}

func (b *batch) start(ctx, working context.Context, i int, call classroom.Block) error {
	r := b.r
	start := r.agentDraft(r.s.rt.toolStart(call))
	t, wrong := r.s.rt.checkCall(r.agent, call)
	if t == nil {
		b.endsWindow = false
		b.results[i] = toolEnd(call, Result{Text: wrong, IsError: true}, 0)
		return r.append(ctx, start, r.agentDraft(b.results[i]))
	}
	if err := r.append(ctx, start); err != nil {
		return err
	}
	b.open++
	send := func(rep toolReport) {
		select {
		case b.reports <- rep:
		case <-working.Done():
		}
	}
	c := Call{
		Class: r.speakers.class.ID, Session: r.s.id, Agent: r.agent.ID, Args: call.Args,
		Progress: func(text string) { send(toolReport{call: i, progress: text}) },
	}
	go func() {
		res := t.execute(working, c)
		send(toolReport{call: i, result: &res})
	}()
	return nil
}

func (b *batch) handle(ctx context.Context, rep toolReport) error {
	r, call := b.r, b.calls[rep.call]
	if b.results[rep.call].CallID != "" { // progress after the result is dropped
		return nil
	}
	if rep.result == nil {
		return r.append(ctx, r.agentDraft(classroom.ToolExecutionUpdate{
			CallID: call.CallID, Progress: truncateResult(rep.progress, maxProgress), Args: call.Args,
		}))
	}
	res := *rep.result
	b.open--
	b.endsWindow = b.endsWindow && res.Terminate
	b.results[rep.call] = toolEnd(call, res, time.Since(b.began))
	r.redactResult(&b.results[rep.call])
	r.seeResult(b.results[rep.call])
	if call.Name == searchTool && r.keepsPassages() {
		b.results[rep.call].StaffOnly = classroom.RedactedWithheld
	}
	drafts := []classroom.Draft{r.agentDraft(b.results[rep.call])}
	if res.Cue != nil && !r.askedUser {
		r.askedUser = true
		drafts = append(drafts, r.agentDraft(*res.Cue))
	}
	return r.append(ctx, drafts...)
}

// abortOpen gives every open call its result.
func (b *batch) abortOpen(ctx context.Context) error {
	var drafts []classroom.Draft
	for i, call := range b.calls {
		if b.results[i].CallID == "" {
			b.results[i] = toolEnd(call, Result{Text: stoppedText, IsError: true}, time.Since(b.began))
			drafts = append(drafts, b.r.agentDraft(b.results[i]))
		}
	}
	b.open, b.endsWindow = 0, false
	return b.r.append(ctx, drafts...)
}

// refuseCalls gives each call an error result without running it.
func (r *run) refuseCalls(
	ctx context.Context, calls []classroom.Block, why string,
) ([]classroom.ToolExecutionEnd, error) {
	var drafts []classroom.Draft
	var results []classroom.ToolExecutionEnd
	for _, call := range calls {
		end := toolEnd(call, Result{Text: why, IsError: true}, 0)
		drafts = append(drafts, r.agentDraft(r.s.rt.toolStart(call)), r.agentDraft(end))
		results = append(results, end)
	}
	if len(drafts) == 0 {
		return nil, nil
	}
	return results, r.append(ctx, drafts...)
}

// toolStart returns the start of a call. Its tool says how a card shows it.
func (rt *Runtime) toolStart(call classroom.Block) classroom.ToolExecutionStart {
	start := classroom.ToolExecutionStart{CallID: call.CallID, Name: call.Name, Args: call.Args}
	if t := rt.tools[call.Name]; t != nil {
		start.View = t.View
	}
	return start
}

func toolEnd(call classroom.Block, res Result, took time.Duration) classroom.ToolExecutionEnd {
	end := classroom.ToolExecutionEnd{
		CallID: call.CallID, Name: call.Name, IsError: res.IsError, DurationMS: took.Milliseconds(),
		Content: []classroom.Content{{Kind: classroom.BlockText, Text: truncateResult(res.Text, maxResultText)}},
	}
	if res.Details != nil {
		if details, err := json.Marshal(res.Details); err == nil {
			end.Details = details
		}
	}
	return end
}

// truncateResult shortens text to at most limit bytes and adds a note that it did.
func truncateResult(text string, limit int) string {
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
