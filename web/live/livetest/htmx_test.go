package livetest

import (
	"os"
	"strings"
	"testing"
)

// A DOM carries out a frame as htmx does: a browser test of package templates writes
// the cases with the real htmx.
func TestDOMDoesWhatHtmxDoes(t *testing.T) {
	text, err := os.ReadFile("../../../templates/testdata/htmx/patches.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(strings.TrimSpace(string(text)), "\n# ")
	if len(cases) < 10 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		lines := strings.Split(c, "\n")
		name, page, frame, want := strings.TrimPrefix(lines[0], "# "), lines[1], lines[2], lines[3]
		fixture := func(inner string) *DOM { return NewDOM(t, `<div id="fixture">`+inner+`</div>`) }
		d := fixture(page)
		if err := d.Apply(frame); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, want := d.InnerOf("fixture"), fixture(want).InnerOf("fixture"); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}
