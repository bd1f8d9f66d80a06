package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The generated code in the tree is what the templates say, so that nobody
// needs the generator to build.
func TestGeneratedCodeIsUpToDate(t *testing.T) {
	t.Parallel()
	all := files(t)
	if !slices.ContainsFunc(all, func(file string) bool { return strings.HasSuffix(file, ".templ") }) {
		t.Skip("there are no templates")
	}
	for _, file := range all {
		source, generated := strings.CutSuffix(file, "_templ.go")
		if generated && !slices.Contains(all, source+".templ") {
			t.Errorf("%s is generated from nothing", file)
		}
	}
	check := exec.Command("go", "tool", "templ", "generate", "-include-version=false", "-path=templates",
		"-check", "-keep-orphaned-files")
	check.Dir = root(t)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("run make generate: %v\n%s", err, out)
	}
}
