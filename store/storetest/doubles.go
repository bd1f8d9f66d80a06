package storetest

import (
	"context"
	"errors"
	"reflect"
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
	Acquire(ctx context.Context, sessionID, holder string, ttl time.Duration) (int64, error)
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
	checkRefusedAppends(t, l, session)
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

func checkRefusedAppends(t *testing.T, l RunLog, session string) {
	t.Helper()
	old, err := l.Acquire(t.Context(), session, "a", 0)
	if err != nil {
		t.Fatal(err)
	}
	current, err := l.Acquire(t.Context(), session, "a", time.Hour)
	if err != nil || current <= old {
		t.Fatalf("generation %d after %d, %v", current, old, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, refused := range map[string]func() error{
		"an old generation": func() error {
			_, err := l.Append(t.Context(), session, old, delta("x"))
			if !errors.Is(err, classroom.ErrLeaseLost) {
				t.Errorf("append with an old generation: %v", err)
			}
			return err
		},
		"an ended context":  func() error { _, err := l.Append(ended, session, current, delta("x")); return err },
		"a missing session": func() error { _, err := l.Append(t.Context(), "missing", 0, delta("x")); return err },
	} {
		if refused() == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	next, err := l.Append(t.Context(), session, current, delta("three"))
	if err != nil {
		t.Fatal(err)
	}
	checkCursors(t, next, 4)
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
