package classroom

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestModes(t *testing.T) {
	for _, m := range Modes() {
		if got, ok := FindMode(m.ID); !ok || got.ID != m.ID || m.Agents < 1 {
			t.Errorf("%q is found as %+v", m.ID, got)
		}
	}
	if got := ModeOf("of a later version").ID; got != ModeQA {
		t.Errorf("a mode of a later version is %q", got)
	}
	for _, c := range []struct {
		mode          string
		asked, rounds int
	}{{ModeQA, 0, 0}, {ModeDebate, 0, 2}, {ModeDebate, 5, 5}, {ModeLecture, 99, MaxRounds}, {"", 0, 0}} {
		if got := ModeOf(c.mode).RoundsOf(c.asked); got != c.rounds {
			t.Errorf("%q, asked for %d: %d rounds", c.mode, c.asked, got)
		}
	}
}

// What differs between modes is in the registry: no other code asks which mode it is.
// The tutor does, until it is replaced.
func TestNothingComparesModes(t *testing.T) {
	constants := []string{"ModeQA", "ModeDiscussion", "ModeDebate", "ModeLecture"}
	names := func(e ast.Expr) bool {
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && slices.Contains(constants, id.Name)
			return !found
		})
		return found
	}
	files := 0
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		tested := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
			!strings.Contains(name, "/tutor/") && !strings.Contains(name, "/storetest/")
		if err != nil || d.IsDir() || !tested {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		files++
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CaseClause:
				if slices.ContainsFunc(n.List, names) {
					t.Errorf("%s switches on a mode", name)
				}
			case *ast.BinaryExpr:
				if (n.Op == token.EQL || n.Op == token.NEQ) && (names(n.X) || names(n.Y)) {
					t.Errorf("%s compares with a mode", name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || files < 200 {
		t.Errorf("%d files, %v", files, err)
	}
}
