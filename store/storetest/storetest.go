// Package storetest is the contract of a store: one suite for each noun that web, web/live
// and agents need of one. Every store must pass all of them, with SQLite or with another
// database. A double of a test that keeps some of the nouns in memory passes those parts
// that have a function of their own, such as [TestRunLog].
package storetest

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"
	"time"

	"colloquy/classroom"
)

// A Store is all that the suites need of a store.
type Store interface {
	Events
	Leases
	Classes
	Sessions
	Materials
	Library
	People
	Rights
	Models
	Settings
	io.Closer
}

// Events appends and reads the events of sessions.
type Events interface {
	RunLog
	ReadLog
}

// Leases decide which run may append.
type Leases interface {
	Acquire(ctx context.Context, sessionID, holder string, ttl time.Duration) (int64, error)
	Renew(ctx context.Context, sessionID string, generation int64, ttl time.Duration) error
	Release(ctx context.Context, sessionID string, generation int64) error
}

// checks are promises by their names. Each is checked on a store of its own.
type checks map[string]func(*testing.T, Store)

// A Suite proves the methods of one noun.
type Suite struct {
	Noun    string
	Methods []string
	checks  checks
}

// Suites returns the suites, and with them every method that is proved.
func Suites() []Suite {
	return []Suite{
		{"events", []string{"Append", "Read", "Head", "Changed", "SentBefore"}, eventChecks},
		{"leases", []string{"Acquire", "Renew", "Release"}, leaseChecks},
		{"classes", []string{
			"Class", "Classes", "CreateClass", "UpdateClass", "DeleteClass", "ClassSpent", "ReviewNotes",
			"ListsChanged",
		}, classChecks},
		{"sessions", []string{
			"Session", "Sessions", "CreateSession", "DeleteSession", "ForkSession", "SessionSpent", "Unfinished",
		}, sessionChecks},
		{"materials", []string{
			"Material", "Materials", "AddMaterial", "DeleteMaterial", "SearchMaterials", "IndexProgress",
		}, materialChecks},
		{"people", []string{"Person", "Owner", "CreatePerson", "RenamePerson"}, peopleChecks},
		{"rights", []string{
			"Memberships", "RightsChanged", "Link", "LinkByToken", "Links", "CreateLink", "RevokeLink",
		}, rightsChecks},
		{"models", []string{"Model", "Models", "CreateModel", "UpdateModel", "DeleteModel"}, modelChecks},
		{"settings", []string{"Setting", "SetSetting"}, settingChecks},
	}
}

// TestStore runs every suite. open opens the store in dir, and closes it when t ends
// unless the suite has closed it.
func TestStore(t *testing.T, open func(t *testing.T, dir string) Store) {
	for _, suite := range Suites() {
		t.Run(suite.Noun, func(t *testing.T) {
			for _, name := range slices.Sorted(maps.Keys(suite.checks)) {
				t.Run(name, func(t *testing.T) { suite.checks[name](t, open(t, t.TempDir())) })
			}
		})
	}
	t.Run("a reopened log is the same", func(t *testing.T) { testReopen(t, open) })
}

var eventChecks = checks{
	"cursors have no gaps under contention":      testGaplessCursors,
	"a batch is appended whole or not at all":    testBatch,
	"pages of a log are the log":                 testPages,
	"every event type is read as it was written": testEventTypes,
	"a missing session is not found":             testMissingSession,
	"a cancelled append is whole or absent":      testCancelledAppend,
	"Changed signals after the commit":           testChangedAfterCommit,
	"a reader that waits for Changed gets all":   testFollow,
	"a client id is accepted once":               testClientID,
	"times never decrease":                       testTimes,
	"a log is what a double's log is":            testAsDouble,
}

var leaseChecks = checks{
	"a lost lease is refused":        testLostLease,
	"a held lease excludes others":   testHeldLease,
	"generations only increase":      testGenerations,
	"leases are as those of doubles": testLeasesAsDouble,
}

var rightsChecks = checks{
	"a link ends for good": func(t *testing.T, s Store) { TestLinks(t, s, newSession(t, s)) },
	"memberships of a person": func(t *testing.T, s Store) {
		p, err := s.CreatePerson(t.Context(), classroom.Person{Name: "Kim", Role: classroom.PupilRole}, "")
		if err != nil {
			t.Fatal(err)
		}
		TestMemberships(t, s, newClass(t, s), p.ID)
	},
}

func testAsDouble(t *testing.T, s Store) {
	TestRunLog(t, s, newSession(t, s))
	id := newSession(t, s)
	TestReadLog(t, s, id, func() { mustAppend(t, s, id, 0, delta("x")) })
}

func testLeasesAsDouble(t *testing.T, s Store) {
	id := newSession(t, s)
	TestRunLeases(t, s, id)
	TestRunClasses(t, s, mustSession(t, s, id).ClassID, func() string { return newSession(t, s) })
}

// newSession creates a session in a new class.
func newSession(t *testing.T, s Store) string {
	t.Helper()
	session, err := s.CreateSession(t.Context(), classroom.Session{ClassID: newClass(t, s), Title: "Leaves"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return session.ID
}

// newClass creates a class of one agent and returns its id.
func newClass(t *testing.T, s Store) string {
	t.Helper()
	roster := []classroom.Agent{{ID: "ada", Name: "Ada", Role: classroom.Teacher}}
	c, err := s.CreateClass(t.Context(), classroom.Class{Title: "Biology", Roster: roster})
	if err != nil {
		t.Fatal(err)
	}
	return c.ID
}

func mustSession(t *testing.T, s Store, id string) classroom.Session {
	t.Helper()
	found, err := s.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return found
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

func mustAppend(t *testing.T, l Store, id string, lease int64, drafts ...classroom.Draft) []classroom.Event {
	t.Helper()
	events, err := l.Append(t.Context(), id, lease, drafts...)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func mustRead(t *testing.T, l Store, id string, after classroom.Cursor, limit int) []classroom.Event {
	t.Helper()
	events, err := l.Read(t.Context(), id, after, limit)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func mustHead(t *testing.T, l Store, id string) classroom.Cursor {
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
