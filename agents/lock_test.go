package agents_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// A slowStore is a memoryStore whose lookups of one kind wait at a gate.
type slowStore struct {
	*memoryStore
	slow    atomic.Value  // the kind of lookup that waits, "" for none
	waiting chan struct{} // receives a value for each lookup that begins to wait
	opened  chan struct{} // closed to let all of them go on
	open    func()
	message chan struct{} // receives a value for each message_end
	ended   chan struct{} // receives a value for each run_end
	models  atomic.Int32  // lookups of models
	model   llm.Model
}

func newSlowStore(model llm.Model, roster ...string) *slowStore {
	s := &slowStore{
		memoryStore: newMemoryStore(), model: model,
		waiting: make(chan struct{}, 100), opened: make(chan struct{}),
		message: make(chan struct{}, 100), ended: make(chan struct{}, 100),
	}
	s.open = sync.OnceFunc(func() { close(s.opened) })
	s.slow.Store("")
	s.memoryStore.open("s", roster...)
	return s
}

// runtime returns a runtime over the store. Both are closed when the test ends.
func (s *slowStore) runtime(t *testing.T) *agents.Runtime {
	t.Helper()
	rt, err := agents.New(agents.Options{
		Log: s, Leases: s, Classes: s, Model: s.Model, Tools: []agents.Tool{echo}, Holder: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rt.Close)
	t.Cleanup(s.open)
	return rt
}

func (s *slowStore) waitIfSlow(ctx context.Context, kind string) {
	if s.slow.Load() != kind {
		return
	}
	s.waiting <- struct{}{}
	select {
	case <-s.opened:
	case <-ctx.Done():
	}
}

func (s *slowStore) Model(ctx context.Context, _ classroom.Class, _ classroom.Agent) llm.Model {
	s.models.Add(1)
	s.waitIfSlow(ctx, "model")
	return s.model
}

func (s *slowStore) Class(ctx context.Context, id string) (classroom.Class, error) {
	s.waitIfSlow(ctx, "class")
	return s.memoryStore.Class(ctx, id)
}

func (s *slowStore) Read(ctx context.Context, id string, after classroom.Cursor, limit int) ([]classroom.Event, error) {
	s.waitIfSlow(ctx, "log")
	return s.memoryStore.Read(ctx, id, after, limit)
}

// SentBefore waits after it has looked: its answer may be old by then.
func (s *slowStore) SentBefore(ctx context.Context, id, client string) (classroom.Event, bool, error) {
	e, found, err := s.memoryStore.SentBefore(ctx, id, client)
	s.waitIfSlow(ctx, "client id")
	return e, found, err
}

func (s *slowStore) Append(
	ctx context.Context, id string, generation int64, drafts ...classroom.Draft,
) ([]classroom.Event, error) {
	events, err := s.memoryStore.Append(ctx, id, generation, drafts...)
	for _, e := range events {
		switch e.Type {
		case classroom.TypeMessageEnd:
			s.message <- struct{}{}
		case classroom.TypeRunEnd:
			s.ended <- struct{}{}
		}
	}
	return events, err
}

// inTime fails the test where f does not return: it waits for a lock that is
// held during a lookup.
func inTime(t *testing.T, what string, f func() error) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	case <-time.After(20 * time.Second):
		t.Fatalf("%s waits for a lookup", what)
	}
}

func receive(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	inTime(t, what, func() error { <-c; return nil })
}

type sent struct {
	classroom.Receipt
	err error
}

// send sends on a goroutine of its own, and returns where the answer comes.
func send(t *testing.T, rt *agents.Runtime, p classroom.Post) <-chan sent {
	out := make(chan sent, 1)
	go func() {
		r, err := rt.Send(t.Context(), "s", p)
		out <- sent{r, err}
	}()
	return out
}

// TestStartHoldsNoLock: while the start of a run waits for a lookup, others use
// the session.
func TestStartHoldsNoLock(t *testing.T) {
	for _, kind := range []string{"model", "class", "client id", "log"} {
		t.Run(kind, func(t *testing.T) {
			store := newSlowStore(llmtest.New(llmtest.Say("One.")), "ada")
			rt := store.runtime(t)
			if err := rt.Cancel(t.Context(), "s"); err != nil { // loads the session
				t.Fatal(err)
			}
			store.slow.Store(kind)
			answer := send(t, rt, classroom.Post{Text: "Why?", ClientID: "c-1"})
			receive(t, "the lookup of a "+kind, store.waiting)
			inTime(t, "Cancel", func() error { return rt.Cancel(t.Context(), "s") })
			if kind != "log" { // which is read once the lease is acquired: nobody appends before
				inTime(t, "Rename", func() error { return rt.Rename(t.Context(), "s", "Leaves", "person") })
			}
			inTime(t, "Running", func() error { rt.Running(); return nil })
			store.open()
			if got := <-answer; got.err != nil || got.Delivery != classroom.Prompt {
				t.Errorf("sent: %+v", got)
			}
			receive(t, "the end of the run", store.ended)
		})
	}
}

