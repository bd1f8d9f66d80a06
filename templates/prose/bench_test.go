package prose

import (
	"strings"
	"testing"
)

// answer is an answer of about n bytes: prose, lists, tables, code, and formulas.
func answer(n int) string {
	var out strings.Builder
	for i := 0; out.Len() < n; i++ {
		out.WriteString(lessons[[]string{"plain", "list", "code", "math"}[i%4]] + "\n")
		out.WriteString(strings.Repeat("Plants turn *light* into sugar, and we breathe what is left over. ", 6) +
			"\n\n")
	}
	return out.String()[:n]
}

func BenchmarkRender(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
	}{{"2KB", 2 << 10}, {"10KB", 10 << 10}, {"100KB", 100 << 10}} {
		text := answer(c.size)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				renderText(text)
			}
		})
	}
}

// BenchmarkGrow is a whole answer in deltas of 20 bytes, and what Grown lets the wire save.
func BenchmarkGrow(b *testing.B) {
	for _, c := range []struct {
		name string
		text string
	}{
		{"10KB", answer(10 << 10)}, {"100KB", answer(100 << 10)}, {"200KB", answer(200 << 10)},
		{"100KB-code", "```go\n" + strings.Repeat("\tx := a + b // and so on\n", 4000)},
		{"100KB-list", strings.Repeat("- one more item, *and* some words\n", 3000)},
		{"100KB-table", "| a | b |\n|---|---|\n" + strings.Repeat("| some words | and `more` |\n", 3600)},
		{"30KB-paragraph", strings.Repeat("word after word ", 1900)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			sent, final := 0, 0
			for b.Loop() {
				sent = grow(c.text)
				final = len(htmlOf(renderText(c.text)))
			}
			b.ReportMetric(float64(sent)/float64(final), "sent/final")
		})
	}
}

// grow returns the bytes of HTML that changed, delta by delta.
func grow(text string) (sent int) {
	doc, before := newDoc(), []Chunk(nil)
	for at := 0; at < len(text); {
		at = min(len(text), at+20)
		now := doc.Grow(text[:at])
		for i, c := range now {
			switch {
			case i >= len(before):
				sent += len(c.HTML)
			case c.HTML != before[i].HTML:
				_, added, ok := Grown(before[i].HTML, c.HTML)
				if !ok {
					added = c.HTML
				}
				sent += len(added)
			}
		}
		before = now
	}
	return sent
}

func BenchmarkFirstFormula(b *testing.B) {
	for b.Loop() {
		t := typesetter{timeout: sharedTypesetter.timeout, maxBytes: sharedTypesetter.maxBytes}
		if _, _, err := t.set("x", false); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormula(b *testing.B) {
	for b.Loop() {
		if _, _, err := sharedTypesetter.set(`x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}`, true); err != nil {
			b.Fatal(err)
		}
	}
}
