package classroom

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// declaredTypes reads the constants of type Type out of the source, which is
// the one list that nobody can forget to extend.
func declaredTypes(t *testing.T) map[Type]bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "kinds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[Type]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); ok && id.Name == "Type" {
			for _, v := range spec.Values {
				name, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				out[Type(name)] = true
			}
		}
		return true
	})
	return out
}

func TestTypesAreAllThatAreDeclared(t *testing.T) {
	declared := declaredTypes(t)
	listed := map[Type]bool{}
	for _, typ := range Types() {
		listed[typ] = true
		if !declared[typ] {
			t.Errorf("%s is listed and not declared", typ)
		}
	}
	for typ := range declared {
		if !listed[typ] {
			t.Errorf("%s is declared and has no decoder", typ)
		}
	}
	if len(declared) < 26 {
		t.Errorf("only %d types are declared", len(declared))
	}
}

// TestEveryTypeHasItsCase compares what the server can append with what the
// fold knows, and with what a decoder makes of it.
func TestEveryTypeHasItsCase(t *testing.T) {
	for typ := range declaredTypes(t) {
		e := Event{ID: 1, Type: typ, Data: json.RawMessage(`{}`)}
		p, err := Decode(e)
		if err != nil || p == nil {
			t.Errorf("%s decodes to %v, %v", typ, p, err)
			continue
		}
		if p.EventType() != typ {
			t.Errorf("%s decodes to the payload of %s", typ, p.EventType())
		}
		if !new(Fold).apply(e, p) {
			t.Errorf("the fold has no case for %s", typ)
		}
	}
	if new(Fold).apply(Event{ID: 1}, telepathy{}) {
		t.Error("the fold claims to know a type that does not exist")
	}
}

type telepathy struct{}

func (telepathy) EventType() Type { return "telepathy" }

func TestDecodeSaysWhatIsUnknownAndWhatIsBroken(t *testing.T) {
	if p, err := Decode(Event{Type: "telepathy", Data: json.RawMessage(`{`)}); p != nil || err != nil {
		t.Errorf("an unknown type decodes to %v, %v", p, err)
	}
	for typ := range declaredTypes(t) {
		for _, data := range []string{"", "{", `[]`, `"x"`} {
			if p, err := Decode(Event{Type: typ, Data: json.RawMessage(data)}); err == nil {
				t.Errorf("%s of %q decodes to %v", typ, data, p)
			}
		}
	}
}
