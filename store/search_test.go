package store

import (
	"context"
	"strings"
	"testing"
	"unicode"

	"colloquy/classroom"
)

func TestSearchForgetsWhatIsDeleted(t *testing.T) {
	s := openStore(t, t.TempDir())
	class := newClass(t, s)
	m, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: "Leaves"}, "Leaves are green.")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteMaterial(t.Context(), m.ID); err != nil {
		t.Fatal(err)
	}
	if got := search(t, s, class, "leaves"); len(got) > 0 {
		t.Errorf("found %q", got[0])
	}
	for _, table := range []string{"passages", "passage_index_docsize"} {
		var n int
		if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s keeps %d rows, %v", table, n, err)
		}
	}
}

// TestEveryWordIsAWord asks the index for every letter and digit that a query
// can hold. One that the index took for none would match all passages.
func TestEveryWordIsAWord(t *testing.T) {
	s := openStore(t, t.TempDir())
	class := newClass(t, s)
	if _, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: "a"}, "nothing of the kind"); err != nil {
		t.Fatal(err)
	}
	var no int64
	if err := s.read.QueryRowContext(t.Context(), `SELECT no FROM classes`).Scan(&no); err != nil {
		t.Fatal(err)
	}
	var batch []term
	check := func() {
		hits, err := s.hits(t.Context(), no, batch)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			t.Errorf("%q (%U) matches a text without it", batch[h.term].forms[0], []rune(batch[h.term].forms[0]))
		}
		batch = nil
	}
	for r := range rune(unicode.MaxRune) {
		if !inWord(r) || unicode.Is(unicode.Han, r) && r%16 != 0 { // the many ideographs by samples
			continue
		}
		for _, w := range words(string([]rune{r, r})) {
			batch = append(batch, term{forms: []string{w}})
		}
		batch = append(batch, signTerms(string([]rune{r, r}))...)
		if len(batch) >= 400 {
			check()
		}
	}
	check()
}

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"Why are leaves green?", `"`, `a" OR "b`, "NEAR(leaves green, 5)", "text : leaves", "-leaves", "le*", "^leaves",
		"什么是细胞", "ブラックホール ー", "\xff\xfe", "1 2 3", "Calvin Cycle, First World War", "e\u0301e\u0301", "\u0300\u0301", "ﬁﬂ ①② ½"} {
		f.Add(seed)
	}
	s, err := Open(context.Background(), Options{Dir: f.TempDir()})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := s.Close(); err != nil {
			f.Error(err)
		}
	})
	c, err := s.CreateClass(context.Background(), classroom.Class{Title: "fuzz"})
	if err != nil {
		f.Fatal(err)
	}
	m := classroom.Material{ClassID: c.ID, Name: "a"}
	if _, err := s.AddMaterial(context.Background(), m, "# Quokka habitat\n\nZyzzyva xylophone."); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, query string) {
		ps, err := s.SearchMaterials(t.Context(), c.ID, query, 3)
		if err != nil {
			t.Fatal(err)
		}
		folded := fold(query)
		if len(ps) > 0 && !strings.Contains(folded, "quokk") && !strings.Contains(folded, "habit") &&
			!strings.Contains(folded, "zyzz") && !strings.Contains(folded, "xyloph") {
			t.Errorf("%q found %v", query, ps)
		}
		if terms := queryTerms(query); len(terms) > maxTerms {
			t.Errorf("%d terms", len(terms))
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	s := openStore(b, b.TempDir())
	class := libraryClass(b, s)
	for b.Loop() {
		if _, err := s.SearchMaterials(b.Context(), class, "Why does the price rise when demand rises?", 5); err != nil {
			b.Fatal(err)
		}
	}
}

// What stands around the best passage comes with it, and nothing comes with
// nothing.
func TestSearchBringsWhatStandsAround(t *testing.T) {
	s := openStore(t, t.TempDir())
	class := libraryClass(t, s)
	found, err := s.SearchMaterials(t.Context(), class, "leaves green", 6)
	if err != nil || len(found) < 3 {
		t.Fatalf("%d passages, %v", len(found), err)
	}
	for _, p := range found {
		if p.Material != "photosynthesis" {
			t.Errorf("a passage of %s", p.Material)
		}
	}
	if found, err := s.SearchMaterials(t.Context(), class, "black hole", 6); err != nil || len(found) != 0 {
		t.Errorf("a miss brings %v, %v", found, err)
	}
}
