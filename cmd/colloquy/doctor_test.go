package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/store"
)

// modelFolder is a data folder that a program has used and left.
func modelFolder(t *testing.T, now time.Time, models ...classroom.Model) string {
	t.Helper()
	clearEnv(t)
	dir := filepath.Join(t.TempDir(), "data")
	s, err := store.Open(t.Context(), store.Options{Dir: dir, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	class, err := s.CreateClass(t.Context(), classroom.Class{Title: "A"})
	if err == nil {
		_, err = s.CreateSession(t.Context(), classroom.Session{ClassID: class.ID}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		if _, err := s.CreateModel(t.Context(), m, connectedKey); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// diagnosis runs the doctor, and checks that every fault has a remedy.
func diagnosis(t *testing.T, dir string) (string, error) {
	t.Helper()
	out, _, err := say(t, "doctor", "--data", dir)
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		sick := strings.HasPrefix(line, "warn") || strings.HasPrefix(line, "fail")
		if sick && (i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "        ")) {
			t.Errorf("no remedy for %q", line)
		}
	}
	if strings.Contains(out, connectedKey) || err != nil && strings.Contains(err.Error(), connectedKey) {
		t.Error("the key is shown")
	}
	if (err != nil) != strings.Contains("\n"+out, "\nfail") {
		t.Errorf("it ends with %v after\n%s", err, out)
	}
	return out, err
}

func TestDoctorFindsNothing(t *testing.T) {
	server := newModelServer(t, "alpha")
	dir := modelFolder(t, time.Now(),
		classroom.Model{Provider: "openai", BaseURL: server.url, Private: true, Name: "alpha"})
	out, err := diagnosis(t, dir)
	if err != nil || !strings.HasSuffix(out, "All checks passed.\n") && !strings.Contains(out, "warn  disk") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, about := range []string{
		"data folder", "lock", "disk", "database", "schema", "size", "clock", "model alpha",
	} {
		if !strings.Contains(out, about) {
			t.Errorf("nothing is said about the %s:\n%s", about, out)
		}
	}
}

func TestDoctorSeesWhoRuns(t *testing.T) {
	dir := modelFolder(t, time.Now())
	s, err := store.Open(t.Context(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.SetAddress("http://127.0.0.1:9"); err != nil {
		t.Fatal(err)
	}
	out, err := diagnosis(t, dir)
	if err != nil || !strings.Contains(out, "colloquy is running, at http://127.0.0.1:9") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestDoctorFinds(t *testing.T) {
	gone := classroom.Model{Provider: "openai", BaseURL: "http://127.0.0.1:1/v1", Private: true, Name: "alpha"}
	for name, c := range map[string]struct {
		harm func(t *testing.T) string
		want string
	}{
		"no folder": {func(t *testing.T) string {
			clearEnv(t)
			return filepath.Join(t.TempDir(), "none")
		}, "fail  data folder"},
		"a file in its place": {func(t *testing.T) string {
			clearEnv(t)
			file := filepath.Join(t.TempDir(), "file")
			write(t, file, "x")
			return file
		}, "fail  data folder"},
		"others may look in": {func(t *testing.T) string {
			dir := modelFolder(t, time.Now())
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			return dir
		}, "warn  data folder"},
		"others may read keys": {func(t *testing.T) string {
			dir := modelFolder(t, time.Now(), gone)
			if err := os.Chmod(store.KeyFile(dir), 0o644); err != nil {
				t.Fatal(err)
			}
			return dir
		}, "fail  key file"},
		"no database": {func(t *testing.T) string { clearEnv(t); return t.TempDir() }, "warn  database"},
		"a damaged database": {func(t *testing.T) string {
			dir := modelFolder(t, time.Now())
			write(t, filepath.Join(dir, "colloquy.db"), strings.Repeat("no database ", 1000))
			return dir
		}, "fail  database"},
		"a clock that stands still": {func(t *testing.T) string {
			return modelFolder(t, time.Now().Add(time.Hour))
		}, "fail  clock"},
		"a model that is away": {func(t *testing.T) string {
			return modelFolder(t, time.Now(), gone)
		}, "fail  model alpha"},
		"a model by its old name": {func(t *testing.T) string {
			return modelFolder(t, time.Now(), classroom.Model{
				Provider: "openai", BaseURL: newModelServer(t, "beta").url, Private: true, Name: "alpha",
			})
		}, "warn  model alpha"},
		"a model without a name": {func(t *testing.T) string {
			return modelFolder(t, time.Now(), classroom.Model{
				Provider: "openai", BaseURL: gone.BaseURL, Private: true,
			})
		}, "warn  model http://127.0.0.1:1/v1"},
		"a lost key file": {func(t *testing.T) string {
			dir := modelFolder(t, time.Now(), gone)
			if err := os.Remove(store.KeyFile(dir)); err != nil {
				t.Fatal(err)
			}
			return dir
		}, "its key cannot be decrypted"},
		"a model named at the start": {func(t *testing.T) string {
			dir := modelFolder(t, time.Now())
			t.Setenv("COLLOQUY_MODEL", "openai:beta")
			t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
			return dir
		}, "fail  model openai:beta"},
	} {
		t.Run(name, func(t *testing.T) {
			if out, _ := diagnosis(t, c.harm(t)); !strings.Contains(out, c.want) {
				t.Errorf("%q is not in\n%s", c.want, out)
			}
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
