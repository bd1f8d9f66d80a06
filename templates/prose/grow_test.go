package prose

import (
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

// The way a text arrived never shows: one Doc over any prefixes returns what Open returns for the last.
func TestGrowIsOpen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		doc := newDoc()
		for at := 0; at < len(text); {
			at = min(len(text), at+rapid.IntRange(1, 12).Draw(t, "step"))
			if got, want := doc.Grow(text[:at]), openText(text[:at]); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q:\ngrown %q\nopen  %q", text[:at], got, want)
			}
		}
	})
}

func TestGrowEveryByte(t *testing.T) {
	t.Parallel()
	for name, text := range lessons {
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"),
			strings.ReplaceAll(text, "\n", "\r")} {
			doc := newDoc()
			for at := range len(text) + 1 {
				if got, want := doc.Grow(text[:at]), openText(text[:at]); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s %q:\ngrown %q\nopen  %q", name, text[:at], got, want)
				}
			}
		}
	}
}

// A text that is not an extension starts anew, and so does one that passes the size limit.
func TestGrowOtherText(t *testing.T) {
	t.Parallel()
	doc := newDoc()
	for _, text := range []string{"a\n\nb\n\nc", "a\n\nb", "```\nx\n", "x", "", "y\n\n" +
		strings.Repeat("word word\n", maxText/10), "y"} {
		if got, want := doc.Grow(text), openText(text); !reflect.DeepEqual(got, want) {
			t.Fatalf("%.20q: grown %.200q, open %.200q", text, got, want)
		}
	}
}

// A character whose end has not arrived waits, and nothing else is lost.
func TestCutCharacters(t *testing.T) {
	t.Parallel()
	const text = "课🌍é e\u0301 `课` [é](https://a.org/é)\n\n```\n🌍\n"
	for at := range len(text) + 1 {
		if got := htmlOf(openText(text[:at])); strings.ContainsRune(got, '\uFFFD') {
			t.Fatalf("%q: %q", text[:at], got)
		}
	}
	if got := htmlOf(openText("a\xffb")); got != "<p>a\uFFFDb</p>" {
		t.Errorf("a byte that is no character: %q", got)
	}
}

// While complete lines are added, every chunk but the last stays what it is, and none goes away.
func TestEarlierChunksStay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		stays(t, drawText(t))
	})
	for _, text := range lessons {
		stays(t, text)
	}
}

type fataler interface{ Fatalf(string, ...any) }

func stays(t fataler, text string) {
	var before []Chunk
	for at := 0; at < len(text); {
		n := nextLine(text[at:])
		if n == 0 {
			return
		}
		at += n
		now := openText(text[:at])
		if len(now) < len(before) {
			t.Fatalf("%q: %d chunks after %d: %q, %q", text[:at], len(now), len(before), before, now)
		}
		if len(before) > 0 && !reflect.DeepEqual(now[:len(before)-1], before[:len(before)-1]) {
			t.Fatalf("%q: chunks changed\nfrom %q\nto   %q", text[:at], before, now)
		}
		before = now
	}
}

// Once there is something, there is never nothing, byte by byte.
func TestNeverBackToNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		some := 0
		for at := range len(text) + 1 {
			n := len(openText(text[:at]))
			if n == 0 && some > 0 {
				t.Fatalf("%q: nothing after %d chunks", text[:at], some)
			}
			some = n
		}
	})
}

// A growing text that is finished looks like the finished text, apart from references.
func TestOpenBecomesRender(t *testing.T) {
	t.Parallel()
	for name, text := range lessons {
		if got, want := openText(text+"\n"), renderText(text+"\n"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\nopen   %q\nrender %q", name, got, want)
		}
	}
}

// Grown says how the old chunk's DOM becomes the new one's.
func TestGrownAppliesToTheTree(t *testing.T) {
	t.Parallel()
	appended := 0
	grows := func(t fataler, text string) {
		var before []Chunk
		for at := range len(text) + 1 {
			now := openText(text[:at])
			if len(before) > 0 && len(before) == len(now) {
				appended += appliesOnce(t, before[len(before)-1].HTML, now[len(now)-1].HTML)
			}
			before = now
		}
	}
	rapid.Check(t, func(t *rapid.T) { grows(t, drawText(t)) })
	for _, text := range lessons {
		grows(t, text)
	}
	if appended < 100 {
		t.Errorf("only %d steps were appends", appended)
	}
}

