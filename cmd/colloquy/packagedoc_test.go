package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Each package says once what it promises, so nobody has to look for the
// second half of it.
func TestEachPackageHasOneComment(t *testing.T) {
	for _, p := range packages(t) {
		var found []string
		for _, name := range p.GoFiles {
			file := path.Join(p.ImportPath, name)
			if comment := packageComment(t, file); comment != "" {
				found = append(found, file)
				checkPackageComment(t, p.ImportPath, comment)
			}
		}
		if len(p.GoFiles) > 0 && len(found) != 1 {
			t.Errorf("%s has %d package comments, want one: %v", p.ImportPath, len(found), found)
		}
	}
}

func packageComment(t *testing.T, file string) string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root(t), filepath.FromSlash(file)), nil,
		parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if f.Doc == nil || ast.IsGenerated(f) {
		return ""
	}
	return f.Doc.Text()
}

func checkPackageComment(t *testing.T, importPath, comment string) {
	t.Helper()
	start := "Package " + path.Base(importPath) + " "
	if strings.HasPrefix(importPath, "cmd/") {
		start = "Command " + path.Base(importPath) + " "
	}
	if !strings.HasPrefix(comment, start) {
		t.Errorf("the comment of %s does not begin with %q", importPath, start)
	}
	if len(strings.Fields(comment)) < 12 {
		t.Errorf("the comment of %s promises nothing: %q", importPath, comment)
	}
}
