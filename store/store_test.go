package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"colloquy/classroom"
	"colloquy/store/storetest"
)

func TestMain(m *testing.M) {
	runVictim() // returns unless this process was started to be killed
	runMigrationVictim()
	runRebuildVictim()
	runSecond()
	// A new scs manager starts this one; nothing of ours does.
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/alexedwards/scs/v2/memstore.(*MemStore).startCleanup"))
}

func TestStore(t *testing.T) {
	storetest.TestStore(t, func(t *testing.T, dir string) storetest.Store { return openStore(t, dir) })
}

// openStore returns an open store in dir that is closed with the test.
func openStore(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func newClass(t testing.TB, s *Store) string {
	t.Helper()
	c, err := s.CreateClass(t.Context(), classroom.Class{
		Title:  "Biology 7b",
		Roster: []classroom.Agent{{ID: "ada", Name: "Ada", Role: classroom.Teacher}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c.ID
}

// newSession returns the id of a session in a class of its own.
func newSession(t testing.TB, s *Store) string {
	t.Helper()
	session, err := s.CreateSession(t.Context(), classroom.Session{ClassID: newClass(t, s), Title: "Leaves"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return session.ID
}

func mustAppend(t testing.TB, s *Store, id string, drafts ...classroom.Draft) []classroom.Event {
	t.Helper()
	events, err := s.Append(t.Context(), id, 0, drafts...)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func mustSession(t testing.TB, s *Store, id string) classroom.Session {
	t.Helper()
	v, err := s.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func delta(text string) classroom.Draft {
	return classroom.Draft{
		Exchange: 1,
		Agent:    "ada",
		Attempt:  1,
		Payload:  classroom.MessageUpdate{MessageID: "m", Kind: classroom.BlockText, Delta: text},
	}
}

// A message is found by its own client id in its own session, and by no other.
func TestSentBeforeFindsThatMessage(t *testing.T) {
	s := openStore(t, t.TempDir())
	id, other := newSession(t, s), newSession(t, s)
	for _, client := range []string{"a", "b", "c"} {
		mustAppend(t, s, id, classroom.Draft{
			Payload: classroom.UserMessage{Text: client, Delivery: classroom.Prompt, ClientID: client},
		})
	}
	for i, client := range []string{"a", "b", "c"} {
		e, found, err := s.SentBefore(t.Context(), id, client)
		if err != nil || !found || e.ID != classroom.Cursor(i+2) {
			t.Errorf("message %s is event %d, %v, %v", client, e.ID, found, err)
		}
		if _, found, err := s.SentBefore(t.Context(), other, client); err != nil || found {
			t.Errorf("another session has message %s: %v", client, err)
		}
	}
	if e, found, err := s.SentBefore(t.Context(), id, "aa"); err != nil || found {
		t.Errorf("a message never sent is event %d, %v", e.ID, err)
	}
}

// A refusal is one sentence for people, so it comes as it is. Any other failure names
// the operation and the session, and what was withdrawn before its turn is not written.
func TestAppendSaysWhatFailed(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	if _, err := s.Append(t.Context(), id, 99, delta("x")); err != error(classroom.ErrLeaseLost) {
		t.Errorf("got %v, want %v and nothing around it", err, classroom.ErrLeaseLost)
	}
	withdrawn, withdraw := context.WithCancel(t.Context())
	withdraw()
	_, err := s.Append(withdrawn, id, 0, delta("x"))
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "append to "+id+": ") {
		t.Errorf("got %v, want the operation, the session and %v", err, context.Canceled)
	}
	if head, err := s.Head(t.Context(), id); err != nil || head != 1 {
		t.Errorf("the log ends at %d, %v, want 1", head, err)
	}
}

func TestOpenSaysWhichFolderFailed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{Dir: file})
	if err == nil || !strings.HasPrefix(err.Error(), "open store in "+file+": ") {
		t.Errorf("got %v, want the operation and the folder", err)
	}
}

// Discussions and cookie keys are nobody else's on the machine, whoever made
// the folder.
func TestFilesArePrivate(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	openStore(t, dir)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the rights %v, %v", e.Name(), info.Mode(), err)
		}
	}
}

// TestDoublesPromiseTheSame: the doubles of the other packages pass these two too.
func TestDoublesPromiseTheSame(t *testing.T) {
	s := openStore(t, t.TempDir())
	storetest.TestRunLog(t, s, newSession(t, s))
	id := newSession(t, s)
	storetest.TestReadLog(t, s, id, func() { mustAppend(t, s, id, delta("x")) })
}
