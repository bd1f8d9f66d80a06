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

// runTools runs the calls of a message: one after another, or together where
// every tool among them may. Each gets exactly one result; results keep the
// order of the calls. over reports that they end the window.
func (r *run) runTools(ctx context.Context, calls []classroom.Block) (results []classroom.ToolExecutionEnd, over bool, err error) {
	over = true
	for _, batch := range r.batches(calls) {
		left := calls[len(results):]
		if ctx.Err() != nil {
			refused, err := r.refuse(ctx, left, stoppedText)
			return append(results, refused...), false, err
		}
		if r.toolCalls+len(batch) > r.limits.ToolCalls {
			refused, err := r.refuse(ctx, left, "This call was not run: the limit of tool calls for one question is reached.")
			return append(results, refused...), false, err
		}
		r.toolCalls += len(batch)
		done, last, err := r.runBatch(ctx, batch)
		results, over = append(results, done...), over && last
		if err != nil {
			return results, false, err
		}
	}
	return results, over, nil
}

// batches are calls that run together: all, or each by itself.
func (r *run) batches(calls []classroom.Block) [][]classroom.Block {
	together := r.toolCalls+len(calls) <= r.limits.ToolCalls
	for _, c := range calls {
		if t := r.s.rt.tools[c.Name]; t != nil && !t.Parallel {
			together = false
		}
	}
	if together {
		return [][]classroom.Block{calls}
	}
	var out [][]classroom.Block
	for _, c := range calls {
		out = append(out, []classroom.Block{c})
	}
	return out
}

// A report is what a running tool says: progress, or its result.
type report struct {
	call     int
	progress string
	result   *Result
}

// runBatch checks the calls in order, starts those that are right, and takes
// what they say until each has its result. Each runs on a goroutine of its own,
// so that Stop is quick also where a tool does not look at its context: what
// such a tool says later is lost.
func (r *run) runBatch(ctx context.Context, calls []classroom.Block) (results []classroom.ToolExecutionEnd, over bool, err error) {
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	b := batch{r: r, calls: calls, began: time.Now(), over: true, results: make([]classroom.ToolExecutionEnd, len(calls)), reports: make(chan report)}
	for i, call := range calls {
		if err := b.start(ctx, working, i, call); err != nil {
			return nil, false, err
		}
	}
	for b.open > 0 {
		select {
		case rep := <-b.reports:
			err = b.take(ctx, rep)
		case <-ctx.Done():
			err = b.stop(ctx)
		}
		if err != nil {
			return nil, false, err
		}
	}
	return b.results, b.over, nil
}

// A batch is calls that run together.
type batch struct {
	r       *run
	calls   []classroom.Block
	began   time.Time
	open    int // how many have no result yet
	over    bool
	results []classroom.ToolExecutionEnd
	reports chan report
}

func (b *batch) start(ctx, working context.Context, i int, call classroom.Block) error {
	r := b.r
	start := r.said(classroom.ToolExecutionStart{CallID: call.CallID, Name: call.Name, Args: call.Args})
	t, wrong := r.s.rt.check(r.agent, call)
	if t == nil {
		b.over = false
		b.results[i] = toolEnd(call, Result{Text: wrong, IsError: true}, 0)
		return r.append(ctx, start, r.said(b.results[i]))
	}
	if err := r.append(ctx, start); err != nil {
		return err
	}
	b.open++
	say := func(rep report) {
		select {
		case b.reports <- rep:
		case <-working.Done():
		}
	}
	c := Call{Class: r.speakers.class.ID, Session: r.s.id, Agent: r.agent.ID, Args: call.Args, Progress: func(text string) { say(report{call: i, progress: text}) }}
	go func() {
		res := t.try(working, c)
		say(report{call: i, result: &res})
	}()
	return nil
}

func (b *batch) take(ctx context.Context, rep report) error {
	r, call := b.r, b.calls[rep.call]
	if b.results[rep.call].CallID != "" { // progress after the result says nothing
		return nil
	}
	if rep.result == nil {
		return r.append(ctx, r.said(classroom.ToolExecutionUpdate{CallID: call.CallID, Progress: cut(rep.progress, maxProgress), Args: call.Args}))
	}
	res := *rep.result
	b.open--
	b.over = b.over && res.Terminate
	b.results[rep.call] = toolEnd(call, res, time.Since(b.began))
	drafts := []classroom.Draft{r.said(b.results[rep.call])}
	if res.Cue != nil && !r.cued {
		r.cued = true
		drafts = append(drafts, r.said(*res.Cue))
	}
	return r.append(ctx, drafts...)
}

// stop gives every open call its result.
func (b *batch) stop(ctx context.Context) error {
	var drafts []classroom.Draft
	for i, call := range b.calls {
		if b.results[i].CallID == "" {
			b.results[i] = toolEnd(call, Result{Text: stoppedText, IsError: true}, time.Since(b.began))
			drafts = append(drafts, b.r.said(b.results[i]))
		}
	}
	b.open, b.over = 0, false
	return b.r.append(ctx, drafts...)
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
