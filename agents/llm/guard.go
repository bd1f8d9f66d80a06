package llm

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
)

// Guard holds m to the package's rules of delivery, whatever m does: exactly
// one terminal, nothing after it, an end without a terminal becomes [ErrCut],
// a panic becomes an error, a [Rethink] that has no text before it, or a call, or
// another Rethink, is dropped, and once the context has ended the next thing the
// reader sees is an error that wraps the context's.
//
// Guard starts no goroutine, so a model that blocks without looking at its
// context blocks its reader. A panic of the reader's own passes through.
func Guard(m Model) Model {
	if g, ok := m.(guarded); ok {
		return g
	}
	return guarded{m}
}

type guarded struct{ Model }

// Profile is the guarded model's own.
func (g guarded) Profile() Profile { return ProfileOf(g.Model) }

func (g guarded) Stream(ctx context.Context, req Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := relay{ctx: ctx, yield: yield}
		if err := r.forward(g.Model, req); err != nil && !r.done {
			yield(Event{}, r.contextError(err))
		}
	}
}

// A relay passes one sequence on.
type relay struct {
	ctx         context.Context
	yield       func(Event, error) bool
	done        bool // the reader has had its terminal, or has left
	inReader    bool // the reader's code runs, not the model's
	hasText     bool // there is text to rethink
	rethinkOver bool // no more of it may be
}

// run returns what the sequence failed to say itself.
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

// pass hands one step to the reader.
func (r *relay) pass(e Event, err error) bool {
	switch {
	case r.done:
		return false
	case err != nil || r.ctx.Err() != nil:
		err = r.contextError(err)
	case e.Kind == Finish && !e.Reason.valid():
		err = fmt.Errorf("%w: %q is no reason to stop", ErrIncomplete, string(e.Reason))
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

// follows reports whether e may come where it does.
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

// ended makes err tell that the context has ended, if it has.
func (r *relay) contextError(err error) error {
	switch end := r.ctx.Err(); {
	case end == nil:
		return err
	case err == nil || err == ErrIncomplete || err == end:
		return fmt.Errorf("answer was called off: %w", end)
	default:
		return fmt.Errorf("answer was called off: %w (%w)", end, err)
	}
}

func (r Reason) valid() bool { return r == Stop || r == Length || r == ToolUse }

func panicError(m Model, v any) error {
	return &Error{
		Fault:   BadAnswer,
		Message: "The connection to the model failed inside this program. Ask again; if it stays, tell whoever runs the server to look at its log.",
		Err:     fmt.Errorf("%T panicked: %v\n%s", m, v, debug.Stack()),
	}
}
