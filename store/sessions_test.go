package store

import (
	"errors"
	"testing"
	"time"

	"colloquy/classroom"
)

func TestDeleteClassTakesAll(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	class := mustSession(t, s, id).ClassID
	other := newSession(t, s)
	mustAppend(t, s, id, delta("x"))
	leaves := classroom.Material{ClassID: class, Name: "a"}
	if _, err := s.AddMaterial(t.Context(), leaves, "Leaves are green."); err != nil {
		t.Fatal(err)
	}
	changed := s.Changed(id)
	if err := s.DeleteClass(t.Context(), class); err != nil {
		t.Fatal(err)
	}
	if !isClosed(changed) {
		t.Error("the readers of its session were not woken")
	}
	if _, err := s.Append(t.Context(), id, 0, delta("x")); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("append to a session of a deleted class: got %v, want %v", err, classroom.ErrNotFound)
	}
	for table, want := range map[string]int{
		"classes": 1, "sessions": 1, "events": 1, "materials": 0, "passages": 0,
	} {
		var n int
		if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil || n != want {
			t.Errorf("%s holds %d rows, %v, want %d", table, n, err, want)
		}
	}
	if got := mustSession(t, s, other); got.Head != 1 {
		t.Errorf("the other class's session is %+v", got)
	}
}

// TestTimesDoNotGoBack turns the clock back between appends, and between two
// runs of the program.
func TestTimesDoNotGoBack(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	var id string
	for range 2 {
		s, err := Open(t.Context(), Options{Dir: dir, Now: func() time.Time { now = now.Add(-time.Hour); return now }})
		if err != nil {
			t.Fatal(err)
		}
		if id == "" {
			id = newSession(t, s)
		}
		for range 3 {
			mustAppend(t, s, id, delta("x"))
		}
		events, err := s.Read(t.Context(), id, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Time < events[0].Time {
				t.Errorf("event %d is of %v, the first of %v", e.ID, e.Time, events[0].Time)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Another holder gets the lease at the moment it expires, and not before.
func TestLeaseIsFreeOnceItExpired(t *testing.T) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id := newSession(t, s)
	first, err := s.Acquire(t.Context(), id, "first", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Minute - time.Millisecond)
	if _, err := s.Acquire(t.Context(), id, "second", time.Minute); !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("a moment before: got %v, want %v", err, classroom.ErrLeaseLost)
	}
	now = now.Add(time.Millisecond)
	if second, err := s.Acquire(t.Context(), id, "second", time.Minute); err != nil || second <= first {
		t.Errorf("at the expiry: got %d, %v, want more than %d", second, err, first)
	}
}

func TestReleaseAll(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	g, err := s.Acquire(t.Context(), id, "dead", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ReleaseAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), id, g, delta("from the grave")); !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("append with a released lease: got %v, want %v", err, classroom.ErrLeaseLost)
	}
	if next, err := s.Acquire(t.Context(), id, "alive", time.Hour); err != nil || next <= g {
		t.Errorf("acquired generation %d, %v, want more than %d", next, err, g)
	}
}
