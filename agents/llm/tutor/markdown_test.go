package tutor

import (
	"fmt"
	"strings"
	"testing"
)

func TestBlocksOf(t *testing.T) {
	t.Parallel()
	text := "# Title #\nFirst line\nsecond line\n\nSetext\n---\n> quoted\n> > twice\n\n- one\n  goes on\n- two\n\n  still two\n\n1. a\n2. b\n\nin the year\n1914. The war\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n$$\nx = 1\n$$\n\n```go\n# no heading\n```\n***\nend"
	want := []string{
		"1 [Title]", "0 [First line|second line]", "1 [Setext]", "0 [quoted|twice]",
		"2 [- one goes on|- two still two|1. a|2. b]", "0 [in the year|1914. The war]",
		"3 [| a | b ||| --- | --- ||| 1 | 2 |]", "4 [$$x = 1$$]", "5 [```go|# no heading|```]", "0 [end]",
	}
	var got []string
	for _, b := range blocksOf(text) {
		got = append(got, fmt.Sprintf("%d [%s]", b.kind, strings.Join(b.lines, "|")))
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func TestUnclosedBlocksEndWithThePassage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"```\ncode":       "5 ```|code|```",
		"$$\nx\n\nafter.": "0 $$|x",
		"$$x$$ and more":  "0 $$x$$ and more",
	} {
		b := blocksOf(text)[0]
		if got := fmt.Sprintf("%d %s", b.kind, strings.Join(b.lines, "|")); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A unit is one thought: what a colon announces comes with it.
func TestUnits(t *testing.T) {
	t.Parallel()
	p := passage{Material: "m.md", Text: "It is so:\n\n$$a$$\n\nOne. Two it is. These follow:\n\n- first thing here\n- second thing here\n\nAnnounced and gone:"}
	p.read()
	var got []string
	for _, u := range p.units {
		got = append(got, fmt.Sprintf("%d %s", u.kind, strings.ReplaceAll(u.text(), "\n", "|")))
	}
	want := []string{"0 It is so:||$$a$$", "0 One.", "0 Two it is.", "2 These follow:||- first thing here|- second thing here", "1 first thing here", "1 second thing here", "0 Announced and gone:"}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
	if last := p.units[len(p.units)-1]; last.quotable() {
		t.Errorf("%q announces nothing and must not be quoted", last.text())
	}
}

func TestInert(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a **b** `c<d` $e<f$ < g":           "a **b** `c<d` $e<f$ < g",
		"<script>x</script>":                `\<script>x\</script>`,
		"see [a <b>](javascript:x) ![i](u)": `see a \<b> i`,
		"# head":                            `\# head`,
		"> quote":                           `\> quote`,
		"- point":                           `\- point`,
		"1. point":                          `1\. point`,
		"| cell":                            `\| cell`,
		"[ref]: http://x":                   `\[ref]: http://x`,
		"~~~~ x":                            `\~~~~ x`,
		"open ` tick":                       "open \\` tick",
		"half **bold":                       "half bold",
		"half *bold":                        "half bold",
		"2 * 3 * 4":                         "2 * 3 * 4",
		"a\u202eb\x00c\ufeffd":              "abcd",
		"x\r\ny":                            "x y",
	} {
		if got := inert(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestLabel(t *testing.T) {
	t.Parallel()
	if got, want := label("a*b_[c](d)`e`<f>\n# g"), "a\\*b\\_\\[c\\](d)\\`e\\`\\<f\\> # g"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add("# a\n- b\n  c\n\n| d |\n| - |\n$$\ne\n```\nf")
	f.Add("> > - 1. $$x$$ y\n===\n***\n~~~")
	f.Fuzz(func(t *testing.T, text string) {
		p := passage{Material: "m", Text: text}
		p.read()
		for _, u := range p.units {
			if u.kind == sentence && strings.Contains(u.lines[0], "\n") {
				t.Errorf("a sentence holds a line break: %q", u.lines[0])
			}
		}
	})
}
