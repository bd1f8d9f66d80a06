package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFoldMakesOneWordOfItsSpellings(t *testing.T) {
	for _, group := range [][]string{
		{"Straße", "STRASSE", "strasse"}, {"Gewässer", "gewasser"}, {"й", "и"}, {"ёж", "еж"}, {"Ἀθῆναι", "αθηναι"},
		{"λόγος", "ΛΟΓΟΣ"}, {"مُدَرِّس", "مدرس"}, {"أحمد", "احمد"}, {"שָׁלוֹם", "שלום"}, {"Kıyı", "kiyi"},
		{"İstanbul", "istanbul"},
		{"ﬁre", "fire"}, {"x²", "x2"}, {"ＡＢＣ", "abc"}, {"क़लम", "कलम"}, {"café", "CAFÉ"}, {"soft\u00adware",
			"software"},
	} {
		for _, w := range group[1:] {
			if a, b := Fold(group[0]), Fold(w); a != b {
				t.Errorf("Fold(%q) = %q, Fold(%q) = %q", group[0], a, w, b)
			}
		}
	}
}

func TestFormsOfOneWordMeet(t *testing.T) {
	for _, c := range []struct{ language, a, b string }{
		{"en", "leaves", "leaf"}, {"en", "planted", "plants"}, {"en", "organisation", "organizations"},
		{"en", "froze", "freezing"}, {"de", "Gewaesser", "Gewässern"}, {"de", "Häuser", "Haus"}, {"de", "ging",
			"gehen"},
		{"fr", "révolutions", "revolution"}, {"es", "revolución", "revoluciones"}, {"es", "revolucion", "revolución"},
		{"ru", "революции", "революция"}, {"ar", "الكتاب", "كتاب"}, {"tr", "kitaplar", "kitap"},
	} {
		a, b := Forms(c.a, c.language), Forms(c.b, c.language)
		if !slices.ContainsFunc(a, func(f string) bool { return slices.Contains(b, f) }) {
			t.Errorf("%s: forms of %q are %q, of %q %q", c.language, c.a, a, c.b, b)
		}
	}
}

func TestWords(t *testing.T) {
	for s, want := range map[string]string{
		"Don't panic: 3.5 kg, 1,000!": "don t panic 3.5 kg 1,000",
		"L'eau, x²+y":                 "l eau x2 y",
		"光合作用 ok":                     "光 光合 合 合作 作 作用 用 ok",
		"มา":                          "ม มา า",
		"":                            "",
	} {
		var got []string
		for _, w := range Words(s) {
			got = append(got, w.Folded)
			if w.From >= w.To || w.To > len(s) {
				t.Errorf("word %q of %q stands at %d to %d", w.Folded, s, w.From, w.To)
			}
		}
		if want = Fold(want); strings.Join(got, " ") != want {
			t.Errorf("Words(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestLanguage(t *testing.T) {
	for s, want := range map[string]string{
		"Why are leaves green and what is in them?":           "en",
		"Warum sind die Blätter grün und was ist darin?":      "de",
		"Pourquoi les feuilles sont-elles vertes ?":           "fr",
		"¿Por qué son verdes las hojas de los árboles?":       "es",
		"Почему листья зелёные?":                              "ru",
		"لماذا الأوراق خضراء؟":                                "ar",
		"为什么叶子是绿色的？":                                          "zh",
		"葉はなぜ緑色ですか":                                           "ja",
		"Photosynthesis":                                      "",
		"Waarom zijn de bladeren van de bomen groen gekleurd": "nl",
	} {
		if got := Language(s); got != want {
			t.Errorf("Language(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	for s, want := range map[string]string{
		"One. Two! Three?":                              "One.|Two!|Three?",
		"Dr. Moss came, e.g. in May. She left.":         "Dr. Moss came, e.g. in May.|She left.",
		"Am 14. Juli 1789 fiel sie. Das war z. B. neu.": "Am 14. Juli 1789 fiel sie.|Das war z. B. neu.",
		"Steps:\n- cut\n- fold it\nwell":                "Steps:|- cut|- fold it\nwell",
		"光合作用。叶子！":                                      "光合作用。|叶子！",
		`He said "No." Then left`:                       `He said "No."|Then left`,
	} {
		var got []string
		for _, p := range Sentences(s) {
			got = append(got, s[p.From:p.To])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("Sentences(%q) = %q, want %q", s, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Why are leaves green? 光合作用 الكتاب x² Straße 3.5,")
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, w := range Words(s) {
			if w.From < 0 || w.To > len(s) || w.From >= w.To || !w.Pair && w.From < at {
				t.Fatalf("%q: word %+v", s, w)
			}
			if !w.Pair {
				at = w.To
			}
			for _, language := range []string{"en", "de", "tr", ""} {
				if len(Forms(s[w.From:w.To], language)) == 0 {
					t.Fatalf("no forms of %q", s[w.From:w.To])
				}
			}
		}
		last := 0
		for _, p := range Sentences(s) {
			if p.From < last || p.To <= p.From || p.To > len(s) || utf8.ValidString(s) &&
				!utf8.ValidString(s[p.From:p.To]) {
				t.Fatalf("%q: sentence %+v", s, p)
			}
			last = p.To
		}
	})
}
