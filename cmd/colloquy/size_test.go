package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	pathpkg "path"
	"strings"
	"testing"
)

// The tail decides how code reads, so the tail is capped.
const (
	maxFile         = 400
	maxTestFile     = 600
	maxFunc         = 60
	maxTestFunc     = 100
	maxMethods      = 8
	maxParameters   = 6
	refusedInOurOwn = "manager helper util utils common base service controller processor impl"
)

func TestSizes(t *testing.T) {
	seen := 0
	for _, path := range files(t) {
		switch {
		case strings.HasSuffix(path, ".templ"):
			atMost(t, path, "lines", bytes.Count(read(t, path), []byte("\n")), maxFile)
		case strings.HasSuffix(path, ".go"):
			seen++
			checkGoFile(t, path, read(t, path))
		}
	}
	if seen < 20 {
		t.Errorf("only %d Go files were looked at", seen)
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
	for word := range strings.FieldsSeq(refusedInOurOwn) {
		if strings.HasSuffix(name, word) && !strings.HasSuffix(name, "data"+word) {
			t.Errorf("%s: the name %s says nothing; name the thing", path, spec.Name.Name)
		}
	}
	if i, ok := spec.Type.(*ast.InterfaceType); ok && !testOnly(pathpkg.Dir(path)) { // a contract test asks for all of it
		atMost(t, path+": "+spec.Name.Name, "methods", i.Methods.NumFields(), maxMethods)
	}
}

func atMost(t *testing.T, what, unit string, got, limit int) {
	t.Helper()
	if got > limit {
		t.Errorf("%s has %d %s, at most %d", what, got, unit, limit)
	}
}
