package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestArchitectureNamesWhatThereIs: each file and folder that docs/architecture.md
// names is in the repository.
func TestArchitectureNamesWhatThereIs(t *testing.T) {
	path := regexp.MustCompile("`((?:agents|classroom|cmd|docs|static|store|templates|web)/[a-z_/0-9.]+)`")
	found := path.FindAllSubmatch(read(t, "docs/architecture.md"), -1)
	if len(found) < 30 {
		t.Fatalf("only %d paths were found", len(found))
	}
	for _, m := range found {
		if _, err := os.Stat(filepath.Join(root(t), string(m[1]))); err != nil {
			t.Errorf("docs/architecture.md names %s: %v", m[1], err)
		}
	}
}