func appliesOnce(t fataler, old, new string) int {
	up, text, ok := Grown(old, new)
	if !ok {
		return 0
	}
	if text == "" || strings.ContainsRune(text, '<') || strings.ToValidUTF8(text, "") != text {
		t.Fatalf("%q to %q: text %q", old, new, text)
	}
	tree := parsed(old)
	at := tree
	for range up {
		at = lastElement(at)
		if at == nil {
			t.Fatalf("%q to %q: no element %d down", old, new, up)
		}
	}
	at.AppendChild(&html.Node{Type: html.TextNode, Data: html.UnescapeString(text)})
	if got, want := printed(tree), printed(parsed(new)); got != want {
		t.Fatalf("%q to %q by %d, %q:\ngot  %q\nwant %q", old, new, up, text, got, want)
	}
	return 1
}

func lastElement(n *html.Node) *html.Node {
	for c := n.LastChild; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
}

func TestGrown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		old, new string
		up       int
		text     string
	}{
		{"<p>a</p>", "<p>a b</p>", 1, " b"},
		{"<p>a</p>", "<p>a</p>", 0, ""},
		{"<p>ab</p>", "<p>a</p>", 0, ""},
		{"<p>a</p>", "<p>a<br></p>", 0, ""},
		{"<p>a &lt;</p>", "<p>a &lt;&amp;</p>", 1, "&amp;"},
		{"<p><em>a</em></p>", "<p><em>a</em> b</p>", 1, " b"},
		{"<p><em>a</em></p>", "<p><em>ab</em></p>", 2, "b"},
		{"<ul><li>a</li></ul>", "<ul><li>ab</li></ul>", 2, "b"},
		{"<pre><code>a</code></pre>", "<pre><code>a\n\n b</code></pre>", 2, "\n\n b"},
		{"<p>a</p>", "<p>课</p>", 0, ""},
		{"<hr>", "<hr>x", 0, ""},
		{"<p><math><mn>1</mn></math></p>", "<p><math><mn>12</mn></math></p>", 0, ""},
		{"", "<p>a</p>", 0, ""},
	} {
		up, text, ok := Grown(c.old, c.new)
		if up != c.up || text != c.text || ok != (c.up > 0) {
			t.Errorf("Grown(%q, %q) = %d, %q, %v; want %d, %q", c.old, c.new, up, text, ok, c.up, c.text)
		}
	}
}

// A long open block is cut, at the same place however it arrived, so that no delta costs more than the others.
func TestLongBlocksAreCut(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("word after word ", 5000), strings.Repeat("é", 40_000), strings.Repeat("- item\n", 8000),
		strings.Repeat("a\n", 30_000),
		"| a |\n|-|\n" + strings.Repeat("| b |\n", 9000), "\n```\n" + strings.Repeat("x", 50_000) + "\ny\n```\n" +
			strings.Repeat("z ", 20_000),
	} {
		doc := newDoc()
		for at := 0; at < len(text); {
			at = min(len(text), at+7001)
			got := doc.Grow(text[:at])
			if open := at - doc.start; open > 2*maxSegment && doc.lines.fence.mark == 0 {
				t.Fatalf("%.20q: %d bytes are open at %d", text, open, at)
			}
			if want := openText(text[:at]); !reflect.DeepEqual(got, want) {
				t.Fatalf("%.20q: grown and open differ at %d", text, at)
			}
		}
		words := func(chunks []Chunk) string {
			var out strings.Builder
			for _, c := range chunks {
				for n := range parsed(c.HTML).Descendants() {
					if n.Type == html.TextNode {
						out.WriteString(strings.Join(strings.Fields(n.Data), ""))
					}
				}
			}
			return strings.ReplaceAll(out.String(), "|", "")
		}
		if got, want := words(openText(text)), words(renderText(text)); got != want {
			t.Errorf("%.20q: words are lost", text)
		}
	}
}
