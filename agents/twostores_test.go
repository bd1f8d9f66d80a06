package agents_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
	"colloquy/store"
)

// A node is a runtime over a store of its own.
type node struct {
	t     *testing.T
	store *store.Store
	rt    *agents.Runtime
	gate  chan struct{} // closed to let its model finish
}

// newNode opens the folder, as its owner if its holder is a, otherwise beside that. Its
// clock is ahead by that much.
func newNode(t *testing.T, dir, holder string, ahead time.Duration) *node {
	t.Helper()
	now := func() time.Time { return time.Now().Add(ahead) }
	st, err := store.Open(t.Context(), store.Options{Dir: dir, Shared: holder != "a", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	gate := make(chan struct{})
	model := llmtest.New(sayUntil("Because.", gate))
	only := func(context.Context, classroom.Class, classroom.Agent) llm.Model { return model }
	rt, err := agents.New(agents.Options{Log: st, Leases: st, Classes: st, Model: only, Holder: holder})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rt.Close)
	return &node{t, st, rt, gate}
}

func (n *node) send(session string) error {
	_, err := n.rt.Send(n.t.Context(), session, classroom.Post{Text: "Why?"})
	return err
}

// end lets the node's model finish and returns the log once the run has ended.
func (n *node) end(session string) []classroom.Event {
	n.t.Helper()
	close(n.gate)
	for {
		changed := n.store.Changed(session)
		events, err := n.store.Read(n.t.Context(), session, 0, 0)
		if err != nil {
			n.t.Fatal(err)
		}
		if classroom.Of(events).Running == 0 {
			return events
		}
		<-changed
	}
}

// TestTwoNodes: three runtimes over stores in one folder. While one runs a session it
// excludes the others. Once its lease has expired by the clock of another, that one goes on
// from the whole log, and the first cannot append any more.
func TestTwoNodes(t *testing.T) {
	dir := t.TempDir()
	first, second, late := newNode(t, dir, "a", 0), newNode(t, dir, "b", 0), newNode(t, dir, "c", time.Hour)
	class, err := first.store.CreateClass(t.Context(), classroom.Class{Title: "Biology", Roster: []classroom.Agent{
		{ID: "ada", Name: "Ms Ada", Role: classroom.Teacher},
	}})
	if err != nil {
		t.Fatal(err)
	}
	session, err := first.store.CreateSession(t.Context(), classroom.Session{ClassID: class.ID}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []*node{second, late} {
		if err := n.rt.Cancel(t.Context(), session.ID); err != nil { // loads the session
			t.Fatal(err)
		}
	}
	if err := first.send(session.ID); err != nil {
		t.Fatal(err)
	}
	if err := second.send(session.ID); !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("the second node while the first runs: got %v, want %v", err, classroom.ErrLeaseLost)
	}
	if err := late.send(session.ID); err != nil {
		t.Fatal(err)
	}
	close(first.gate)
	for _, n := range []*node{first, second} {
		err := n.rt.Rename(t.Context(), session.ID, "Leaves", "person")
		if !errors.Is(err, classroom.ErrLeaseLost) {
			t.Errorf("a node without the lease: got %v, want %v", err, classroom.ErrLeaseLost)
		}
	}
	log := late.end(session.ID)
	for _, broken := range brokenInvariants(log) {
		t.Error(broken)
	}
	f := classroom.Of(log)
	if len(f.Cards) != 2 || f.Cards[0].State != classroom.CardCancelled || f.Cards[1].State != classroom.CardCompleted {
		t.Errorf("the log: %s", outline(log))
	}
}
