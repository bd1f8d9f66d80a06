package storetest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"colloquy/classroom"
)

// A RunLog is what the turn runtime needs of a store. Its double in package agents
// passes [TestRunLog] too, so that what holds over the double holds over a store.
type RunLog interface {
	Append(ctx context.Context, sessionID string, lease int64, drafts ...classroom.Draft) ([]classroom.Event, error)
	Read(ctx context.Context, sessionID string, after classroom.Cursor, limit int) ([]classroom.Event, error)
	SentBefore(ctx context.Context, sessionID, clientID string) (classroom.Event, bool, error)
}

// RunLeases are the leases of a RunLog.
type RunLeases interface {
	RunLog
	Leases
}

// TestRunLog checks l, whose session has one event.
func TestRunLog(t *testing.T, l RunLog, session string) {
	t.Helper()
	sent, err := l.Append(t.Context(), session, 0, message("c"), delta("one"), delta("two"))
	if err != nil {
		t.Fatal(err)
	}
	checkCursors(t, sent, 1)
	whole, err := l.Read(t.Context(), session, 0, 100)
	if err != nil || !reflect.DeepEqual(asStored(t, whole[1:]), asStored(t, sent)) {
		t.Errorf("the log is %v, %v, want %v", whole, err, sent)
	}
	if page, err := l.Read(t.Context(), session, 2, 1); err != nil || len(page) != 1 || page[0].ID != 3 {
		t.Errorf("a page of one after 2 is %v, %v", page, err)
	}
	if rest, err := l.Read(t.Context(), session, 4, 10); err != nil || len(rest) != 0 {
		t.Errorf("after the head come %v, %v", rest, err)
	}
	checkClientIDs(t, l, session)
	checkRefusedAppends(t, l)
	if _, err := l.Read(t.Context(), "missing", 0, 1); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("read of a missing session: %v", err)
	}
}

func checkClientIDs(t *testing.T, l RunLog, session string) {
	t.Helper()
	if _, err := l.Append(t.Context(), session, 0, message("c")); !errors.Is(err, classroom.ErrClientIDReused) {
		t.Errorf("a client id that was used: %v", err)
	}
	if e, found, err := l.SentBefore(t.Context(), session, "c"); err != nil || !found || e.ID != 2 {
		t.Errorf("the message of the client id is %v, %v, %v", e, found, err)
	}
	if _, found, err := l.SentBefore(t.Context(), session, "never"); err != nil || found {
		t.Errorf("a client id that nobody used is found: %v", err)
	}
}

func checkRefusedAppends(t *testing.T, l RunLog) {
	t.Helper()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(ended, "missing", 0, delta("x")); err == nil {
		t.Error("an append whose context has ended was accepted")
	}
	if _, err := l.Append(t.Context(), "missing", 0, delta("x")); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("append to a missing session: %v", err)
	}
	if _, err := l.Append(t.Context(), "missing", 7, delta("x")); err == nil {
		t.Error("an append with a lease that never was is accepted")
	}
}

// TestRunLeases checks the leases of l, whose session has no lease.
func TestRunLeases(t *testing.T, l RunLeases, session string) {
	t.Helper()
	acquire := func(holder string, ttl time.Duration) int64 {
		t.Helper()
		g, err := l.Acquire(t.Context(), session, holder, ttl)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	refused := func(what string, generation int64) {
		t.Helper()
		_, appended := l.Append(t.Context(), session, generation, delta("x"))
		wantLost(t, "append "+what, appended)
		wantLost(t, "renew "+what, l.Renew(t.Context(), session, generation, time.Hour))
		wantLost(t, "release "+what, l.Release(t.Context(), session, generation))
	}
	refused("before there was a lease", 1)
	first := acquire("a", time.Hour)
	_, err := l.Acquire(t.Context(), session, "b", time.Hour)
	wantLost(t, "acquire of a living lease", err)
	if _, err := l.Append(t.Context(), session, first, delta("mine")); err != nil {
		t.Errorf("append of the holder: %v", err)
	}
	if err := l.Renew(t.Context(), session, first, -time.Second); err != nil { // expired by now
		t.Fatal(err)
	}
	second := acquire("b", time.Hour)
	if second <= first {
		t.Errorf("generation %d after %d", second, first)
	}
	refused("of the old holder", first)
	third := acquire("b", time.Hour) // its own may be acquired again
	refused("of the holder's lease before", second)
	if err := l.Release(t.Context(), session, third); err != nil {
		t.Fatal(err)
	}
	refused("after the release", third)
	if fourth := acquire("a", time.Hour); fourth <= third {
		t.Errorf("generation %d after %d", fourth, third)
	}
	_, err = l.Acquire(t.Context(), "missing", "a", time.Hour)
	if !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("acquire of a missing session: %v", err)
	}
}

