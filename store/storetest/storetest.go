// Package storetest is the test suite that every store of session logs must pass, with
// SQLite or with another database.
package storetest

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"colloquy/classroom"
)

// A Log is a store of session logs.
type Log interface {
	Events
	Leases
	Sessions
	io.Closer
}

// Events appends and reads the events of sessions.
type Events interface {
	Append(ctx context.Context, sessionID string, lease int64, drafts ...classroom.Draft) ([]classroom.Event, error)
	Read(ctx context.Context, sessionID string, after classroom.Cursor, limit int) ([]classroom.Event, error)
	Head(ctx context.Context, sessionID string) (classroom.Cursor, error)
	Changed(sessionID string) <-chan struct{}
	SentBefore(ctx context.Context, sessionID, clientID string) (classroom.Event, bool, error)
}

// Leases decide which run may append.
type Leases interface {
	Acquire(ctx context.Context, sessionID, holder string, ttl time.Duration) (int64, error)
	Renew(ctx context.Context, sessionID string, generation int64, ttl time.Duration) error
	Release(ctx context.Context, sessionID string, generation int64) error
}

// Sessions creates and deletes sessions.
type Sessions interface {
	CreateClass(ctx context.Context, c classroom.Class) (classroom.Class, error)
	CreateSession(ctx context.Context, s classroom.Session, roster []classroom.Agent) (classroom.Session, error)
	DeleteSession(ctx context.Context, id string) error
}

// TestLog runs the suite. open opens the log in dir, and closes it when t ends unless
// the suite has closed it.
func TestLog(t *testing.T, open func(t *testing.T, dir string) Log) {
	for name, test := range map[string]func(*testing.T, Log){
		"cursors have no gaps under contention":      testGaplessCursors,
		"a batch is appended whole or not at all":    testBatch,
		"pages of a log are the log":                 testPages,
		"every event type is read as it was written": testEventTypes,
		"a missing session is not found":             testMissingSession,
		"a cancelled append is whole or absent":      testCancelledAppend,
		"Changed signals after the commit":           testChangedAfterCommit,
		"a reader that waits for Changed gets all":   testFollow,
		"a deleted session wakes its readers":        testDeletedSession,
		"a client id is accepted once":               testClientID,
		"times never decrease":                       testTimes,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t, t.TempDir())) })
	}
	t.Run("leases", func(t *testing.T) {
		l := open(t, t.TempDir())
		TestLeases(t, l, func() string { return newSession(t, l) })
	})
	t.Run("a reopened log is the same", func(t *testing.T) { testReopen(t, open) })
}

// newSession creates a session in a new class.
func newSession(t *testing.T, l Log) string {
	t.Helper()
	c, err := l.CreateClass(t.Context(), classroom.Class{Title: "Biology"})
	if err != nil {
		t.Fatal(err)
	}
	roster := []classroom.Agent{{ID: "ada", Name: "Ada", Role: classroom.Teacher}}
	s, err := l.CreateSession(t.Context(), classroom.Session{ClassID: c.ID, Title: "Leaves"}, roster)
	if err != nil {
		t.Fatal(err)
	}
	return s.ID
}

// delta is a draft with nothing but text.
func delta(text string) classroom.Draft {
	return classroom.Draft{
		Exchange: 1, Agent: "ada", Attempt: 1,
		Payload: classroom.MessageUpdate{MessageID: "m", Kind: classroom.BlockText, Delta: text},
	}
}

func message(clientID string) classroom.Draft {
	return classroom.Draft{
		Exchange: 1,
		Payload:  classroom.UserMessage{Text: "Why?", Delivery: classroom.Prompt, ClientID: clientID},
	}
}

func mustAppend(t *testing.T, l Log, id string, lease int64, drafts ...classroom.Draft) []classroom.Event {
	t.Helper()
	events, err := l.Append(t.Context(), id, lease, drafts...)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func mustRead(t *testing.T, l Log, id string, after classroom.Cursor, limit int) []classroom.Event {
	t.Helper()
	events, err := l.Read(t.Context(), id, after, limit)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func mustHead(t *testing.T, l Log, id string) classroom.Cursor {
	t.Helper()
	head, err := l.Head(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// checkCursors fails unless events are after+1, after+2, …
func checkCursors(t *testing.T, events []classroom.Event, after classroom.Cursor) {
	t.Helper()
	for i, e := range events {
		if want := after + classroom.Cursor(i) + 1; e.ID != want {
			t.Fatalf("event %d has cursor %d, want %d", i, e.ID, want)
		}
	}
}

// deltaText is the text of a delta event.
func deltaText(t *testing.T, e classroom.Event) string {
	t.Helper()
	p, err := classroom.Decode(e)
	if err != nil {
		t.Fatal(err)
	}
	u, ok := p.(classroom.MessageUpdate)
	if !ok {
		t.Fatalf("event %d is a %s, want a delta", e.ID, e.Type)
	}
	return u.Delta
}

func numbered(producer, batch, n int) string { return fmt.Sprintf("%d/%d/%d", producer, batch, n) }
