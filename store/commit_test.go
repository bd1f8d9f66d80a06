package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mattn/go-sqlite3"

	"colloquy/classroom"
)

// interleave runs two transactions that each read and then write, the second
// begun before the first ends, and returns the second's error.
func interleave(t *testing.T, options string) error {
	t.Helper()
	file := t.TempDir() + "/two.db"
	one, two := openRaw(t, file, options), openRaw(t, file, options)
	if _, err := one.ExecContext(t.Context(), `CREATE TABLE n (n INTEGER); INSERT INTO n VALUES (0)`); err != nil {
		t.Fatal(err)
	}
	first, err := one.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	read, wrote, second := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		tx, err := two.BeginTx(t.Context(), nil) // an immediate one waits here
		if err == nil {
			var n int
			err = tx.QueryRowContext(t.Context(), `SELECT n FROM n`).Scan(&n)
			close(read)
			<-wrote
			if err == nil {
				_, err = tx.ExecContext(t.Context(), `UPDATE n SET n = ?`, n+1)
			}
			err = errors.Join(err, tx.Commit())
		}
		second <- err
	}()
	if !strings.Contains(options, "immediate") {
		<-read
	}
	_, err = first.ExecContext(t.Context(), `UPDATE n SET n = n + 1`)
	if err := errors.Join(err, first.Commit()); err != nil {
		t.Fatal(err)
	}
	close(wrote)
	return <-second
}

func openRaw(t *testing.T, file, options string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", address(file, options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestTransactionsBeginWriting(t *testing.T) {
	if err := interleave(t, writeOptions); err != nil {
		t.Errorf("immediate transactions: %v", err)
	}
	deferred := strings.Replace(writeOptions, "_txlock=immediate", "_txlock=deferred", 1)
	if err := interleave(t, deferred); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("deferred transactions: got %v, want the trouble that immediate ones are for", err)
	}
}

// TestFailedCommit makes the disk refuse a commit: nobody hears of it, and what
// follows has no gap.
func TestFailedCommit(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	mustAppend(t, s, id, delta("kept"))
	changed, listsChanged := s.Changed(id), s.ListsChanged()
	refuseCommits(t, s, true)
	_, err := s.Append(t.Context(), id, 0, delta("lost"))
	if err == nil || !strings.Contains(err.Error(), "commit") {
		t.Errorf("append: got %v, want a failed commit", err)
	}
	if _, err := s.CreateClass(t.Context(), classroom.Class{Title: "lost"}); err == nil {
		t.Error("a class was created by a commit that failed")
	}
	refuseCommits(t, s, false)
	select {
	case <-changed:
		t.Error("Changed signalled an event that is not on disk")
	case <-listsChanged:
		t.Error("ListsChanged signalled a change that is not on disk")
	default:
	}
	if next := mustAppend(t, s, id, delta("next")); next[0].ID != 3 {
		t.Errorf("after a failed commit came %d, want 3", next[0].ID)
	}
	checkMemoryIsOnDisk(t, s, id)
	st, err := s.Stats(t.Context())
	if err != nil || st.Failures != 2 {
		t.Errorf("stats count %d failures, %v, want 2", st.Failures, err)
	}
}

// checkMemoryIsOnDisk compares the events of a session that followers get from
// memory with those in the database.
func checkMemoryIsOnDisk(t *testing.T, s *Store, id string) {
	t.Helper()
	inMemory, ok := s.recent.after(id, 1, 0)
	onDisk, err := s.events(t.Context(), selectEvents+`e.cursor > 1 ORDER BY e.cursor`, id)
	if !ok || err != nil || len(inMemory) != len(onDisk) {
		t.Fatalf("memory has %d events (%v), the database %d (%v)", len(inMemory), ok, len(onDisk), err)
	}
	for i, e := range onDisk {
		if inMemory[i].ID != e.ID || string(inMemory[i].Data) != string(e.Data) {
			t.Errorf("memory has %v where the database has %v", inMemory[i], e)
		}
	}
}

