// Package tutor is the built-in model. It answers from the class's own
// materials, with no network and no AI.
//
// # What it does
//
// It plays a teacher, an assistant or a student (see [llm.Speaker]), in
// question and answer, a discussion, a debate or a lecture ([llm.Staging]). Like any
// model it first calls the tool search_materials, and answers when the result
// is there. What it says is fixed connecting phrases and text quoted from the
// passages found, each quote with its source. Where the materials hold nothing
// it says so. It follows the class's teaching rules: the stance, and what is
// not given away.
//
// # Order
//
// The newest line of a person is the question; only what comes after it counts
// as the state of the answer: no search result yet means search, a result
// means answer. A question that leans on the one before it ("and why?") takes
// its words over.
//
// # Parts
//
// In a discussion everybody reads out what nobody has yet, a classmate in the
// temper that the persona tells; the teacher opens it and draws it together in
// the last round. In a debate a side reads what by its words speaks for or
// against the motion, the other says so if there is nothing; the moderator says
// at the end who read what. The sides' names are taken from a line of
// Request.System, "For: NAME. Against: NAME.". A lecture reads one text in its
// order, a stretch in each part, and sums up with sentences that were read.
// What a person answers at its stops (go on, end, an example, more simply) is no
// question: an example and plainer words come from the lecture's own text.
//
// The topic is the line that opened the exchange. A line that a person puts in
// later is answered by the first to speak after it, by name; a summary mentions
// it instead.
//
// # Delivery
//
// A sequence is as [llm.Model] says. The answer is whole before its first word
// is said; the words then come one by one, Options.Pace apart. The same
// request always gives the same events.
//
// # Concurrency
//
// A Model holds no state and may be asked from many goroutines at once.
//
// # Not here
//
// The search itself: it is a tool of the class, and its result comes in the
// details of a tool result.
package tutor

import (
	"context"
	"fmt"
	"iter"
	"time"

	"colloquy/agents/llm"
)

// Options are what a [Model] is made of.
type Options struct {
	Pace time.Duration // from one word to the next; 0 says everything at once
}

// A Model is the built-in tutor.
type Model struct{ pace time.Duration }

var _ llm.Profiled = (*Model)(nil)

// New returns a tutor that speaks at the pace of o.
func New(o Options) *Model { return &Model{pace: o.Pace} }

// Name returns "tutor".
func (m *Model) Name() string { return "tutor" }

// Profile says that the tutor plays by rule.
func (m *Model) Profile() llm.Profile { return llm.Profile{Scripted: true} }

// Stream answers req.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(llm.Event{}, fmt.Errorf("answer from the materials: %w", err))
			return
		}
		v := voice{ctx: ctx, pace: m.pace, yield: yield}
		r := answer(req, 0)
		if r.query != "" {
			v.call(r)
			return
		}
		v.say(r.text)
	}
}
