package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	pathpkg "path"
	"strings"
	"testing"
	"unicode/utf8"
)

// Averages hide the longest files and functions, so the limits are maximums.
const (
	maxFile       = 400
	maxTestFile   = 600
	maxFunc       = 60
	maxTestFunc   = 100
	maxMethods    = 8
	maxParameters = 6
	maxColumns    = 120
	tabColumns    = 4
	refusedNames  = "manager helper util utils common base service controller processor impl"
)

func TestSizes(t *testing.T) {
	seen := 0
	for _, path := range files(t) {
		switch {
		case strings.HasSuffix(path, ".templ"):
			src := read(t, path)
			atMost(t, path, "lines", bytes.Count(src, []byte("\n")), maxFile)
			checkColumns(t, path, src)
		case strings.HasSuffix(path, ".go"):
			seen++
			checkGoFile(t, path, read(t, path))
		}
	}
	if seen < 20 {
		t.Errorf("only %d Go files were checked", seen)
	}
}

func TestColumns(t *testing.T) {
	for line, want := range map[string]int{"": 0, "abc": 3, "\tabc": 7, "\t\t": 8, "é…": 2, "a\tb": 6} {
		if got := columns([]byte(line)); got != want {
			t.Errorf("%q has %d columns, want %d", line, got, want)
		}
	}
}

// columns is the width of a line; each tab counts as tabColumns.
func columns(line []byte) int {
	return utf8.RuneCount(line) + (tabColumns-1)*bytes.Count(line, []byte("\t"))
}

func checkColumns(t *testing.T, path string, src []byte) {
	t.Helper()
	number := 0
	for line := range bytes.Lines(src) {
		number++
		if n := columns(bytes.TrimRight(line, "\r\n")); n > maxColumns {
			t.Errorf("%s:%d has %d columns, at most %d", path, number, n, maxColumns)
		}
	}
}

func checkGoFile(t *testing.T, path string, src []byte) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, src, parser.ParseComments)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	if ast.IsGenerated(f) {
		return
	}
	checkColumns(t, path, src)
	lines, body := maxFile, maxFunc
	if strings.HasSuffix(path, "_test.go") {
		lines, body = maxTestFile, maxTestFunc
	}
	atMost(t, path, "lines", set.File(f.Pos()).LineCount(), lines)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			atMost(t, path+": "+n.Name.Name, "lines", set.Position(n.End()).Line-set.Position(n.Pos()).Line+1, body)
			atMost(t, path+": "+n.Name.Name, "parameters", n.Type.Params.NumFields(), maxParameters)
		case *ast.TypeSpec:
			checkType(t, path, n)
		}
		return true
	})
}

func checkType(t *testing.T, path string, spec *ast.TypeSpec) {
	t.Helper()
	name := strings.ToLower(spec.Name.Name)
	for word := range strings.FieldsSeq(refusedNames) {
		if strings.HasSuffix(name, word) && !strings.HasSuffix(name, "data"+word) {
			t.Errorf("%s: the name %s does not say what it is; name the thing", path, spec.Name.Name)
		}
	}
	// The interface of a contract test has all methods of the contract.
	if i, ok := spec.Type.(*ast.InterfaceType); ok && !testOnly(pathpkg.Dir(path)) {
		atMost(t, path+": "+spec.Name.Name, "methods", i.Methods.NumFields(), maxMethods)
	}
}

func atMost(t *testing.T, what, unit string, got, limit int) {
	t.Helper()
	if got > limit {
		t.Errorf("%s has %d %s, at most %d", what, got, unit, limit)
	}
}