// TestNextExchangeHoldsNoLock: while a run looks up the speakers of its next
// exchange, messages are accepted, and Stop ends the run.
func TestNextExchangeHoldsNoLock(t *testing.T) {
	for _, kind := range []string{"model", "class"} {
		t.Run(kind, func(t *testing.T) {
			gate := make(chan struct{})
			store := newSlowStore(llmtest.New(sayUntil("One.", gate)), "ada")
			rt := store.runtime(t)
			for _, d := range []classroom.Delivery{classroom.Prompt, classroom.FollowUp} {
				if got := <-send(t, rt, classroom.Post{Text: "Why?", Delivery: d}); got.err != nil {
					t.Fatal(got.err)
				}
			}
			store.slow.Store(kind)
			close(gate)
			receive(t, "the lookup of a "+kind, store.waiting)
			inTime(t, "Send", func() error {
				return (<-send(t, rt, classroom.Post{Text: "And?", Delivery: classroom.FollowUp})).err
			})
			inTime(t, "Cancel", func() error { return rt.Cancel(t.Context(), "s") })
			receive(t, "the end of the run", store.ended)
			log := store.log("s")
			ends := payloads[classroom.RunEnd](log)
			if len(ends) != 1 || ends[0].Status != classroom.Cancelled || len(types(log, classroom.TypeRunStart)) != 1 {
				t.Errorf("after Stop: %s", outline(log))
			}
			if q := classroom.Of(log).Queue; len(q.FollowUp) != 2 {
				t.Errorf("the queue is %+v", q)
			}
		})
	}
}

// TestLoadHoldsNoLock: while a session is loaded, whoever waits for it may leave,
// and the runtime counts its runs.
func TestLoadHoldsNoLock(t *testing.T) {
	for _, kind := range []string{"log", "class"} {
		t.Run(kind, func(t *testing.T) {
			store := newSlowStore(llmtest.New(llmtest.Say("One.")), "ada")
			store.slow.Store(kind)
			rt := store.runtime(t)
			answer := send(t, rt, classroom.Post{Text: "Why?"})
			receive(t, "the read of the "+kind, store.waiting)
			gone, leave := context.WithCancel(t.Context())
			leave()
			inTime(t, "Cancel", func() error {
				if err := rt.Cancel(gone, "s"); !errors.Is(err, context.Canceled) {
					t.Errorf("Cancel of somebody who left: %v", err)
				}
				return nil
			})
			inTime(t, "Running", func() error { rt.Running(); return nil })
			store.open()
			if got := <-answer; got.err != nil {
				t.Error(got.err)
			}
			receive(t, "the end of the run", store.ended)
		})
	}
}

// TestSentTwiceAtOnce: two sends of one client id that both found no message
// before get one receipt, and the log one message.
func TestSentTwiceAtOnce(t *testing.T) {
	store := newSlowStore(llmtest.New(llmtest.Say("One.")), "ada")
	rt := store.runtime(t)
	store.slow.Store("client id")
	p := classroom.Post{Text: "Why?", ClientID: "c-1"}
	answers := []<-chan sent{send(t, rt, p), send(t, rt, p)}
	for range answers {
		receive(t, "the lookup of a client id", store.waiting)
	}
	store.slow.Store("")
	store.open()
	for _, answer := range answers {
		if got := <-answer; got.err != nil || got.Cursor != 2 || got.Delivery != classroom.Prompt {
			t.Errorf("sent: %+v", got)
		}
	}
	receive(t, "the end of the run", store.ended)
	if n := len(types(store.log("s"), classroom.TypeUserMessage)); n != 1 {
		t.Errorf("%d messages", n)
	}
}

// TestSentTwiceAroundTheBarrier: the second send of a message gets the first
// one's receipt, although its session now refuses new messages.
func TestSentTwiceAroundTheBarrier(t *testing.T) {
	first, second := make(chan struct{}), make(chan struct{})
	store := newSlowStore(llmtest.New(
		llmtest.Reply{llmtest.Call(0, "x", "echo", `{"say":"x"}`), llmtest.Wait(first), llmtest.Finish(llm.Length)},
		llmtest.Reply{llmtest.Wait(second), llmtest.Text("Short."), llmtest.Finish(llm.Stop)}), "ada")
	rt := store.runtime(t)
	t.Cleanup(sync.OnceFunc(func() { close(second) }))
	if got := <-send(t, rt, classroom.Post{Text: "Why?"}); got.err != nil {
		t.Fatal(got.err)
	}
	p := classroom.Post{Text: "Wait.", Delivery: classroom.Steer, ClientID: "c-1"}
	store.slow.Store("client id")
	late := send(t, rt, p)
	receive(t, "the lookup of a client id", store.waiting)
	store.slow.Store("")
	early := <-send(t, rt, p)
	close(first)
	receive(t, "the message that is cut off", store.message)
	if got := <-send(t, rt, classroom.Post{Text: "x"}); !errors.Is(got.err, classroom.ErrBarrier) {
		t.Fatalf("a new message behind the barrier: %+v", got)
	}
	store.open()
	if got := <-late; got.err != nil || early.err != nil || got.Cursor != early.Cursor {
		t.Errorf("the second send: %+v, the first: %+v", got, early)
	}
}

// TestModelsAreLookedUpOnce: an exchange looks up each speaker's model once,
// whatever its turns, its director and its summaries are.
func TestModelsAreLookedUpOnce(t *testing.T) {
	model := llmtest.New()
	model.Always(nil, llmtest.Say("END"))
	store := newSlowStore(model)
	store.openAs("s", classroom.ModeDiscussion, 3)
	rt := store.runtime(t)
	for exchange := int32(1); exchange <= 2; exchange++ {
		if got := <-send(t, rt, classroom.Post{Text: "Why?"}); got.err != nil {
			t.Fatal(got.err)
		}
		receive(t, "the end of the run", store.ended)
		if n := store.models.Load(); n != 4*exchange {
			t.Errorf("%d lookups after exchange %d, want %d", n, exchange, 4*exchange)
		}
		rt.Close()
		rt = store.runtime(t)
	}
}
