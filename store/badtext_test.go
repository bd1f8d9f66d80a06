package store

import (
	"strings"
	"testing"

	"colloquy/classroom"
)

// Texts and questions of any shape are taken or refused, and searched.
func TestBadTextsAndQuestions(t *testing.T) {
	s := openStore(t, t.TempDir())
	texts := map[string]string{
		"one line":    strings.Repeat("word and other ", 2<<20/15),
		"headings":    strings.Repeat("# quokka\n", 50_000) + "\n\nThe end of it.",
		"six scripts": strings.Repeat("слово 光合作用 الكتاب क़लम λόγος quokka\n\n", 200),
		"quotations":  strings.Repeat(">", 1<<20) + " quokka",
		"brackets":    strings.Repeat("[(", 1<<19) + " quokka",
		"tables":      strings.Repeat("|a|b|\n|-|-|\n", 20_000) + "quokka",
	}
	questions := []string{
		strings.Repeat("quokka ", 20_000/7), strings.Repeat("(a+)+", 4000), strings.Repeat("光合", 10_000),
		strings.Repeat("a", 20_000),
		strings.Repeat("ä́", 7000), strings.Repeat("quoka ", 3000), strings.Repeat("\x00", 20_000),
	}
	for name, text := range texts {
		class := newClass(t, s)
		if _, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: name}, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, q := range questions {
			if _, err := s.SearchMaterials(t.Context(), class, classroom.MaterialQuery{Question: q,
				Before: q}); err != nil {
				t.Errorf("%s, %.10q: %v", name, q, err)
			}
		}
	}
}

// BenchmarkBadQuestions measures what a question of 20,000 characters takes.
func BenchmarkBadQuestions(b *testing.B) {
	s := openStore(b, b.TempDir())
	class := libraryClass(b, s)
	for _, q := range []string{
		strings.Repeat("quoka phottosynthesis ", 900), strings.Repeat("光合", 10_000), strings.Repeat("(a+)+", 4000),
	} {
		b.Run(q[:6], func(b *testing.B) {
			for b.Loop() {
				if _, err := s.SearchMaterials(b.Context(), class, classroom.MaterialQuery{Question: q}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
