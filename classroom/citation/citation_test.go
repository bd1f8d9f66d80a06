package citation

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"colloquy/classroom"
)

var (
	green = classroom.Passage{
		MaterialID: "m1", Material: "Photosynthesis", Section: "Photosynthesis › Chapter 2: Leaves", From: 40,
		Language: "en",
		Text: "**Chlorophyll** is the green pigment in chloroplasts that absorbs light. Leaves look green because " +
			"chlorophyll absorbs mostly red and blue light and reflects much of the green light.",
	}
	roots = classroom.Passage{
		MaterialID: "m1", Material: "Photosynthesis", Section: "Photosynthesis › Chapter 3: Roots", From: 400,
		Language: "en",
		Text:     "Roots have no chloroplasts, so roots cannot carry out photosynthesis. Water comes from the soil.",
	}
)

func statuses(citations []classroom.Citation) string {
	var out []string
	for _, c := range citations {
		out = append(out, string(c.Status))
	}
	return strings.Join(out, " ")
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"a true quotation":  {`It says “absorbs mostly red and blue light” there.`, "quoted"},
		"case and emphasis": {`"CHLOROPHYLL is the green pigment in chloroplasts"`, "quoted"},
		"an ellipsis":       {"“Leaves look green … reflects much of the green light”", "quoted"},
		"German marks":      {"„Leaves look green because chlorophyll“", "quoted"},
		"a block": {"Here:\n\n> Roots have no chloroplasts,\n> so roots cannot carry out.\n\nSo.",
			"quoted"},
		"one word changed":    {`“absorbs mostly red and yellow light”`, "not_from_materials"},
		"a word left out":     {`“absorbs mostly red blue light and”`, "not_from_materials"},
		"across two passages": {`“much of the green light. Roots have no chloroplasts”`, "not_from_materials"},
		"invented":            {`As Darwin said, “plants are the lungs of the world”.`, "not_from_materials"},
		"few words":           {`The "green light" is reflected.`, ""},
		"a reference": {"Leaves reflect green light, because chlorophyll absorbs red and blue light [1].",
			"supported"},
		"behind the sentence": {"Roots cannot carry out photosynthesis. [2]", "supported"},
		"the wrong passage":   {"Leaves reflect green light because of chlorophyll [2].", "not_from_materials"},
		"no such passage":     {"Leaves are green [7].", "not_from_materials"},
		"a chapter":           {"See chapter 2 for more.", "supported"},
		"an invented chapter": {"See chapter 9 for more.", "not_from_materials"},
		"a wrong page":        {"It stands on page 45.", "not_from_materials"},
		"a link is none":      {"See [1](http://example.org).", ""},
		"code is none":        {"`\"absorbs mostly red and blue\"` and $\"a b c d\"$", ""},
		"nothing":             {"", ""},
	} {
		if got := statuses(Check(c.answer, []classroom.Passage{green, roots})); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The words of a person's question are no quotation of the materials.
func TestQuestionIsNoCitation(t *testing.T) {
	got := Check(`The motion is “Homework should be abolished now”.`, []classroom.Passage{green},
		"Homework should be abolished now!")
	if len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestCitationNamesItsPlace(t *testing.T) {
	answer := "Ä “absorbs mostly red and blue light”."
	got := Check(answer, []classroom.Passage{roots, green})
	want := classroom.Citation{
		N: 1, From: 2, To: 37, Status: classroom.Quoted, Quote: "absorbs mostly red and blue light", MaterialID: "m1",
		Material: "Photosynthesis", PassageID: 41, Heading: green.Section,
	}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Each line of testdata/paraphrases.tsv is a passage, a faithful or a false paraphrase.
func TestParaphrases(t *testing.T) {
	content, err := os.ReadFile("testdata/paraphrases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	count, supported := map[string]int{}, map[string]int{}
	passage := classroom.Passage{}
	for line := range strings.Lines(string(content)) {
		kind, said, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if kind == "en" || kind == "de" {
			passage = classroom.Passage{Material: "M", Language: kind, Text: said}
			continue
		}
		count[kind]++
		ok := statuses(Check(said+" [1]", []classroom.Passage{passage})) == "supported"
		if ok {
			supported[kind]++
		}
		if ok != (kind == "true") {
			t.Logf("%s: %q of %q", kind, said, passage.Text)
		}
	}
	t.Logf("%v of %v are supported", supported, count)
	if 100*supported["true"] < 95*count["true"] || 100*supported["false"] > 5*count["false"] || count["true"] < 50 {
		t.Errorf("%v of %v are supported", supported, count)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("> a b c d\n“x y z w” [1] chapter 2 `\"` $\"$ „“")
	f.Fuzz(func(t *testing.T, answer string) {
		n := utf8.RuneCountInString(answer)
		for i, c := range Check(answer, []classroom.Passage{green, roots}) {
			if c.N != i+1 || c.From < 0 || c.To > n || c.From >= c.To || c.Status == "" {
				t.Fatalf("%q: %+v", answer, c)
			}
		}
	})
}

// An answer of 4 KB with many citations, over many passages.
func BenchmarkCheck(b *testing.B) {
	var passages []classroom.Passage
	for range 12 {
		passages = append(passages, green, roots)
	}
	answer := strings.Repeat("Leaves look green “because chlorophyll absorbs mostly red”. Roots cannot [2]. ", 50)
	for _, text := range []string{answer[:4096], strings.Repeat(`"`, 1<<20), strings.Repeat("“a ", 1<<18),
		strings.Repeat("> x\n", 1<<18)} {
		b.Run(fmt.Sprintf("%d-%.8q", len(text), text), func(b *testing.B) {
			for b.Loop() {
				Check(text, passages)
			}
		})
	}
}
