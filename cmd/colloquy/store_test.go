package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"testing"

	"colloquy/agents"
	"colloquy/store"
	"colloquy/web"
)

// Every method of the store that packages web, web/live and agents use is called by a
// suite of store/storetest, which another store has to pass.
func TestSuitesCoverTheStore(t *testing.T) {
	called := callsIn(t, "../../store/storetest")
	used := 0
	for _, options := range []any{web.Options{}, agents.Options{}, struct{ agents.Library }{}} {
		for field := range reflect.TypeOf(options).Fields() {
			if field.Type.Kind() != reflect.Interface {
				continue
			}
			for method := range field.Type.Methods() {
				if _, ours := reflect.TypeFor[*store.Store]().MethodByName(method.Name); !ours {
					continue // of another implementation
				}
				if used++; !called[method.Name] {
					t.Errorf("%T.%s.%s: no suite calls it", options, field.Name, method.Name)
				}
			}
		}
	}
	if used < 50 {
		t.Errorf("only %d methods were found", used)
	}
}

// callsIn returns the names of the methods that the code of a package calls.
func callsIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	called := map[string]bool{}
	for _, f := range parsePackage(t, dir) {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if s, ok := call.Fun.(*ast.SelectorExpr); ok {
					called[s.Sel.Name] = true
				}
			}
			return true
		})
	}
	return called
}

// parsePackage returns the files of a package.
func parsePackage(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s has %d files: %v", dir, len(paths), err)
	}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}
