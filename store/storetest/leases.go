package storetest

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"colloquy/classroom"
)

func mustAcquire(t *testing.T, l Store, id, holder string, ttl time.Duration) int64 {
	t.Helper()
	g, err := l.Acquire(t.Context(), id, holder, ttl)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func wantLost(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("%s: got %v, want %v", what, err, classroom.ErrLeaseLost)
	}
}

func testLostLease(t *testing.T, l Store) {
	id := newSession(t, l)
	old := mustAcquire(t, l, id, "a", 0) // expires at once
	mustAppend(t, l, id, old, delta("expired, not acquired again"))
	current := mustAcquire(t, l, id, "b", time.Hour)
	head := mustHead(t, l, id)

	_, err := l.Append(t.Context(), id, old, delta("too late"))
	wantLost(t, "append with an old generation", err)
	_, err = l.Append(t.Context(), id, current+1, delta("too early"))
	wantLost(t, "append with a generation to come", err)
	wantLost(t, "renew of an old generation", l.Renew(t.Context(), id, old, time.Hour))
	wantLost(t, "release of an old generation", l.Release(t.Context(), id, old))
	if now := mustHead(t, l, id); now != head {
		t.Errorf("head is %d, want %d: a refused append left events", now, head)
	}
	mustAppend(t, l, id, current, delta("mine"))
	mustAppend(t, l, id, 0, delta("needs no lease"))

	if err := l.Release(t.Context(), id, current); err != nil {
		t.Fatal(err)
	}
	_, err = l.Append(t.Context(), id, current, delta("after release"))
	wantLost(t, "append with a released generation", err)
	wantLost(t, "second release", l.Release(t.Context(), id, current))
}

func testHeldLease(t *testing.T, l Store) {
	id, other := newSession(t, l), newSession(t, l)
	g := mustAcquire(t, l, id, "a", time.Hour)
	_, err := l.Acquire(t.Context(), id, "b", time.Hour)
	wantLost(t, "acquire of a held lease", err)
	mustAppend(t, l, id, g, delta("still mine"))
	mustAcquire(t, l, other, "b", time.Hour)

	if err := l.Renew(t.Context(), id, g, -time.Hour); err != nil { // expired by now
		t.Fatal(err)
	}
	if err := l.Renew(t.Context(), id, g, time.Hour); err != nil {
		t.Errorf("renew of an expired lease that nobody acquired: %v", err)
	}
	_, err = l.Acquire(t.Context(), id, "b", time.Hour)
	wantLost(t, "acquire of a renewed lease", err)
	if err := l.Release(t.Context(), id, g); err != nil {
		t.Fatal(err)
	}
	mustAcquire(t, l, id, "b", time.Hour)
}

func testGenerations(t *testing.T, l Store) {
	id := newSession(t, l)
	last := int64(0)
	for i := range 5 {
		g := mustAcquire(t, l, id, "a", time.Hour)
		if g <= last {
			t.Fatalf("generation %d after %d", g, last)
		}
		last = g
		if i%2 == 0 {
			if err := l.Release(t.Context(), id, g); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func testReopen(t *testing.T, open func(*testing.T, string) Store) {
	dir := t.TempDir()
	l := open(t, dir)
	id := newSession(t, l)
	mustAppend(t, l, id, 0, message("c"))
	g := mustAcquire(t, l, id, "a", 0)
	mustAppend(t, l, id, g, delta("one"), delta("two"))
	before := mustRead(t, l, id, 0, 0)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(t.Context(), id, 0, delta("closed")); !errors.Is(err, classroom.ErrClosing) {
		t.Errorf("append to a closed log: got %v, want %v", err, classroom.ErrClosing)
	}

	l = open(t, dir)
	if after := mustRead(t, l, id, 0, 0); !reflect.DeepEqual(after, before) {
		t.Errorf("reopened log is %v, want %v", after, before)
	}
	if _, err := l.Append(t.Context(), id, 0, message("c")); !errors.Is(err, classroom.ErrClientIDReused) {
		t.Errorf("a message sent before: got %v, want %v", err, classroom.ErrClientIDReused)
	}
	if again := mustAcquire(t, l, id, "b", time.Hour); again <= g {
		t.Errorf("generation %d after %d", again, g)
	}
	checkCursors(t, mustAppend(t, l, id, 0, delta("three")), 4)
}
