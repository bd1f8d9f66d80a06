package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"colloquy/agents/llm"
)

// A Reply is one answer, step by step.
type Reply []Step

// A Step is one step of a reply, made by one of the functions below.
type Step func(*play) error

// A play executes one reply.
type play struct {
	ctx   context.Context
	req   llm.Request
	yield func(llm.Event, error) bool
}

// errReaderLeft reports that the reader has stopped reading.
var errReaderLeft = errors.New("llmtest: reader left")

func (r Reply) play(p *play) error {
	for _, step := range r {
		if err := p.contextErr(); err != nil {
			return err
		}
		if err := step(p); err != nil {
			return err
		}
	}
	return nil
}

func (p *play) contextErr() error {
	if err := p.ctx.Err(); err != nil {
		return fmt.Errorf("scripted answer: %w", err)
	}
	return nil
}

func (p *play) emit(e llm.Event) error {
	if err := p.contextErr(); err != nil {
		return err
	}
	if !p.yield(e, nil) {
		return errReaderLeft
	}
	return nil
}

// Say returns a complete answer of text: one delta per piece, a usage and a stop.
func Say(pieces ...string) Reply {
	n := 0
	for _, s := range pieces {
		n += len(s)
	}
	return Reply{Text(pieces...), Usage(llm.Usage{Input: 1, Output: max(n/4, 1)}), Finish(llm.Stop)}
}

// Use returns a complete answer that ends with tool calls; texts may come first.
func Use(calls ...Step) Reply { return append(Reply(calls), Finish(llm.ToolUse)) }

// Text emits one text delta for each piece.
func Text(pieces ...string) Step { return deltas(llm.TextDelta, pieces) }

// Thinking emits one thinking delta for each piece.
func Thinking(pieces ...string) Step { return deltas(llm.ThinkingDelta, pieces) }

// Rethink emits the event that turns all text so far into thinking.
func Rethink() Step { return Emit(llm.Event{Kind: llm.Rethink}) }

func deltas(kind llm.Kind, pieces []string) Step {
	return func(p *play) error {
		for _, s := range pieces {
			if err := p.emit(llm.Event{Kind: kind, Text: s}); err != nil {
				return err
			}
		}
		return nil
	}
}

// Call emits tool call number index: a delta with its id and name, then one delta for
// each piece of the arguments.
func Call(index int, id, name string, args ...string) Step {
	return func(p *play) error {
		if err := p.emit(llm.Event{Kind: llm.CallDelta, Index: index, ID: id, Name: name}); err != nil {
			return err
		}
		for _, a := range args {
			if err := p.emit(llm.Event{Kind: llm.CallDelta, Index: index, Text: a}); err != nil {
				return err
			}
		}
		return nil
	}
}

// CallJSON is Call with v as its arguments, in one piece.
func CallJSON(index int, id, name string, v any) Step {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("llmtest: arguments of %s: %v", name, err))
	}
	return Call(index, id, name, string(b))
}

// Emit emits e unchanged.
func Emit(e llm.Event) Step { return func(p *play) error { return p.emit(e) } }

// Usage reports the total so far.
func Usage(u llm.Usage) Step { return Emit(llm.Event{Kind: llm.UsageReport, Usage: u}) }

// Finish ends the answer.
func Finish(reason llm.Reason) Step { return Emit(llm.Event{Kind: llm.Finish, Reason: reason}) }

// Fail ends the answer with err.
func Fail(err error) Step { return func(*play) error { return err } }

// Panic panics with v.
func Panic(v any) Step { return func(*play) error { panic(v) } }

// Pause waits for d, or until the context ends.
func Pause(d time.Duration) Step {
	return func(p *play) error {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return nil
		case <-p.ctx.Done():
			return p.contextErr()
		}
	}
}

// Wait waits until gate is closed or sends, or until the context ends.
func Wait[T any](gate <-chan T) Step {
	return func(p *play) error {
		select {
		case <-gate:
			return nil
		case <-p.ctx.Done():
			return p.contextErr()
		}
	}
}

// Hang waits until the context ends.
func Hang() Step { return Wait[struct{}](nil) }

// Do calls f with the request.
func Do(f func(llm.Request)) Step {
	return func(p *play) error {
		f(p.req)
		return nil
	}
}

// Dynamic continues with the reply that f returns for the request.
func Dynamic(f func(llm.Request) Reply) Step {
	return func(p *play) error { return f(p.req).play(p) }
}
