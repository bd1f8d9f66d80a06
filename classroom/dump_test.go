package classroom

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// dump writes v whole, unexported fields too, without what is zero or empty:
// a nil slice and an empty one are the same to every reader of a fold, and a
// builder only holds what a text beside it shows.
func dump(v any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(v), 0)
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		dumpValue(b, v.Elem(), depth)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Type != reflect.TypeFor[strings.Builder]() && !blank(v.Field(i)) {
				dumpField(b, v.Type().Field(i).Name, v.Field(i), depth)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			dumpField(b, fmt.Sprintf("[%d]", i), v.Index(i), depth)
		}
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			fmt.Fprintf(b, "%s%v\n", strings.Repeat("  ", depth), v.Interface()) // fmt sorts the keys
			return
		}
		for _, k := range sortedCursors(v) {
			dumpField(b, fmt.Sprintf("[%d]", k.Int()), v.MapIndex(k), depth)
		}
	default:
		panic(fmt.Sprintf("dump: no form for %s", v.Type()))
	}
}

func dumpField(b *strings.Builder, name string, v reflect.Value, depth int) {
	indent := strings.Repeat("  ", depth)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case v.Type() == reflect.TypeFor[Stamp]():
		fmt.Fprintf(b, "%s%s %s\n", indent, name, Stamp(v.Int()))
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		fmt.Fprintf(b, "%s%s %s\n", indent, name, v.Bytes())
	case v.Kind() == reflect.String:
		fmt.Fprintf(b, "%s%s %q\n", indent, name, v.String())
	case v.CanInt():
		fmt.Fprintf(b, "%s%s %d\n", indent, name, v.Int())
	case v.Kind() == reflect.Bool:
		fmt.Fprintf(b, "%s%s %t\n", indent, name, v.Bool())
	default:
		fmt.Fprintf(b, "%s%s\n", indent, name)
		dumpValue(b, v, depth+1)
	}
}

// blank reports whether v is zero, empty, or a struct of which that is true of all fields.
func blank(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Type != reflect.TypeFor[strings.Builder]() && !blank(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

func sortedCursors(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	for i := range keys {
		for j := i; j > 0 && keys[j].Int() < keys[j-1].Int(); j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
		}
	}
	return keys
}

// firstDifference returns the first line in which two dumps differ, with what leads to it.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d\n got: %s\nwant: %s", i+1, around(g, i), around(w, i))
		}
	}
	return ""
}

func around(lines []string, i int) string {
	return strings.Join(lines[min(max(i-8, 0), len(lines)):min(i+2, len(lines))], "\n      ")
}

func TestDumpShowsEveryChange(t *testing.T) {
	f := Of([]Event{{ID: 1, Type: TypeUserMessage, Exchange: 1,
		Data: json.RawMessage(`{"text":"a\nb","delivery":"prompt"}`)}})
	before := dump(f)
	if want := `Text "a\nb"`; !strings.Contains(before, want) {
		t.Errorf("dump lacks %s:\n%s", want, before)
	}
	f.Cards[0].pending = []Link{{Kind: TypeCheckpoint}}
	if dump(f) == before {
		t.Error("dump does not show an unexported field")
	}
	f.Cards[0].pending = []Link{}
	if got := dump(f); got != before {
		t.Errorf("an empty slice is not as none: %s", firstDifference(got, before))
	}
}
