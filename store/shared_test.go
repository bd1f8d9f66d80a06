package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/store/storetest"
)

// openShared returns a store in dir beside others, closed with the test.
func openShared(t testing.TB, dir string, now func() time.Time) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir, Shared: true, Now: now})
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

// A shared store is a store like any other.
func TestSharedContract(t *testing.T) {
	storetest.TestStore(t, func(t *testing.T, dir string) storetest.Store { return openShared(t, dir, nil) })
}

func TestTwoStoresInOneFolder(t *testing.T) {
	storetest.TestTwoStores(t, func(t *testing.T, dir string, now func() time.Time) storetest.Store {
		return openShared(t, dir, now)
	})
}

// A folder is shared only by stores that all want it.
func TestOnlySharedStoresShare(t *testing.T) {
	dir := t.TempDir()
	alone := openStore(t, dir)
	_, err := Open(t.Context(), Options{Dir: dir, Shared: true})
	if _, locked := errors.AsType[*LockedError](err); !locked {
		t.Errorf("beside a store of its own: got %v, want a LockedError", err)
	}
	if err := alone.Close(); err != nil {
		t.Fatal(err)
	}
	openShared(t, dir, nil)
	shared := openShared(t, dir, nil)
	if _, err := Open(t.Context(), Options{Dir: dir}); err == nil {
		t.Error("a store of its own was opened beside shared ones")
	}
	id := newSession(t, shared)
	if _, err := shared.Acquire(t.Context(), id, "a", time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := shared.ReleaseAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := shared.Acquire(t.Context(), id, "b", time.Hour); !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("ReleaseAll ended a lease in a shared folder: %v", err)
	}
}

const secondFolder = "STORE_TEST_SECOND"

// runSecond is the second process of TestTwoProcesses. It opens a folder beside the
// first, carries out one command of each line, and prints one line for each.
func runSecond() {
	dir := os.Getenv(secondFolder)
	if dir == "" {
		return
	}
	late := time.Duration(0)
	now := func() time.Time { return time.Now().Add(late) }
	s, err := Open(context.Background(), Options{Dir: dir, Shared: true, Now: now})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	generation := int64(0)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		verb, id, _ := strings.Cut(in.Text(), " ")
		switch verb {
		case "acquire":
			g, err := s.Acquire(context.Background(), id, "second", time.Hour)
			generation = max(generation, g)
			fmt.Println(g != 0, err)
		case "append":
			events, err := s.Append(context.Background(), id, generation, delta("of the second"))
			fmt.Println(len(events), err)
		case "head":
			fmt.Println(s.Head(context.Background(), id))
		case "later":
			late += 2 * time.Hour
			fmt.Println("later")
		}
	}
	if err := s.Close(); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A second is a second process on the folder of a test.
type second struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

func startSecond(t *testing.T, dir string) *second {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), secondFolder+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close() // it closes its store and ends
		if err := cmd.Wait(); err != nil {
			t.Errorf("the second process: %v", err)
		}
	})
	return &second{t, in, bufio.NewReader(out)}
}

// want fails unless the process answers a command with that line.
func (p *second) want(command, line string) {
	p.t.Helper()
	if _, err := fmt.Fprintln(p.in, command); err != nil {
		p.t.Fatal(err)
	}
	got, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	if got = strings.TrimSuffix(got, "\n"); got != line {
		p.t.Errorf("%s: the second process printed %q, want %q", command, got, line)
	}
}

// TestTwoProcesses: of two processes in one folder, the second cannot steal a living
// lease. It gets one that has expired, and from then on the first cannot append.
func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	s := openShared(t, dir, nil)
	id := newSession(t, s)
	p := startSecond(t, dir)
	p.want("head "+id, "1 <nil>")
	first, err := s.Acquire(t.Context(), id, "first", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	append1 := func() error { _, err := s.Append(t.Context(), id, first, delta("of the first")); return err }
	if err := append1(); err != nil {
		t.Fatal(err)
	}
	p.want("acquire "+id, "false lease_lost")
	p.want("append "+id, "1 <nil>") // needs no lease: its generation is 0
	if err := append1(); err != nil {
		t.Errorf("the holder of a living lease: %v", err)
	}
	p.want("head "+id, "4 <nil>")

	p.want("later", "later")
	p.want("acquire "+id, "true <nil>")
	if err := append1(); !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("append of the old holder: got %v, want %v", err, classroom.ErrLeaseLost)
	}
	if err := s.Renew(t.Context(), id, first, time.Hour); !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("renew by the old holder: got %v, want %v", err, classroom.ErrLeaseLost)
	}
	p.want("append "+id, "1 <nil>")
	events, err := s.Read(t.Context(), id, 0, 0)
	if err != nil || len(events) != 5 || events[4].ID != 5 {
		t.Errorf("the first process reads %v, %v, want 5 events", events, err)
	}
}
