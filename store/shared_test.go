package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
)

// What the second process of a test is given in its environment.
const (
	sharedFolder  = "COLLOQUY_TEST_SHARED_FOLDER"
	sharedSession = "COLLOQUY_TEST_SHARED_SESSION"
)

// runSecond carries out the lines of its input on a shared store and answers each with a
// line. It returns unless this process was started by [startSecond].
func runSecond() {
	dir, id := os.Getenv(sharedFolder), os.Getenv(sharedSession)
	if dir == "" {
		return
	}
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: dir, Shared: true})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	var generation int64
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch in.Text() {
		case "acquire":
			generation, err = s.Acquire(ctx, id, "second", time.Hour)
		case "append":
			_, err = s.Append(ctx, id, generation, delta("of the second"))
		}
		fmt.Println(answer(err))
	}
	if err := s.Close(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func answer(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, classroom.ErrLeaseLost):
		return "lost"
	}
	return err.Error()
}

// startSecond starts a second process on the folder of s. The function that it returns
// has that process do something, and returns what it answers.
func startSecond(t *testing.T, dir, session string) (do func(what string) string) {
	t.Helper()
	second := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0])
	second.Env = append(os.Environ(), sharedFolder+"="+dir, sharedSession+"="+session)
	second.Stderr = os.Stderr
	in, err := second.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := second.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := second.Wait(); err != nil {
			t.Errorf("the second process: %v", err)
		}
	})
	lines := bufio.NewScanner(out)
	return func(what string) string {
		fmt.Fprintln(in, what)
		if !lines.Scan() {
			t.Fatalf("the second process answered nothing to %s: %v", what, lines.Err())
		}
		return lines.Text()
	}
}

// Of two stores on one folder, in one process or in two, the second cannot take a lease
// that lives; once it has taken one that expired, the first appends no more.
func TestTwoStoresOnOneFolder(t *testing.T) {
	for name, start := range map[string]func(t *testing.T, dir, session string) func(string) string{
		"in one process": openSecond, "in two processes": startSecond,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, dir)
			id := newSession(t, s)
			do := start(t, dir, id)
			g, err := s.Acquire(t.Context(), id, "first", time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			mustAppendAs(t, s, id, g, "one")
			if got := do("acquire"); got != "lost" {
				t.Errorf("the second acquires a lease that lives: %s", got)
			}
			mustAppendAs(t, s, id, g, "two")
			if err := s.Renew(t.Context(), id, g, -time.Hour); err != nil {
				t.Fatal(err)
			}
			for _, what := range []string{"acquire", "append", "append"} {
				if got := do(what); got != "done" {
					t.Errorf("the second is to %s after the expiry: %s", what, got)
				}
			}
			for what, err := range map[string]error{
				"append":  second(s.Append(t.Context(), id, g, delta("late"))),
				"renew":   s.Renew(t.Context(), id, g, time.Hour),
				"acquire": second(s.Acquire(t.Context(), id, "first", time.Hour)),
			} {
				if !errors.Is(err, classroom.ErrLeaseLost) {
					t.Errorf("the first is to %s: %v", what, err)
				}
			}
			soFar := []string{"one", "two", "of the second", "of the second"}
			checkTexts(t, s, id, soFar...)
			mustAppend(t, s, id, delta("without a lease"))
			if got := do("append"); got != "done" {
				t.Errorf("the second goes on: %s", got)
			}
			mustAppend(t, s, id, delta("last"))
			checkTexts(t, s, id, append(soFar, "without a lease", "of the second", "last")...)
		})
	}
}

func second[T any](_ T, err error) error { return err }

// openSecond is [startSecond] with a second store in this process.
func openSecond(t *testing.T, dir, session string) func(string) string {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir, Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	var generation int64
	return func(what string) string {
		var err error
		if what == "acquire" {
			generation, err = s.Acquire(t.Context(), session, "second", time.Hour)
		} else {
			_, err = s.Append(t.Context(), session, generation, delta("of the second"))
		}
		return answer(err)
	}
}

func mustAppendAs(t *testing.T, s *Store, id string, generation int64, text string) {
	t.Helper()
	if _, err := s.Append(t.Context(), id, generation, delta(text)); err != nil {
		t.Fatal(err)
	}
}

// checkTexts fails unless the log holds these texts after its first event, page by page.
func checkTexts(t *testing.T, s *Store, id string, want ...string) {
	t.Helper()
	at := classroom.Cursor(1)
	for _, text := range want {
		events, err := s.Read(t.Context(), id, at, 1)
		if err != nil || len(events) != 1 || events[0].ID != at+1 || !strings.Contains(string(events[0].Data), text) {
			t.Fatalf("after %d comes %v, %v, want %q", at, events, err, text)
		}
		at++
	}
	if head, err := s.Head(t.Context(), id); err != nil || head != at {
		t.Errorf("the head is %d, %v, want %d", head, err, at)
	}
}

func TestSharedStoreMigratesNothing(t *testing.T) {
	dir := unpackVersion(t, "testdata/versions/schema-2")
	_, err := Open(t.Context(), Options{Dir: dir, Shared: true})
	if err == nil || !strings.Contains(err.Error(), "schema 2") {
		t.Errorf("a shared store of an older schema: %v", err)
	}
}
