package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colloquy/classroom"
)

// libraryClass returns a class that has every text of the starter library.
func libraryClass(t testing.TB, s *Store) string {
	t.Helper()
	class := newClass(t, s)
	files, err := filepath.Glob("../cmd/colloquy/library/*.md")
	if err != nil || len(files) < 4 {
		t.Fatalf("the library has %d texts, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m := classroom.Material{ClassID: class, Name: strings.TrimSuffix(filepath.Base(f), ".md"),
			MediaType: "text/markdown"}
		if _, err := s.AddMaterial(t.Context(), m, string(text)); err != nil {
			t.Fatal(err)
		}
	}
	return class
}

// found returns "material: innermost heading: text" of the best passages.
func found(t testing.TB, s *Store, class, query string) []string {
	t.Helper()
	found, err := s.SearchMaterials(t.Context(), class, classroom.MaterialQuery{Question: query})
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	var out []string
	for _, p := range found.Passages {
		headings := strings.Split(p.Section, " › ")
		out = append(out, p.Material+": "+headings[len(headings)-1]+": "+p.Text)
	}
	return out
}

// Any text is a question.
func TestSearchTakesAnyText(t *testing.T) {
	s := openStore(t, t.TempDir())
	class := libraryClass(t, s)
	for _, query := range []string{"", "   ", "?!", "\x00", "\xff", strings.Repeat("\" OR * ^ ( + - : ", 50),
		strings.Repeat("x", 1<<20)} {
		if got := found(t, s, class, query); len(got) > 0 {
			t.Errorf("%.40q finds %q", query, got)
		}
	}
}

// What stands in a passage is found as it stands there.
func TestSearchFindsWhatStandsThere(t *testing.T) {
	s := openStore(t, t.TempDir())
	class := newClass(t, s)
	for name, text := range map[string]string{
		"de": "Die Verdunstung über den Gewässern ist am größten.", "fr": "La Révolution française commença en 1789.",
		"es": "La revolución cambió todo.", "ru": "Зелёные листья поглощают свет.", "ar": "الأوراق الخضراء تمتص الضوء",
		"zh": "植物的光合作用需要光。", "th": "พืชใช้แสงแดด", "tr": "Kıyıda ışık azalır.", "el": "Ο λόγος της Αθήνας.",
		"hi": "पौधे प्रकाश लेते हैं।",
	} {
		if _, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: name}, text); err != nil {
			t.Fatal(err)
		}
		for _, typed := range []string{text, strings.ToUpper(text)} {
			if got := found(t, s, class, typed); len(got) == 0 || !strings.HasSuffix(got[0], text) {
				t.Errorf("%q finds %q", typed, got)
			}
		}
	}
	for typed, want := range map[string]string{
		"Gewaesser": "de: ", "revolucion": "es: ", "зеленый лист": "ru: ", "اوراق": "ar: ", "光合作用": "zh: ",
		"แสง": "th: ", "kiyida": "tr: ",
	} {
		if got := found(t, s, class, typed); len(got) == 0 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%q finds %q", typed, got)
		}
	}
}
