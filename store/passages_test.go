package store

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"colloquy/classroom"
)

func TestSplit(t *testing.T) {
	long := strings.Repeat("A sentence of the paragraph. ", 20) // 580 bytes
	for name, c := range map[string]struct {
		text string
		want []passage
	}{
		"plain text":          {"One.\n\nTwo.", []passage{{"", "One.\n\nTwo."}}},
		"heading path":        {"# A\n\nx\n\n## B\n\ny\n\n### C ###\nz\n\n## *D*\nw", []passage{{"A", "x"}, {"A › B", "y"}, {"A › B › C", "z"}, {"A › D", "w"}}},
		"underlined headings": {"Title\n=====\n\nx\n\nPart\n---\ny", []passage{{"Title", "x"}, {"Title › Part", "y"}}},
		"skipped level":       {"### C\nx\n# A\ny", []passage{{"C", "x"}, {"A", "y"}}},
		"not a heading":       {"#tag\n\n####### seven\n\n    # code", []passage{{"", "#tag\n\n####### seven\n\n    # code"}}},
		"rule, not heading":   {"- item\n---\n\nafter", []passage{{"", "- item\n\nafter"}}},
		"table":               {"| a | b |\n| --- | --- |\n| 1 | 2 |", []passage{{"", "| a | b |\n| --- | --- |\n| 1 | 2 |"}}},
		"fence":               {"```\n# not a heading\n\nx\n```\ny", []passage{{"", "```\n# not a heading\n\nx\n```\n\ny"}}},
		"open fence":          {"~~~\n# no\n```", []passage{{"", "~~~\n# no\n```"}}},
		"front matter":        {"---\ntitle: X\n---\n# A\nx", []passage{{"A", "x"}}},
		"Windows lines":       {"# A\r\n\r\nx\r\ny\r\n", []passage{{"A", "x\ny"}}},
		"long section":        {"# A\n\n" + long + "\n\n" + long, []passage{{"A", strings.TrimSpace(long)}, {"A", strings.TrimSpace(long)}}},
		"short rest":          {"# A\n\n" + long + "\n\n" + strings.Repeat("m", 110) + "\n\nend", []passage{{"A", strings.TrimSpace(long) + "\n\n" + strings.Repeat("m", 110) + "\n\nend"}}},
		"headings only":       {"# A\n\n## B\n", nil},
		"nothing":             {" \n\t\n", nil},
	} {
		if got := split(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

func TestSplitCutsAtSentences(t *testing.T) {
	text := strings.Repeat("A short sentence stands here. ", 100)
	for _, p := range split(text) {
		if len(p.text) > mostPassage || !strings.HasPrefix(p.text, "A short") || !strings.HasSuffix(p.text, "here.") {
			t.Errorf("cut in a sentence: %q", p.text)
		}
	}
}

// FuzzSplit checks that passages are whole UTF-8, of bounded size, and hold
// every word of the text in order.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"# A\n\nx", "a\n===\nb", "```\nx", strings.Repeat("é", 900), strings.Repeat("光。", 900), "---\na: b\n---\nc",
		strings.Repeat("x\n\n", 50), "# \n#\n##", "- a\n---\n***", strings.Repeat(" a", 700), "~~~a\n~~~ b\n~~~"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		var said strings.Builder
		for _, p := range split(text) {
			if !utf8.ValidString(p.text) || strings.TrimSpace(p.text) == "" || len(p.text) > mostPassage+goalPassage {
				t.Fatalf("passage of %d bytes: %q", len(p.text), p.text)
			}
			said.WriteString(p.text)
		}
		for _, b := range blocks(text) {
			if b.level == 0 && !strings.Contains(squeeze(said.String()), squeeze(b.text)) {
				t.Fatalf("%q is lost", b.text)
			}
		}
	})
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func TestMaterials(t *testing.T) {
	s := openStore(t, t.TempDir())
	ctx, class := t.Context(), newClass(t, s)
	text := "\ufeff# Leaves\n\nGreen, *all* of them.\n"
	m, err := s.AddMaterial(ctx, classroom.Material{ClassID: class, Name: "Leaves.md", MediaType: "text/markdown", Pages: 1}, text)
	if err != nil {
		t.Fatal(err)
	}
	if m.ID == "" || m.Created == 0 || m.Bytes != len(text)-3 {
		t.Errorf("added %+v", m)
	}
	got, body, err := s.Material(ctx, m.ID)
	if err != nil || got != m || body != text[3:] {
		t.Errorf("read %+v %q, %v, want %+v and the text as it was", got, body, err, m)
	}
	for name, c := range map[string]struct {
		class, name, text string
		want              error
	}{
		"same name":     {class, "leaves.MD", "x", classroom.ErrDuplicateName},
		"no words":      {class, "b", "# only\n\n## headings", classroom.ErrFileEmpty},
		"not UTF-8":     {class, "b", "caf\xe9", classroom.ErrFileEncoding},
		"binary":        {class, "b", "a\x00b", classroom.ErrFileEncoding},
		"missing class": {"nobody", "b", "x", classroom.ErrNotFound},
	} {
		if _, err := s.AddMaterial(ctx, classroom.Material{ClassID: c.class, Name: c.name}, c.text); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	list, err := s.Materials(ctx, class)
	if err != nil || len(list) != 1 || list[0] != m {
		t.Errorf("list is %v, %v, want only %v", list, err, m)
	}
	if _, err := s.AddMaterial(ctx, classroom.Material{ClassID: newClass(t, s), Name: "Leaves.md"}, "x"); err != nil {
		t.Errorf("the same name in another class: %v", err)
	}
	if err := s.DeleteMaterial(ctx, m.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Material(ctx, m.ID); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("a deleted material: got %v, want %v", err, classroom.ErrNotFound)
	}
	if err := s.DeleteMaterial(ctx, m.ID); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("a second delete: got %v, want %v", err, classroom.ErrNotFound)
	}
}
