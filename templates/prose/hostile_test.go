package prose

import (
	"fmt"
	"strings"
	"testing"
)

// Texts that take a Markdown parser the square of their length, or more, must stay quick: with any of the bounds gone,
// one of these takes minutes.
func TestHostileTextsEnd(t *testing.T) {
	t.Parallel()
	const size = 200 << 10
	for _, piece := range []string{
		"[", "[]", "[a](", "![a](", "![[a](b)", "](", "*", "*a ", "*a **a ", "a*_", "_a ", "~~a ", "`a``b```", "$",
		"$a ", "$$ ", "$$a\n",
		"\\(", "\\[", "\\[\n", "\\(\\[$", ">", "> ", "> - ", "> > > > > a\n", "- ", "- a\n", "-\n>\n", "1. ", "#",
		"# a\n", "|a", "a|b\n-|-\n",
		"| `a\\|b` ", "&amp;", "<", "<https://a", "<a@b", "a@b.", "www.a", "http://a.b/(", "[a]: b\n", "[a]: <",
		"[^a]: b\n[^a]",
		"[^a]\n\n[^a]: x\n\n", "\\", "    a\n", "\t", "```\n", "~~~x\n", "word word. ", "word\n", "\n", "\r", "\xff",
		"\x00",
	} {
		text := strings.Repeat(piece, size/len(piece)) + "x"
		t.Run(fmt.Sprintf("%.8q", piece), func(t *testing.T) {
			t.Parallel()
			if len(renderText(text)) == 0 || len(openText(text)) == 0 {
				t.Error("nothing to see")
			}
		})
	}
	var deep, notes, references strings.Builder
	for i := range 600 {
		deep.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	for i := range 20_000 {
		fmt.Fprintf(&notes, "[^%d]\n\n[^%d]: x\n\n", i, i)
		fmt.Fprintf(&references, "[%d]: https://a.org\n", i)
	}
	for _, text := range []string{deep.String(), notes.String(), references.String()} {
		if len(renderText(text)) == 0 || len(openText(text)) == 0 {
			t.Error("nothing to see")
		}
	}
}

// What nests too deep loses its form and keeps its words.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("> ", 3000) + "word", strings.Repeat("- ", 3000) + "word",
		strings.Repeat("*a **b ", 300) + "word"} {
		for _, chunks := range [][]Chunk{renderText(text), openText(text)} {
			safe(t, text[:20], chunks)
			if len(chunks) != 1 || !strings.Contains(chunks[0].HTML, "word") {
				t.Errorf("%.20q: %d chunks, %.200q", text, len(chunks), chunks)
			}
		}
	}
}

// A text may set so many formulas and no more, at the same place however it arrived.
func TestFormulaBudget(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a $x$\n\n", 4000)
	chunks := renderText(text)
	set, shown := 0, 0
	for _, c := range chunks {
		set += strings.Count(c.HTML, "<math>")
		shown += strings.Count(c.HTML, `<code class="tex">`)
	}
	if set+shown != 4000 || set < 2000 || shown == 0 {
		t.Fatalf("%d set, %d shown", set, shown)
	}
	if got := openText(text); fmt.Sprint(got) != fmt.Sprint(chunks) {
		t.Error("a growing text spends another budget than a finished one")
	}
}

func TestSizeLimit(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("*word* word\n\n", maxText/13+100) + "<b>the *end*"
	for name, chunks := range map[string][]Chunk{"render": renderText(text), "open": openText(text)} {
		safe(t, name, chunks)
		last := chunks[len(chunks)-1].HTML
		if !strings.HasPrefix(last, `<pre class="beyond"`) || !strings.HasSuffix(last, "&lt;b>the *end*</pre>") {
			t.Errorf("%s: %.100q … %q", name, last, last[len(last)-40:])
		}
		if first := chunks[0].HTML; first != "<p><em>word</em> word</p>" {
			t.Errorf("%s: first chunk %q", name, first)
		}
	}
	long := "x" + strings.Repeat("é", maxText)
	for _, chunks := range [][]Chunk{renderText(long), openText(long)} {
		if all := fmt.Sprint(chunks); strings.Contains(all, "\uFFFD") || strings.Count(all, "é") != maxText {
			t.Error("the cut falls into a character")
		}
	}
}
