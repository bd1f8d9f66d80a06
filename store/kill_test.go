package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"colloquy/classroom"
)

const victimFolder = "STORE_TEST_VICTIM"

// runVictim is the process that TestKill kills: it opens a folder, appends from
// many goroutines and prints each append once it is acknowledged.
func runVictim() {
	dir := os.Getenv(victimFolder)
	if dir == "" {
		return
	}
	if err := victim(context.Background(), dir); err != nil {
		fmt.Println("error", err)
	}
	os.Exit(1)
}

func victim(ctx context.Context, dir string) error {
	s, err := Open(ctx, Options{Dir: dir})
	if err != nil {
		return err
	}
	if err := s.SetAddress("http://127.0.0.1:8080"); err != nil {
		return err
	}
	sessions, err := s.Sessions(ctx, "")
	if err != nil {
		return err
	}
	errs := make(chan error)
	var mu sync.Mutex
	for p := range 16 {
		go func() {
			for n := 0; ; n++ {
				id := sessions[p%len(sessions)].ID
				events, err := s.Append(ctx, id, 0, delta(strings.Repeat("word ", p)), delta("second"))
				if err != nil {
					errs <- err
					return
				}
				mu.Lock()
				fmt.Println("kept", id, events[1].ID)
				mu.Unlock()
			}
		}()
	}
	return <-errs
}

// TestKill kills a writing process at random, again and again, and finds every
// acknowledged event, no gap, a sound file and a free folder. How long that takes is for
// BenchmarkOpenAfterKill.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	kept := map[string]classroom.Cursor{newSession(t, s): 1, newSession(t, s): 1, newSession(t, s): 1}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for round := range 6 {
		lines := 50 + rand.IntN(400)
		kill(t, dir, lines, kept)
		s := openStore(t, dir)
		for id, last := range kept {
			kept[id] = checkKept(t, s, id, last)
		}
		if round%2 == 0 {
			checkIntegrity(t, s)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// kill starts a victim, kills it after so many acknowledgements and notes them
// in kept.
func kill(t *testing.T, dir string, lines int, kept map[string]classroom.Cursor) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimFolder+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	for n := 0; ; n++ {
		if n == lines {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		line, err := in.ReadString('\n')
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		var id string
		var cursor classroom.Cursor
		if _, err := fmt.Sscanf(line, "kept %s %d\n", &id, &cursor); err != nil {
			t.Fatalf("process printed %q", line)
		}
		kept[id] = max(kept[id], cursor)
	}
	_ = cmd.Wait() // says that it was killed
}

// checkKept returns the session's head.
func checkKept(t *testing.T, s *Store, id string, last classroom.Cursor) classroom.Cursor {
	t.Helper()
	events, err := s.Read(t.Context(), id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range events {
		if e.ID != classroom.Cursor(i+1) {
			t.Fatalf("event %d of %s has cursor %d", i+1, id, e.ID)
		}
	}
	head := classroom.Cursor(len(events))
	if head < last {
		t.Errorf("session %s ends at %d, and %d was acknowledged", id, head, last)
	}
	if head%2 == 0 {
		t.Errorf("session %s ends at %d: in the middle of a batch", id, head)
	}
	next := mustAppend(t, s, id, delta("alive"), delta("again"))
	if next[0].ID != head+1 {
		t.Errorf("after %d came %d", head, next[0].ID)
	}
	return next[1].ID
}

func checkIntegrity(t *testing.T, s *Store) {
	t.Helper()
	var result string
	err := s.read.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&result)
	if err != nil || result != "ok" {
		t.Errorf("integrity check: %q, %v", result, err)
	}
	err = s.read.QueryRowContext(t.Context(), `PRAGMA foreign_key_check`).Scan(&result)
	if !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("foreign key check: %q, %v", result, err)
	}
}

// TestLockedFolder opens the folder of a living process, and of a killed one.
func TestLockedFolder(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	id := newSession(t, s)
	_, err := Open(t.Context(), Options{Dir: dir})
	locked, ok := errors.AsType[*LockedError](err)
	if !ok || locked.Address != "" {
		t.Fatalf("second open: got %v, want a LockedError without an address", err)
	}
	if err := s.SetAddress("http://127.0.0.1:8123/"); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Options{Dir: dir})
	if locked, ok = errors.AsType[*LockedError](err); !ok || locked.Address != "http://127.0.0.1:8123/" ||
		!strings.Contains(err.Error(), locked.Address) {
		t.Fatalf("second open: got %v, want a LockedError with http://127.0.0.1:8123/", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kill(t, dir, 10, map[string]classroom.Cursor{id: 1})
	openStore(t, dir)
	if _, err := Open(t.Context(), Options{Dir: dir}); err == nil || strings.Contains(err.Error(), "8080") {
		t.Errorf("after a kill: got %v, want a LockedError without the dead one's address", err)
	}
}

// waitForKill is where a process waits that killAtPoint has started.
func waitForKill() {
	fmt.Println("reached")
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
}

// killAtPoint starts this test binary with more in its environment, and kills it
// once it waits in waitForKill.
func killAtPoint(t *testing.T, env ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // says that it was killed
	if err != nil || line != "reached\n" {
		t.Fatalf("the process printed %q, %v", line, err)
	}
}
