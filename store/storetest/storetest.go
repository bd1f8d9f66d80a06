// Package storetest holds the promises that any store of session logs must
// keep, as a test suite. Package store is held to it over SQLite; a store over
// another database is to be held to the same.
package storetest

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"colloquy/classroom"
)

// A Log is what the suite tries.
type Log interface {
	Journal
	Door
	Leases
	Maker
	io.Closer
}

// A Journal keeps events.
type Journal interface {
	Append(ctx context.Context, sessionID string, lease int64, drafts ...classroom.Draft) ([]classroom.Event, error)
	Read(ctx context.Context, sessionID string, after classroom.Cursor, limit int) ([]classroom.Event, error)
	Head(ctx context.Context, sessionID string) (classroom.Cursor, error)
}

// A Door tells of what comes and what has come.
type Door interface {
	Changed(sessionID string) <-chan struct{}
	SentBefore(ctx context.Context, sessionID, clientID string) (classroom.Event, bool, error)
}

// Leases say which run may write.
type Leases interface {
	Acquire(ctx context.Context, sessionID, holder string, ttl time.Duration) (int64, error)
	Renew(ctx context.Context, sessionID string, generation int64, ttl time.Duration) error
	Release(ctx context.Context, sessionID string, generation int64) error
}

// A Maker makes and removes what has logs.
type Maker interface {
	CreateClass(ctx context.Context, c classroom.Class) (classroom.Class, error)
	CreateSession(ctx context.Context, s classroom.Session, roster []classroom.Agent) (classroom.Session, error)
	DeleteSession(ctx context.Context, id string) error
}

// TestLog tries a log against every promise. open opens the log that is kept in
// dir; it must be closed when t ends, if it is not closed before.
func TestLog(t *testing.T, open func(t *testing.T, dir string) Log) {
	for name, test := range map[string]func(*testing.T, Log){
		"cursors have no gaps under contention":     gapFree,
		"a batch is appended whole or not at all":   allOrNone,
		"pages of a log are the log":                pages,
		"every kind of event comes back as it went": fidelity,
		"a missing session is not found":            missing,
		"nothing is half withdrawn":                 withdrawn,
		"the bell rings after the commit":           bellAfterCommit,
		"a reader with a bell misses nothing":       follow,
		"a deleted session wakes its readers":       deleted,
		"a message is taken once":                   sentOnce,
		"a lost lease is refused":                   lostLease,
		"a lease that lasts keeps others out":       heldLease,
		"generations only rise":                     generations,
		"times do not go back":                      times,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t, t.TempDir())) })
	}
	t.Run("a reopened log is the same", func(t *testing.T) { reopened(t, open) })
}

// session makes a session in a class of its own.
func session(t *testing.T, l Log) string {
	t.Helper()
	c, err := l.CreateClass(t.Context(), classroom.Class{Title: "Biology"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.CreateSession(t.Context(), classroom.Session{ClassID: c.ID, Title: "Leaves"}, []classroom.Agent{{ID: "ada", Name: "Ada", Role: classroom.Teacher}})
	if err != nil {
		t.Fatal(err)
	}
	return s.ID
}

// delta is an event that says nothing but text.
func delta(text string) classroom.Draft {
	return classroom.Draft{Exchange: 1, Agent: "ada", Attempt: 1, Payload: classroom.MessageUpdate{MessageID: "m", Kind: classroom.BlockText, Delta: text}}
}

func message(clientID string) classroom.Draft {
	return classroom.Draft{Exchange: 1, Payload: classroom.UserMessage{Text: "Why?", Delivery: classroom.Prompt, ClientID: clientID}}
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

// word is the text of a delta event.
func word(t *testing.T, e classroom.Event) string {
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