// RunClasses are what the turn runtime reads of classes and of their sessions.
type RunClasses interface {
	RunLog
	Class(ctx context.Context, id string) (classroom.Class, error)
	Unfinished(ctx context.Context) ([]string, error)
}

// TestRunClasses checks c, which has that class and no unfinished session. open creates a
// session.
func TestRunClasses(t *testing.T, c RunClasses, class string, open func() string) {
	t.Helper()
	if got, err := c.Class(t.Context(), class); err != nil || got.ID != class || len(got.Roster) == 0 {
		t.Errorf("the class is %+v, %v", got, err)
	}
	if _, err := c.Class(t.Context(), "missing"); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("a missing class: %v", err)
	}
	first, second := open(), open()
	step := func(session string, p classroom.Payload, want ...string) {
		t.Helper()
		d := classroom.Draft{Exchange: 1, Attempt: 1, Payload: p}
		if _, err := c.Append(t.Context(), session, 0, d); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Unfinished(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("after %s unfinished are %v, %v, want %v", p.EventType(), got, err, want)
		}
	}
	step(first, classroom.UserMessage{Text: "Why?", Delivery: classroom.Prompt})
	step(second, classroom.RunStart{Prompt: 2}, second)
	step(first, classroom.RunStart{Prompt: 2}, first, second)
	step(second, classroom.RunInterrupt{Reason: "crash"}, first, second)
	step(first, classroom.RunEnd{Status: classroom.Completed}, second)
	step(second, classroom.RunResume{Reason: "restart"}, second)
	step(second, classroom.RunEnd{Status: classroom.Failed})
}

// A ReadLog is what streams need of a store. Its double for package web/live passes
// [TestReadLog] too.
type ReadLog interface {
	Read(ctx context.Context, sessionID string, after classroom.Cursor, limit int) ([]classroom.Event, error)
	Head(ctx context.Context, sessionID string) (classroom.Cursor, error)
	Changed(sessionID string) <-chan struct{}
}

// TestReadLog checks l. add appends one more event to its session.
func TestReadLog(t *testing.T, l ReadLog, session string, add func()) {
	t.Helper()
	head, err := l.Head(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	changed := l.Changed(session)
	select {
	case <-changed:
		t.Fatal("a change was signalled before there was one")
	default:
	}
	add()
	<-changed
	if now, err := l.Head(t.Context(), session); err != nil || now != head+1 {
		t.Errorf("the head is %d, %v, want %d", now, err, head+1)
	}
	add()
	events, err := l.Read(t.Context(), session, head, 10)
	if err != nil || len(events) != 2 {
		t.Fatalf("after the old head come %v, %v", events, err)
	}
	checkCursors(t, events, head)
	if page, err := l.Read(t.Context(), session, head, 1); err != nil || len(page) != 1 || page[0].ID != head+1 {
		t.Errorf("a page of one is %v, %v", page, err)
	}
	if rest, err := l.Read(t.Context(), session, head+2, 10); err != nil || len(rest) != 0 {
		t.Errorf("after the head come %v, %v", rest, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Read(ended, session, head, 10); err == nil {
		t.Error("a read whose context has ended was answered")
	}
}
