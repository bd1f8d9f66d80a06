package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"colloquy/classroom"
)

// TestBackup copies a store while somebody writes: the copy opens as a store
// and holds a prefix of the log, at least up to what was there before.
func TestBackup(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	for range 20 {
		mustAppend(t, s, id, delta("before"))
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			if _, err := s.Append(ctx, id, 0, delta("meanwhile")); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
	})
	dir := t.TempDir()
	file := filepath.Join(dir, fileName)
	if err := s.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	stop()
	wg.Wait()

	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 1 {
		t.Errorf("the folder of the copy holds %v, %v", names, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy may be read by others: %v, %v", info.Mode(), err)
	}
	restored := openStore(t, dir)
	head, err := restored.Head(t.Context(), id)
	if err != nil || head < 21 {
		t.Fatalf("the copy ends at %d, %v, want 21 or more", head, err)
	}
	checkIntegrity(t, restored)
	want, err := s.Read(t.Context(), id, 0, int(head))
	if err != nil {
		t.Fatal(err)
	}
	got, err := restored.Read(t.Context(), id, 0, 0)
	if err != nil || len(got) != len(want) || string(got[head-1].Data) != string(want[head-1].Data) {
		t.Errorf("the copy is not the log's prefix: %v", err)
	}
}

func TestBackupOverwritesNothing(t *testing.T) {
	s := openStore(t, t.TempDir())
	file := filepath.Join(t.TempDir(), "homework.txt")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want %v", err, fs.ErrExist)
	}
	if b, err := os.ReadFile(file); string(b) != "mine" || err != nil {
		t.Errorf("the file holds %q, %v", b, err)
	}
	missing := filepath.Join(t.TempDir(), "no", "such", "folder")
	if err := s.Backup(t.Context(), missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %v", err, fs.ErrNotExist)
	}
}

// TestFailedBackupLeavesNothing stops a copy: no half of it remains.
func TestFailedBackupLeavesNothing(t *testing.T) {
	s := openStore(t, t.TempDir())
	newSession(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	if err := s.Backup(ctx, filepath.Join(dir, "copy.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
		t.Errorf("left %v, %v", names, err)
	}
}

func TestStats(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	before, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, id, delta("a"), delta("b"))
	after, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if after.Events-before.Events != 2 || after.Commits-before.Commits != 1 || after.Failures != 0 ||
		after.FileBytes == 0 || after.WALBytes == 0 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

// Stats counts the changes that wait for the writer.
func TestStatsCountsWhatWaits(t *testing.T) {
	s := openStore(t, t.TempDir())
	began, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		err := s.change(t.Context(), func(*writer) error { close(began); <-release; return nil })
		if err != nil {
			t.Error(err)
		}
	})
	<-began
	waiting := &job{ctx: t.Context(), do: func(*writer) error { return nil }, done: make(chan struct{})}
	if err := s.queue.put(waiting); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Stats(t.Context()); err != nil || st.Waiting != 1 {
		t.Errorf("%d changes wait, %v, want 1", st.Waiting, err)
	}
	close(release)
	all.Wait()
	<-waiting.done
	if st, err := s.Stats(t.Context()); err != nil || st.Waiting != 0 {
		t.Errorf("%d changes wait, %v, want none", st.Waiting, err)
	}
}

// TestFolder opens a store in folders whose names mean something in an address.
func TestFolder(t *testing.T) {
	for _, name := range []string{"a b", "what?", "100%25", "#1", "ü", "x&mode=ro", "deep/er"} {
		dir := filepath.Join(t.TempDir(), name)
		s := openStore(t, dir)
		id := newSession(t, s)
		if err := s.Backup(t.Context(), filepath.Join(dir, "copy?.db")); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%q: others may look into the folder: %v, %v", name, info.Mode(), err)
		}
		if _, err := os.Stat(filepath.Join(dir, fileName)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, fileName+"-wal")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: a closed store left its write-ahead log: %v", name, err)
		}
		again := openStore(t, dir)
		if _, err := again.Session(t.Context(), id); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Dir: file}); err == nil {
		t.Error("a file was opened as a folder")
	}
}

// TestReadersCannotWrite holds that the pool for reads is one.
func TestReadersCannotWrite(t *testing.T) {
	s := openStore(t, t.TempDir())
	if _, err := s.read.ExecContext(t.Context(), `INSERT INTO settings (key, value) VALUES ('a', 'b')`); err == nil {
		t.Error("the readers' pool wrote")
	}
	if _, err := s.CreateClass(t.Context(), classroom.Class{Title: "still works"}); err != nil {
		t.Error(err)
	}
}

// TestDurability holds the settings that the promises rest on, on every
// connection that writes.
func TestDurability(t *testing.T) {
	s := openStore(t, t.TempDir())
	err := s.submit(&job{ctx: t.Context(), outsideTx: true, do: func(w *writer) error {
		for pragma, want := range map[string]string{
			"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "wal_autocheckpoint": "0",
			"journal_size_limit": "4194304", "busy_timeout": "5000",
		} {
			var got string
			if err := w.row(`PRAGMA ` + pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s is %q, %v, want %q", pragma, got, err, want)
			}
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
}
