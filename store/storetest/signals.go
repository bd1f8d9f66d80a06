package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"colloquy/classroom"
)

func testChangedAfterCommit(t *testing.T, l Log) {
	id := newSession(t, l)
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
			t.Fatalf("Changed signalled at head %d, and the head is still %d", before, after)
		}
		wg.Wait()
	}
	changed := l.Changed(id)
	mustAppend(t, l, id, 0, delta("x"))
	select {
	case <-changed:
	default:
		t.Error("append returned before Changed signalled")
	}
}

// testFollow has readers wait for Changed only: if one signal is missing, a reader
// waits until the test's deadline.
func testFollow(t *testing.T, l Log) {
	const producers, each = 6, 50
	id := newSession(t, l)
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
						t.Errorf("event %d follows event %d", e.ID, at)
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

func testDeletedSession(t *testing.T, l Log) {
	id := newSession(t, l)
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

func testClientID(t *testing.T, l Log) {
	id, other := newSession(t, l), newSession(t, l)
	for _, client := range []string{"a", "b", "c"} {
		var accepted atomic.Int64
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				switch events, err := l.Append(t.Context(), id, 0, message(client)); {
				case err == nil:
					accepted.Store(int64(events[0].ID))
				case !errors.Is(err, classroom.ErrClientIDReused):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		e, ok, err := l.SentBefore(t.Context(), id, client)
		if err != nil || !ok || int64(e.ID) != accepted.Load() {
			t.Errorf("message %s: got event %d, %v, %v, want event %d", client, e.ID, ok, err, accepted.Load())
		}
		mustAppend(t, l, other, 0, message(client))
	}
	if head := mustHead(t, l, id); head != 4 {
		t.Errorf("head is %d, want 4: session_start and three messages", head)
	}
	for range 2 {
		mustAppend(t, l, id, 0, message("")) // messages without a client id are never repeats
	}
	if _, ok, err := l.SentBefore(t.Context(), id, "never"); ok || err != nil {
		t.Errorf("a message never sent: got %v, %v", ok, err)
	}
}
