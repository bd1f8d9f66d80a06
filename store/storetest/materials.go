package storetest

import (
	"context"
	"errors"
	"testing"

	"colloquy/classroom"
)

// Materials keeps the texts of classes.
type Materials interface {
	Material(ctx context.Context, id string) (classroom.Material, string, error)
	AddMaterial(ctx context.Context, m classroom.Material, text string) (classroom.Material, error)
	DeleteMaterial(ctx context.Context, id string) error
}

// A Library searches the texts of classes.
type Library interface {
	SearchMaterials(ctx context.Context, class, query string, limit int) ([]classroom.Passage, error)
	Materials(ctx context.Context, class string) ([]classroom.Material, error)
	IndexProgress() (classroom.Progress, bool)
}

var materialChecks = checks{
	"a material is read as it was written": testMaterials,
	"a search keeps to its class":          testSearchKeepsToItsClass,
	"a library finds what it has":          testLibrary,
}

func testMaterials(t *testing.T, s Store) {
	ctx, class := t.Context(), newClass(t, s)
	text := "\ufeff# Leaves\n\nGreen, *all* of them.\n"
	leaves := classroom.Material{ClassID: class, Name: "Leaves.md", MediaType: "text/markdown", Pages: 1}
	m, err := s.AddMaterial(ctx, leaves, text)
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
		m := classroom.Material{ClassID: c.class, Name: c.name}
		if _, err := s.AddMaterial(ctx, m, c.text); !errors.Is(err, c.want) {
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

func testSearchKeepsToItsClass(t *testing.T, s Store) {
	one, two := newClass(t, s), newClass(t, s)
	for _, class := range []string{one, two} {
		text := "Leaves are green in " + class + "."
		leaves := classroom.Material{ClassID: class, Name: "Leaves"}
		m, err := s.AddMaterial(t.Context(), leaves, "# Leaves\n\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.SearchMaterials(t.Context(), class, "green leaves", 0)
		want := classroom.Passage{MaterialID: m.ID, Material: "Leaves", Section: "Leaves", Text: text}
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("got %v, %v, want only %v", got, err, want)
		}
	}
	for _, query := range []string{"class1", "class2", "class"} {
		if got, err := s.SearchMaterials(t.Context(), one, query, 6); err != nil || len(got) > 0 {
			t.Errorf("%q found %v, %v: the index's own word leaks", query, got, err)
		}
	}
	if _, err := s.SearchMaterials(t.Context(), "nobody", "leaves", 1); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("a missing class: got %v, want %v", err, classroom.ErrNotFound)
	}
}

func testLibrary(t *testing.T, s Store) {
	class := newClass(t, s)
	TestLibrary(t, s, class, func(name, text string) {
		if _, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: name}, text); err != nil {
			t.Fatal(err)
		}
	})
}

// TestLibrary checks l, which has no materials of the class. add adds one.
func TestLibrary(t *testing.T, l Library, class string, add func(name, text string)) {
	t.Helper()
	search := func(query string, limit int) []classroom.Passage {
		t.Helper()
		found, err := l.SearchMaterials(t.Context(), class, query, limit)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if list, err := l.Materials(t.Context(), class); err != nil || len(list) != 0 || len(search("leaves", 6)) != 0 {
		t.Errorf("an empty library has %v, %v", list, err)
	}
	add("Volcanoes", "# Fire\n\nLava flows.\n\n# Ash\n\nLava cools.")
	add("Light", "# Leaves\n\nChlorophyll reflects green.")
	list, err := l.Materials(t.Context(), class)
	if err != nil || len(list) != 2 || list[0].Name != "Light" || list[1].Name != "Volcanoes" {
		t.Errorf("the materials are %+v, %v, want them by name", list, err)
	}
	found := search("Why does chlorophyll look green?", 6)
	if len(found) != 1 || found[0].Material != "Light" || found[0].Section != "Leaves" ||
		found[0].Text != "Chlorophyll reflects green." {
		t.Errorf("found %+v", found)
	}
	if found := search("quokka", 6); len(found) != 0 {
		t.Errorf("a word of no material finds %+v", found)
	}
	if one, all := search("lava", 1), search("lava", 6); len(one) != 1 || len(all) != 2 {
		t.Errorf("at most one passage is %+v, at most six are %+v", one, all)
	}
	if p, due := l.IndexProgress(); due {
		t.Errorf("the index of a new library is rebuilt: %+v", p)
	}
}
