package storetest

import (
	"errors"
	"fmt"
	"testing"

	"colloquy/classroom"
)

func testMaterials(t *testing.T, s Store) {
	ctx, class := t.Context(), newClass(t, s)
	text := "\ufeff# Leaves\n\nGreen, *all* of them.\n"
	given := classroom.Material{ClassID: class, Name: "Leaves.md", MediaType: "text/markdown", Pages: 1}
	m, err := s.AddMaterial(ctx, given, text)
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
		given := classroom.Material{ClassID: c.class, Name: c.name}
		if _, err := s.AddMaterial(ctx, given, c.text); !errors.Is(err, c.want) {
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
		m, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: "Leaves"}, "# Leaves\n\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.SearchMaterials(t.Context(), class, classroom.MaterialQuery{Question: "green leaves"})
		want := classroom.Passage{
			MaterialID: m.ID, Material: "Leaves", Section: "Leaves", From: 10, Language: "en", Text: text,
		}
		if got := found.Passages; err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("got %v, %v, want only %v", got, err, want)
		}
	}
	if _, err := s.SearchMaterials(t.Context(), "nobody",
		classroom.MaterialQuery{Question: "leaves"}); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("a missing class: got %v, want %v", err, classroom.ErrNotFound)
	}
}

func testSearchReturnsEachTextOnce(t *testing.T, s Store) {
	class := newClass(t, s)
	for i := range 5 {
		m := classroom.Material{ClassID: class, Name: fmt.Sprintf("copy %d", i)}
		if _, err := s.AddMaterial(t.Context(), m, "Leaves are green."); err != nil {
			t.Fatal(err)
		}
	}
	if got := search(t, s, class, "leaves"); len(got) != 1 {
		t.Errorf("found %q, want one", got)
	}
}

// search returns the texts of the passages that a search finds.
func search(t *testing.T, s Store, class, query string) (texts []string) {
	t.Helper()
	found, err := s.SearchMaterials(t.Context(), class, classroom.MaterialQuery{Question: query})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found.Passages {
		texts = append(texts, p.Text)
	}
	return texts
}

func testSearchKeepsTeachersTexts(t *testing.T, s Store) {
	class := newClass(t, s)
	text := "# Lab\n\nWeigh the quokka with care.\n\n# Solutions\n\nThe quokka weighs three kilograms." +
		"\n\n# End\n\nClean the scales."
	m, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: "Lab"}, text)
	if err != nil {
		t.Fatal(err)
	}
	if got := search(t, s, class, "how many kilograms"); len(got) > 0 {
		t.Errorf("pupils are shown %q", got)
	}
	q := classroom.MaterialQuery{Question: "how many kilograms", Staff: true}
	if got, err := s.SearchMaterials(t.Context(), class, q); err != nil || len(got.Passages) != 1 ||
		!got.Passages[0].Staff {
		t.Errorf("teachers find %+v, %v", got, err)
	}
	for staff, want := range map[bool]int{false: 2, true: 3} {
		all, err := s.NextPassages(t.Context(), m.ID, -1, 10, staff)
		if err != nil || len(all) != want || all[0].Section != "Lab" || all[want-1].Section != "End" {
			t.Errorf("staff %v: passages %+v, %v", staff, all, err)
		}
		next, err := s.NextPassages(t.Context(), m.ID, all[0].From, 1, staff)
		if err != nil || len(next) != 1 || next[0] != all[1] {
			t.Errorf("staff %v: after the first comes %+v, %v", staff, next, err)
		}
	}
}

// A search follows every change of the materials.
func testSearchFollowsChanges(t *testing.T, s Store) {
	class := newClass(t, s)
	if got := search(t, s, class, "quokka"); len(got) > 0 {
		t.Errorf("found %q in no material", got)
	}
	var ids []string
	for _, name := range []string{"one", "two"} {
		m, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: name}, "The quokka is "+name+".")
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.ID)
		if got := search(t, s, class, "quokka"); len(got) != len(ids) {
			t.Errorf("found %q in %d materials", got, len(ids))
		}
	}
	if err := s.DeleteMaterial(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	if got := search(t, s, class, "quokka"); len(got) != 1 {
		t.Errorf("after a deletion found %q", got)
	}
}

func testIndexIsWhole(t *testing.T, s Store) {
	if p, rebuilding := s.IndexProgress(); rebuilding {
		t.Errorf("the index of a new store is rebuilt: %+v", p)
	}
}
