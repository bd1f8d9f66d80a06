package tutor

import (
	"slices"
	"strings"
	"testing"
)

func TestSentencesOf(t *testing.T) {
	t.Parallel()
	for _, want := range [][]string{
		{"Plants make sugar.", "They need light."},
		{"Dr. Smith met Mrs. Jones at 3 p.m. in St. Ives.", "They talked."},
		{"Use water, e.g. Rain water.", "Stir it."},
		{"Pi is 3.14159 and e is about 2.718.", "Both go on."},
		{"J. S. Bach wrote fugues.", "So did others."},
		{"Oranges hold vitamin C.", "It is an acid."},
		{"See Fig. 3 and no. 7 on p. 12.", "The answer is no.", "Next."},
		{"What is it?", "A comet!", "Yes."},
		{"He said \"Stop.\"", "Then he left."},
		{"He said “Stop.”", "Then he left."},
		{"It ends (so they say.)", "New start."},
		{"**Bold one.**", "Plain two."},
		{"Take $a. B$ and `x. Y` as they are.", "Done."},
		{"Then \\(a. B\\) holds.", "Done."},
		{"Read [the page. Now](https://e.org/a.B) first.", "Then write."},
		{"It costs $5. Six cost $6.50."}, // no formula: see below
		{"Wait... what is this?", "Nothing."},
		{"The year was 1914.", "The war began."},
		{"光合作用需要光。", "植物生长。"},
		{"Ça va bien.", "Élodie rit."},
		{"no end"},
	} {
		text := strings.Join(want, " ")
		if strings.HasPrefix(text, "It costs") {
			want = []string{"It costs $5.", "Six cost $6.50."}
		}
		if got := sentencesOf(text); !slices.Equal(got, want) {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestSpansStayWhole(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"a $x^2$ b":                {"$x^2$"},
		"from $5 to $6 each":       nil,
		"price $5, not $ 7$":       nil,
		"`a ``b` c``":              {"`a ``b`"},
		"see [a](b) ![c](d \"e\")": {"[a](b)", "![c](d \"e\")"},
		"$$a$$ and \\[b\\]":        {"$$a$$", "\\[b\\]"},
		"\\$x$ y":                  nil,
		"open `code":               nil,
	} {
		var got []string
		for _, s := range spansOf(line) {
			got = append(got, line[s.from:s.to])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

func FuzzSentencesKeepEveryWord(f *testing.F) {
	for _, s := range []string{"A b. C d.", "Dr. X. Y $a. B$ `c. D` e!", "“Q.” R", "a.b.c. D 3.4 5. 6", "。！？", "[x](y. Z) w"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := strings.Join(sentencesOf(text), " ")
		if strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(text), "") {
			t.Errorf("%q became %q", text, got)
		}
	})
}
