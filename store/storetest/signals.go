package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"colloquy/classroom"
)

func bellAfterCommit(t *testing.T, l Log) {
	id := session(t, l)
	for i := range 300 {
		changed, before := l.Changed(id), mustHead(t, l, id)
		var wg sync.WaitGroup
		for range 1 + i%3 {
			wg.Go(func() {
				if _, err := l.Append(t.Context(), id, 0, delta("x")); err != nil {
					t.Error(err)
				}
			})
		}
		<-changed
		if after := mustHead(t, l, id); after <= before {
			t.Fatalf("the bell rang at head %d, and the head is %d", before, after)
		}
		wg.Wait()
	}
	changed := l.Changed(id)
	mustAppend(t, l, id, 0, delta("x"))
	select {
	case <-changed:
	default:
		t.Error("append returned and the bell had not rung")
	}
}

// follow has readers wait for the bell only: one ring too few and a reader
// hangs until the test's deadline.
func follow(t *testing.T, l Log) {
	const producers, each = 6, 50
	id := session(t, l)
	var readers, writers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			var at classroom.Cursor
			for at < 1+producers*each {
				changed := l.Changed(id)
				events, err := l.Read(t.Context(), id, at, 7)
				if err != nil {
					t.Error(err)
					return
				}
				for _, e := range events {
					if e.ID != at+1 {
						t.Errorf("after %d came %d", at, e.ID)
						return
					}
					at = e.ID
				}
				if len(events) == 0 {
					<-changed
				}
			}
		})
	}
	for range producers {
		writers.Go(func() {
			for range each {
				if _, err := l.Append(t.Context(), id, 0, delta("x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	readers.Wait()
}

func deleted(t *testing.T, l Log) {
	id := session(t, l)
	mustAppend(t, l, id, 0, message("c"))
	changed := l.Changed(id)
	if err := l.DeleteSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	<-changed
	if _, err := l.Read(t.Context(), id, 0, 1); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("read of a deleted session: got %v, want %v", err, classroom.ErrNotFound)
	}
	if _, err := l.Append(t.Context(), id, 0, delta("x")); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("append to a deleted session: got %v, want %v", err, classroom.ErrNotFound)
	}
}

func sentOnce(t *testing.T, l Log) {
	id, other := session(t, l), session(t, l)
	for _, client := range []string{"a", "b", "c"} {
		var taken atomic.Int64
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				switch events, err := l.Append(t.Context(), id, 0, message(client)); {
				case err == nil:
					taken.Store(int64(events[0].ID))
				case !errors.Is(err, classroom.ErrClientIDReused):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		e, ok, err := l.SentBefore(t.Context(), id, client)
		if err != nil || !ok || int64(e.ID) != taken.Load() {
			t.Errorf("message %s: got event %d, %v, %v, want event %d", client, e.ID, ok, err, taken.Load())
		}
		mustAppend(t, l, other, 0, message(client))
	}
	if head := mustHead(t, l, id); head != 4 {
		t.Errorf("head is %d, want 4: session_start and three messages", head)
	}
	for range 2 {
		mustAppend(t, l, id, 0, message("")) // without a client id nothing is a repeat
	}
	if _, ok, err := l.SentBefore(t.Context(), id, "never"); ok || err != nil {
		t.Errorf("a message never sent: got %v, %v", ok, err)
	}
}
