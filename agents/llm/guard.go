package llm

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
)

// Guard enforces the delivery rules on m. It passes on exactly one Finish or
// error and nothing after it. An end without either becomes [ErrIncomplete], and a
// panic of m becomes an error. A [Rethink] without text before it, after a call or
// after another Rethink is dropped. Once the context has ended, the next step is
// an error that wraps the context's error.
//
// Guard starts no goroutine, so a model that blocks and ignores its context blocks
// its reader. A panic of the reader is not caught.
func Guard(m Model) Model {
	if g, ok := m.(guarded); ok {
		return g
	}
	return guarded{m}
}

type guarded struct{ Model }

// Profile returns the profile of the guarded model.
func (g guarded) Profile() Profile { return ProfileOf(g.Model) }

func (g guarded) Stream(ctx context.Context, req Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := relay{ctx: ctx, yield: yield}
		if err := r.forward(g.Model, req); err != nil && !r.done {
			yield(Event{}, r.contextError(err))
		}
	}
}

// A relay forwards one sequence to its reader.
type relay struct {
	ctx         context.Context
	yield       func(Event, error) bool
	done        bool // the reader has received the end, or has stopped reading
	inReader    bool // the reader's code runs, not the model's
	hasText     bool // a Rethink has text to take back
	rethinkOver bool // no Rethink may follow
}

// forward forwards the sequence of m. It returns the error that remains to be reported.
func (r *relay) forward(m Model, req Request) (err error) {
	defer func() {
		if r.inReader {
			return // the reader's panic, or its Goexit
		}
		if v := recover(); v != nil {
			err = panicError(m, v)
		}
	}()
	if err := r.ctx.Err(); err != nil {
		return err
	}
	m.Stream(r.ctx, req)(r.pass)
	return ErrIncomplete
}

// pass forwards one step and reports whether the reader wants more.
func (r *relay) pass(e Event, err error) bool {
	switch {
	case r.done:
		return false
	case err != nil || r.ctx.Err() != nil:
		err = r.contextError(err)
	case e.Kind == Finish && !e.Reason.valid():
		err = fmt.Errorf("%w: %q is not a finish reason", ErrIncomplete, string(e.Reason))
	}
	if err != nil {
		e = Event{}
	} else if !r.allows(&e) {
		return true
	}
	r.done = err != nil || e.Kind == Finish
	r.inReader = true
	more := r.yield(e, err)
	r.inReader = false
	r.done = r.done || !more
	return !r.done
}

// allows reports whether e may follow the events before it.
func (r *relay) allows(e *Event) bool {
	switch e.Kind {
	case TextDelta:
		r.hasText = r.hasText || e.Text != ""
	case CallDelta:
		r.rethinkOver = true
	case Rethink:
		if !r.hasText || r.rethinkOver {
			return false
		}
		*e, r.rethinkOver = Event{Kind: Rethink}, true
	}
	return true
}

// contextError returns err, wrapped in the context's error if the context has ended.
func (r *relay) contextError(err error) error {
	switch end := r.ctx.Err(); {
	case end == nil:
		return err
	case err == nil || err == ErrIncomplete || err == end:
		return fmt.Errorf("answer was cancelled: %w", end)
	default:
		return fmt.Errorf("answer was cancelled: %w (%w)", end, err)
	}
}

func (r Reason) valid() bool { return r == Stop || r == Length || r == ToolUse }

func panicError(m Model, v any) error {
	return &Error{
		Fault: BadAnswer, Problem: "failed_inside",
		Message: "The connection to the model failed inside this program. Ask again. " +
			"If it fails again, ask whoever runs the server to look at its log.",
		Err: fmt.Errorf("%T panicked: %v\n%s", m, v, debug.Stack()),
	}
}
