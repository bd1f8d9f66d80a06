package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// worldly are calls into the world, and the rows that may make them: what a
// program is told comes in through cmd, and the nouns know no time of day.
var worldly = map[string][]string{
	"os.Getenv":    {"cmd"},
	"os.LookupEnv": {"cmd"},
	"os.Environ":   {"cmd"},
	"os.Args":      {"cmd"},
	"os.Exit":      {"cmd"},
	"os.Stdout":    {"cmd"},
	"os.Stderr":    {"cmd"},
	"log.Fatal":    nil,
	"log.Printf":   nil,
	"time.Now":     {"cmd", "store", "agents", "agents/llm", "web", "web/live", "templates", "static"},
	"time.Since":   {"cmd", "store", "agents", "agents/llm", "web", "web/live", "templates", "static"},
}

func TestWorldIsReachedFromItsPlace(t *testing.T) {
	for _, file := range files(t) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, call := range worldlyIn(t, file, read(t, file)) {
			t.Errorf("%s uses %s, which is for %s", file, call, strings.Join(worldly[call], ", "))
		}
	}
}

func TestWorldlyFinds(t *testing.T) {
	src := "package x\nimport (\"os\"; \"time\")\nvar a, b = os.Getenv(\"A\"), time.Now()\n"
	for file, want := range map[string]int{"classroom/x.go": 2, "web/x.go": 1, "cmd/colloquy/x.go": 0} {
		if got := worldlyIn(t, file, []byte(src)); len(got) != want {
			t.Errorf("%s: %v, want %d calls", file, got, want)
		}
	}
}

// worldlyIn are the calls of a file that its row may not make.
func worldlyIn(t *testing.T, file string, src []byte) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return nil
	}
	var found []string
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok {
			call := x.Name + "." + sel.Sel.Name
			if rows, listed := worldly[call]; listed && !slices.Contains(rows, rowOf(file)) {
				found = append(found, call)
			}
		}
		return true
	})
	return found
}
