// Package llmtest holds test doubles of models: [Script], a model that answers
// from a list, and [Upstream], an HTTP server that writes exactly the bytes
// that its script lists.
//
// # Order
//
// Each request takes one reply. A reply made with [Script.When] whose condition
// holds comes first, in the order of the When calls; then the next of the
// list. A request for which no reply is left ends with [ErrExhausted].
//
// # Delivery
//
// A reply does what its steps say and no more: one without [Finish] or [Fail]
// ends silently, one with steps after Finish goes on. Wrap the script in
// llm.Guard where the rules of package llm are wanted. The context is looked at
// before every step and every event, and ends every wait.
//
// # Concurrency
//
// A Script may be asked from many goroutines at once. Waits use package time,
// so that they take no time inside testing/synctest; the gate of a [Wait] has to be
// made inside the bubble.
package llmtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"colloquy/agents/llm"
)

// ErrExhausted ends a request for which the script holds no reply.
var ErrExhausted = errors.New("llmtest: no reply left")

// A Script is a model that answers from a list. The zero Script has no reply;
// make one with [New].
type Script struct {
	mu       sync.Mutex
	name     string
	list     []Reply
	rules    []rule
	requests []llm.Request
}

// A rule is a list of its own for some requests.
type rule struct {
	match func(llm.Request) bool
	list  []Reply
	again Reply // when the list is used up, if not nil
}

// New returns a script that gives the replies in order.
func New(replies ...Reply) *Script { return &Script{name: "llmtest:script", list: replies} }

// Named changes the script's name, "llmtest:script" by default, and returns the script.
func (s *Script) Named(name string) *Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.name = name
	return s
}

// Name says which model this is.
func (s *Script) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

// Add appends replies to the list.
func (s *Script) Add(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, replies...)
}

// When gives requests for which match holds a list of their own. Once that is
// used up, they fall to later rules and to the common list.
func (s *Script) When(match func(llm.Request) bool, replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{match: match, list: replies})
}

// Always answers every request for which match holds, or every request if match is nil, with the same reply.
func (s *Script) Always(match func(llm.Request) bool, reply Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{match: match, again: reply})
}

// Requests returns what was asked so far, oldest first.
func (s *Script) Requests() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Left counts the replies that nobody has taken yet.
func (s *Script) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.list)
	for _, r := range s.rules {
		n += len(r.list)
	}
	return n
}

// Stream answers with the next reply. The request counts, and takes its reply,
// when the sequence is first read.
func (s *Script) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		reply, err := s.next(req)
		if err == nil {
			err = reply.play(&play{ctx: ctx, req: req, yield: yield})
		}
		if err != nil && !errors.Is(err, errReaderLeft) {
			yield(llm.Event{}, err)
		}
	}
}

func (s *Script) next(req llm.Request) (Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	req.Messages, req.Tools = slices.Clone(req.Messages), slices.Clone(req.Tools)
	s.requests = append(s.requests, req)
	for i := range s.rules {
		r := &s.rules[i]
		if r.match != nil && !r.match(req) {
			continue
		}
		if reply, ok := pop(&r.list); ok {
			return reply, nil
		}
		if r.again != nil {
			return r.again, nil
		}
	}
	if reply, ok := pop(&s.list); ok {
		return reply, nil
	}
	return nil, &llm.Error{
		Fault:   llm.BadAnswer,
		Message: "The scripted model has no answer left. Add one to the script.",
		Err:     fmt.Errorf("request %d: %w", len(s.requests), ErrExhausted),
	}
}

func pop(list *[]Reply) (Reply, bool) {
	if len(*list) == 0 {
		return nil, false
	}
	first := (*list)[0]
	*list = (*list)[1:]
	return first, true
}
