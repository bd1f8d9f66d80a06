package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"colloquy/store"
	"colloquy/store/storetest"
)

// notOfAStore are the interfaces of web, web/live and agents that something else than a
// store has.
var notOfAStore = map[string]string{
	"web.Runner":   "package agents",
	"web.Provider": "the connections to model servers",
	"live.Meter":   "the metrics of web",
}

// TestContractCoversEveryStoreMethod: whatever web, web/live and agents need of a store is
// proved by a suite, so that another store which passes the suites can take its place.
func TestContractCoversEveryStoreMethod(t *testing.T) {
	proved := map[string]bool{}
	for _, suite := range storetest.Suites() {
		for _, method := range suite.Methods {
			proved[method] = true
		}
	}
	needed := neededMethods(t)
	for of, methods := range needed {
		if notOfAStore[of] != "" {
			continue
		}
		for _, method := range methods {
			if !proved[method] {
				t.Errorf("%s needs %s, which no suite of store/storetest proves", of, method)
			}
		}
	}
	for of := range notOfAStore {
		if len(needed[of]) == 0 {
			t.Errorf("%s is no interface any more", of)
		}
	}
	for _, of := range []string{"web.Log", "web.Classes", "live.Log", "agents.Log", "agents.Leases", "agents.Library"} {
		if len(needed[of]) == 0 {
			t.Errorf("%s was not found: the test looks in the wrong place", of)
		}
	}
}

// TestSuitesCallWhatTheyProve: a suite names no method that the store does not have, or
// that no check calls.
func TestSuitesCallWhatTheyProve(t *testing.T) {
	var source strings.Builder
	for _, file := range files(t) {
		if path.Dir(file) == "store/storetest" {
			source.Write(read(t, file))
		}
	}
	has := reflect.TypeFor[*store.Store]()
	for _, suite := range storetest.Suites() {
		for _, method := range suite.Methods {
			if _, ok := has.MethodByName(method); !ok {
				t.Errorf("the suite of %s proves %s, which the store does not have", suite.Noun, method)
			}
			if !strings.Contains(source.String(), "."+method+"(") {
				t.Errorf("the suite of %s proves %s and never calls it", suite.Noun, method)
			}
		}
	}
}

// neededMethods returns the exported interfaces of web, web/live and agents, each with the
// methods that it declares itself.
func neededMethods(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, file := range files(t) {
		in := path.Dir(file)
		if !slices.Contains([]string{"web", "web/live", "agents"}, in) ||
			!strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, read(t, file), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() {
				return true
			}
			if i, ok := spec.Type.(*ast.InterfaceType); ok {
				of := parsed.Name.Name + "." + spec.Name.Name
				found[of] = append(found[of], methodNames(i)...)
			}
			return true
		})
	}
	return found
}

func methodNames(i *ast.InterfaceType) (names []string) {
	for _, field := range i.Methods.List {
		for _, name := range field.Names { // an embedded interface has none, and is declared elsewhere
			names = append(names, name.Name)
		}
	}
	return names
}
