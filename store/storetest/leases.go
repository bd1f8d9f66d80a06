package storetest

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"colloquy/classroom"
)

// A LeaseLog is a log whose appends may need a lease.
type LeaseLog interface {
	Leases
	Append(ctx context.Context, sessionID string, lease int64, drafts ...classroom.Draft) ([]classroom.Event, error)
}

// TestLeases checks l. newSession makes a session with one event.
func TestLeases(t *testing.T, l LeaseLog, newSession func() string) {
	for name, test := range map[string]func(*testing.T, LeaseLog, func() string){
		"a lost lease is refused":      testLostLease,
		"a held lease excludes others": testHeldLease,
		"generations only increase":    testGenerations,
	} {
		t.Run(name, func(t *testing.T) { test(t, l, newSession) })
	}
}

func mustAcquire(t *testing.T, l LeaseLog, id, holder string, ttl time.Duration) int64 {
	t.Helper()
	g, err := l.Acquire(t.Context(), id, holder, ttl)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// appendAt appends one event, which must get a cursor.
func appendAt(t *testing.T, l LeaseLog, id string, lease int64, at classroom.Cursor) {
	t.Helper()
	events, err := l.Append(t.Context(), id, lease, delta("x"))
	if err != nil || len(events) != 1 || events[0].ID != at {
		t.Errorf("appended %v, %v, want one event at %d", events, err, at)
	}
}

func wantLost(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("%s: got %v, want %v", what, err, classroom.ErrLeaseLost)
	}
}

func testLostLease(t *testing.T, l LeaseLog, newSession func() string) {
	id := newSession()
	old := mustAcquire(t, l, id, "a", 0) // expires at once
	appendAt(t, l, id, old, 2)           // nobody has acquired it since
	current := mustAcquire(t, l, id, "b", time.Hour)

	_, err := l.Append(t.Context(), id, old, delta("too late"))
	wantLost(t, "append with an old generation", err)
	_, err = l.Append(t.Context(), id, current+1, delta("too early"))
	wantLost(t, "append with a generation to come", err)
	wantLost(t, "renew of an old generation", l.Renew(t.Context(), id, old, time.Hour))
	wantLost(t, "release of an old generation", l.Release(t.Context(), id, old))
	appendAt(t, l, id, current, 3)
	appendAt(t, l, id, 0, 4) // needs no lease

	if err := l.Release(t.Context(), id, current); err != nil {
		t.Fatal(err)
	}
	_, err = l.Append(t.Context(), id, current, delta("after release"))
	wantLost(t, "append with a released generation", err)
	wantLost(t, "second release", l.Release(t.Context(), id, current))
}

func testHeldLease(t *testing.T, l LeaseLog, newSession func() string) {
	id, other := newSession(), newSession()
	g := mustAcquire(t, l, id, "a", time.Hour)
	_, err := l.Acquire(t.Context(), id, "b", time.Hour)
	wantLost(t, "acquire of a held lease", err)
	appendAt(t, l, id, g, 2)
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

func testGenerations(t *testing.T, l LeaseLog, newSession func() string) {
	id := newSession()
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

func testReopen(t *testing.T, open func(*testing.T, string) Log) {
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
