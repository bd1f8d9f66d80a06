package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// root is the top of the repository, where the house rules apply.
func root(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// files are the paths of the repository's files, slashed and below root: those
// git keeps, or all of them where this is no clone.
func files(t *testing.T) []string {
	t.Helper()
	top := root(t)
	list := exec.Command("git", "-C", top, "-c", "safe.directory="+top, "ls-files", "-z")
	out, err := list.Output()
	if err != nil {
		return walk(t, top)
	}
	var paths []string
	for path := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		if _, err := os.Lstat(filepath.Join(top, path)); err == nil {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		t.Fatal("git keeps no file here")
	}
	return paths
}

func walk(t *testing.T, top string) []string {
	t.Helper()
	var paths []string
	err := fs.WalkDir(os.DirFS(top), ".", func(path string, d fs.DirEntry, err error) error {
		if path == ".git" || path == "bin" || path == "dist" {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A listed package is what go list says of one of ours, its path below the module.
type listed struct {
	ImportPath   string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

const module = "colloquy"

func packages(t *testing.T) []listed {
	t.Helper()
	list := exec.Command("go", "list", "-e", "-tags=sqlite_fts5",
		"-json=ImportPath,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports", "./...")
	list.Dir = root(t)
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = ours(p.ImportPath)
		all = append(all, p)
	}
	if len(all) < 4 {
		t.Fatalf("go list names %d packages", len(all))
	}
	return all
}

// ours is an import path below the module, or "" for somebody else's.
func ours(path string) string {
	if path == module {
		return "."
	}
	below, ok := strings.CutPrefix(path, module+"/")
	if !ok {
		return ""
	}
	return below
}
