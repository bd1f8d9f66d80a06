package storetest

import (
	"sync"
	"testing"
	"time"

	"colloquy/classroom"
)

// TestTwoStores checks two stores in one folder, each with a holder of its own. open
// opens one with that clock, nil for the real one, and closes it when t ends.
func TestTwoStores(t *testing.T, open func(t *testing.T, dir string, now func() time.Time) Store) {
	for name, test := range map[string]func(t *testing.T, first, second Store, later func()){
		"a lease is stolen only once it expired": testTwoHolders,
		"the next holder reads the whole log":    testNextHolderReadsAll,
		"both append to one log":                 testTwoAppenders,
		"readers of the other are woken":         testOtherReaders,
	} {
		t.Run(name, func(t *testing.T) {
			dir, late := t.TempDir(), time.Duration(0)
			var mu sync.Mutex
			now := func() time.Time { mu.Lock(); defer mu.Unlock(); return time.Now().Add(late) }
			later := func() { mu.Lock(); defer mu.Unlock(); late += 2 * time.Hour }
			test(t, open(t, dir, now), open(t, dir, now), later)
		})
	}
}

func testTwoHolders(t *testing.T, first, second Store, later func()) {
	id := newSession(t, first)
	one := mustAcquire(t, first, id, "first", time.Hour)
	mustAppend(t, first, id, one, delta("mine"))
	_, err := second.Acquire(t.Context(), id, "second", time.Hour)
	wantLost(t, "acquire of a living lease by another store", err)
	wantLost(t, "release by a store that never had the lease", second.Release(t.Context(), id, one+1))
	mustAppend(t, first, id, one, delta("still mine"))
	later()
	if two := mustAcquire(t, second, id, "second", time.Hour); two <= one {
		t.Errorf("generation %d of the second store after %d of the first", two, one)
	}
	_, err = first.Append(t.Context(), id, one, delta("too late"))
	wantLost(t, "append of the old holder", err)
	wantLost(t, "renew by the old holder", first.Renew(t.Context(), id, one, time.Hour))
	wantLost(t, "release by the old holder", first.Release(t.Context(), id, one))
	if head := mustHead(t, first, id); head != 3 {
		t.Errorf("head is %d, want 3", head)
	}
}

// testNextHolderReadsAll hands a session from store to store. Each has read the log
// before, so what it kept of it is old.
func testNextHolderReadsAll(t *testing.T, first, second Store, later func()) {
	id := newSession(t, first)
	var at [2]classroom.Cursor
	for round := range 6 {
		l := []Store{first, second}[round%2]
		g := mustAcquire(t, l, id, numbered(round%2, 0, 0), time.Hour)
		events := mustRead(t, l, id, at[round%2], 0)
		checkCursors(t, events, at[round%2])
		if at[round%2] += classroom.Cursor(len(events)); int(at[round%2]) != 1+2*round {
			t.Fatalf("round %d: the holder has read up to %d, want %d", round, at[round%2], 1+2*round)
		}
		mustAppend(t, l, id, g, delta("x"), delta("y"))
		later()
	}
}

func testTwoAppenders(t *testing.T, first, second Store, _ func()) {
	const each = 40
	id := newSession(t, first)
	var wg sync.WaitGroup
	for _, l := range []Store{first, second} {
		wg.Go(func() {
			for range each {
				if _, err := l.Append(t.Context(), id, 0, delta("x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, l := range []Store{first, second} {
		events := mustRead(t, l, id, 0, 0)
		checkCursors(t, events, 0)
		if len(events) != 1+2*each {
			t.Errorf("a store reads %d events, want %d", len(events), 1+2*each)
		}
	}
}

func testOtherReaders(t *testing.T, first, second Store, _ func()) {
	id := newSession(t, first)
	for at := classroom.Cursor(1); at < 4; at++ {
		changed := second.Changed(id)
		mustAppend(t, first, id, 0, delta("x"))
		<-changed
		for len(mustRead(t, second, id, at, 0)) == 0 { // the channel may close without an event
			<-second.Changed(id)
		}
	}
}
