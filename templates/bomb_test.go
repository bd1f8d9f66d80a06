package templates

import (
	"strings"
	"testing"

	"colloquy/classroom"
)

// B1 in a material that the tutor quotes: the passage shows the source of the formula and keeps its words.
func TestFormulaBombInAPassage(t *testing.T) {
	bomb := strings.Repeat(`\cancelto{a}{`, 14) + "x" + strings.Repeat("}", 14)
	text := "The zebra stripes rule is $" + bomb + "$ for zebra stripes."
	s := new(searchCall)
	for range maxPassages {
		s.Passages = append(s.Passages, classroom.Passage{Material: "zebra.md", Text: text})
	}
	got := render(t, passages(s))
	quote := `<p>The zebra stripes rule is <code class="tex">` + bomb + `</code> <span class="limit">`
	if n := strings.Count(got, quote); n != maxPassages || strings.Contains(got, "<math") {
		t.Errorf("%d of %d passages show the source: %.600s", n, maxPassages, got)
	}
	if n := strings.Count(got, " for zebra stripes.</p>"); n != maxPassages || len(got) > 8<<10 {
		t.Errorf("%d of %d passages keep their words in %d bytes", n, maxPassages, len(got))
	}
}
