package main

import (
	"go/ast"
	"strings"
	"testing"
)

// A check of store/storetest that no suite runs proves nothing, although its calls stand
// in the package for TestSuitesCoverTheStore.
func TestEveryCheckIsRun(t *testing.T) {
	declared, uses := map[string]bool{}, map[string]int{}
	for _, f := range parsePackage(t, "../../store/storetest") {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				name := n.Name.Name
				declared[name] = declared[name] || strings.HasPrefix(name, "test") || strings.HasPrefix(name, "check")
				uses[name]-- // by its declaration
			case *ast.Ident:
				uses[n.Name]++
			}
			return true
		})
	}
	checks := 0
	for name, is := range declared {
		if !is {
			continue
		}
		if checks++; uses[name] == 0 {
			t.Errorf("no suite runs %s", name)
		}
	}
	if checks < 40 {
		t.Errorf("only %d checks were found", checks)
	}
}
