package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// full asks for every case of a test that otherwise takes some of each kind.
var full = os.Getenv("COLLOQUY_FULL") != ""

// limit bounds every wait for another process.
const limit = 30 * time.Second

func TestMain(m *testing.M) {
	code := m.Run()
	quitChromium()
	removeBinary()
	os.Exit(code)
}

// some reports whether this run looks at a cell of a matrix: a full run looks at all, another at one of each row.
func some(row, column, columns int) bool { return full || row%columns == column }

// build compiles a package with what the tests themselves were compiled with.
func build(ctx context.Context, file, pkg string) (output string, err error) {
	args := []string{"build", "-tags", "sqlite_fts5", "-o", file}
	if raced {
		args = append(args, "-race")
	}
	out, err := exec.CommandContext(ctx, "go", append(args, pkg)...).CombinedOutput()
	return string(out), err
}

// A race in the server is found where the tests look for one: in what it prints.
func TestRacesAreFound(t *testing.T) {
	if !raced {
		t.Skip("this run is not made with -race")
	}
	t.Parallel()
	file := filepath.Join(t.TempDir(), "racy")
	if out, err := build(t.Context(), file, "./testdata/racy"); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	out, _ := exec.CommandContext(t.Context(), file).CombinedOutput()
	if !strings.Contains(string(out), dataRace) {
		t.Errorf("a program with a race prints %q", out)
	}
}
