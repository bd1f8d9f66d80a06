// Package llmtest provides test doubles of models: [Script], a model that answers
// from a list, and [Upstream], an HTTP server that writes exactly the bytes of its
// script.
//
// # Order
//
// Each request consumes one reply. The lists of [Script.When] come first, in the
// order of the When calls, if their condition holds; then the common list. A request
// without a reply ends with [ErrExhausted].
//
// # Delivery
//
// A reply executes its steps and nothing else: one without [Finish] or [Fail] ends
// silently, one with steps after Finish continues. Wrap the script in llm.Guard to
// enforce the rules of package llm. The context is checked before every step and
// every event, and ends every wait.
//
// # Concurrency
//
// A Script may be used from many goroutines at once. Waits use package time, so
// they take no time inside testing/synctest; the gate of a [Wait] must be made inside
// the bubble.
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

// ErrExhausted ends a request for which the script has no reply.
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

// A rule is a list of replies for some requests.
type rule struct {
	match func(llm.Request) bool
	list  []Reply
	again Reply // once the list is used up, if not nil
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

// Name returns the script's name.
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

// When adds a list of replies for the requests for which match returns true. Once it
// is used up, later rules and the common list answer them.
func (s *Script) When(match func(llm.Request) bool, replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{match: match, list: replies})
}

// Always adds one reply for all requests for which match returns true, or for all
// requests if match is nil.
func (s *Script) Always(match func(llm.Request) bool, reply Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{match: match, again: reply})
}

// Requests returns the requests so far, oldest first.
func (s *Script) Requests() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Left returns the number of unused replies.
func (s *Script) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.list)
	for _, r := range s.rules {
		n += len(r.list)
	}
	return n
}

// Stream answers with the next reply. The request is recorded, and consumes its
// reply, when the sequence is first read.
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