func refuseCommits(t *testing.T, s *Store, refuse bool) {
	t.Helper()
	err := s.submit(&job{ctx: t.Context(), outsideTx: true, do: func(w *writer) error {
		return w.conn.Raw(func(c any) error {
			var hook func() int
			if refuse {
				hook = func() int { return 1 }
			}
			c.(*sqlite3.SQLiteConn).RegisterCommitHook(hook)
			return nil
		})
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNeighbours commits a failing change together with good ones, before and
// after it.
func TestNeighbours(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	mustAppend(t, s, id, delta("first")) // so that lists do not change with the next
	boom := errors.New("boom")
	var err error
	jobs := []*job{
		{do: func(w *writer) error { return w.append(id, 0, drafts("a"), encoded(t, "a")) }, checksFirst: true},
		{do: func(w *writer) error {
			if _, err := w.exec(`INSERT INTO settings (key, value) VALUES ('half', 'done')`); err != nil {
				return err
			}
			if err := w.append(id, 0, drafts("b"), encoded(t, "b")); err != nil {
				return err
			}
			w.listsChanged = true
			return boom
		}},
		{do: func(w *writer) error { return classroom.ErrLeaseLost }, checksFirst: true},
		{do: func(w *writer) error { return w.append(id, 0, drafts("c"), encoded(t, "c")) }, checksFirst: true},
	}
	listsChanged := s.ListsChanged()
	inOneGroup(t, s, jobs)
	for i, want := range []error{nil, boom, classroom.ErrLeaseLost, nil} {
		if !errors.Is(jobs[i].err, want) {
			t.Errorf("job %d: got %v, want %v", i, jobs[i].err, want)
		}
	}
	events, err := s.Read(t.Context(), id, 2, 0)
	if err != nil || len(events) != 2 || events[0].ID != 3 || events[1].ID != 4 {
		t.Errorf("log holds %v, %v, want the first and the last append", events, err)
	}
	checkMemoryIsOnDisk(t, s, id)
	if _, ok, err := s.Setting(t.Context(), "half"); ok || err != nil {
		t.Errorf("a failed change left half of itself: %v, %v", ok, err)
	}
	select {
	case <-listsChanged:
		t.Error("ListsChanged signalled a change that failed")
	default:
	}
}

func drafts(text string) []classroom.Draft { return []classroom.Draft{delta(text)} }

func encoded(t *testing.T, text string) []classroom.Event {
	e, err := delta(text).Encode(0, 0)
	if err != nil {
		t.Error(err)
	}
	return []classroom.Event{e}
}

// inOneGroup holds the writer until all jobs are in the queue.
func inOneGroup(t *testing.T, s *Store, jobs []*job) {
	t.Helper()
	hold, held := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = s.submit(
			&job{ctx: t.Context(), outsideTx: true, do: func(*writer) error { close(held); <-hold; return nil }},
		)
	})
	<-held
	for _, j := range jobs {
		j.ctx, j.done = context.WithoutCancel(t.Context()), make(chan struct{})
		if err := s.queue.put(j); err != nil {
			t.Fatal(err)
		}
	}
	close(hold)
	for _, j := range jobs {
		<-j.done
	}
	wg.Wait()
}

// TestContention has twenty sessions stream while logins, uploads and posts
// come in: nothing fails, nothing is lost.
func TestContention(t *testing.T) {
	s := openStore(t, t.TempDir())
	class := newClass(t, s)
	ids := make([]string, 20)
	var wg sync.WaitGroup
	for i := range ids {
		ids[i] = newSession(t, s)
	}
	try := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	for i, id := range ids {
		wg.Go(func() {
			for n := range 60 {
				_, err := s.Append(t.Context(), id, 0, delta("streamed"))
				try(err)
				if n%20 == 0 {
					_, err := s.Read(t.Context(), ids[(i+1)%len(ids)], 0, 0)
					try(err)
				}
			}
		})
	}
	for i := range 50 {
		wg.Go(func() {
			name := fmt.Sprintf("note %d", i)
			_, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: name},
				"# "+name+"\n\nLeaves are green.")
			try(err)
			_, err = s.CreatePerson(t.Context(), classroom.Person{Name: name, Role: classroom.TeacherRole}, "")
			try(err)
			try(s.Logins().CommitCtx(t.Context(), name, []byte("x"), s.now().Add(1e9)))
			_, err = s.CreateSession(t.Context(), classroom.Session{ClassID: class, Title: name}, nil)
			try(err)
			_, err = s.SearchMaterials(t.Context(), class, classroom.MaterialQuery{Question: "green leaves"})
			try(err)
		})
	}
	wg.Wait()
	for _, id := range ids {
		if head, err := s.Head(t.Context(), id); err != nil || head != 61 {
			t.Errorf("session ends at %d, %v, want 61", head, err)
		}
	}
	ms, err := s.Materials(t.Context(), class)
	if err != nil || len(ms) != 50 {
		t.Errorf("%d materials, %v, want 50", len(ms), err)
	}
	checkIntegrity(t, s)
}
