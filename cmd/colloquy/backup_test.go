package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/store"
)

func openStore(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: dir})
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

// The copy is taken beside a workbench that has the folder open, and what is
// put back from it is all there.
func TestBackupAndRestore(t *testing.T) {
	clearEnv(t)
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "colloquy-monday.db")
	running := openStore(t, dir)
	class, err := running.CreateClass(t.Context(), classroom.Class{Title: "Year 7", Mode: classroom.ModeQA})
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := say(t, "backup", file, "--data", dir)
	if err != nil || !strings.Contains(out, "colloquy-monday.db") || !strings.Contains(out, "restore") {
		t.Fatalf("backup: %q, %v", out, err)
	}
	restored := t.TempDir()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(restored, "colloquy.db"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := openStore(t, restored).Class(t.Context(), class.ID); err != nil || got.Title != "Year 7" {
		t.Errorf("restored: %+v, %v", got, err)
	}
}

func TestBackupNeverOverwrites(t *testing.T) {
	clearEnv(t)
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "mine.txt")
	openStore(t, dir)
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("COLLOQUY_DATA", dir)
	if _, _, err := say(t, "backup", file); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("got %v", err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file now holds %q, %v", text, err)
	}
}

func TestBackupOfNothing(t *testing.T) {
	clearEnv(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "copy.db")
	if _, _, err := say(t, "backup", file, "--data", filepath.Join(dir, "none")); err == nil ||
		!strings.Contains(err.Error(), "no Colloquy data") {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
