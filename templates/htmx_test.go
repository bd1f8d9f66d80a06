package templates

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const patchFile = "testdata/htmx/patches.txt"

// A patchCase is what a frame makes of a part of a page.
type patchCase struct{ name, page, frame, want string }

// patchCases reads the cases: of each a line with its name, the page, the frame
// and what htmx makes of them. Package web holds its model of htmx to the same.
func patchCases(t *testing.T) (out []patchCase) {
	t.Helper()
	text, err := os.ReadFile(patchFile)
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n# ") {
		lines := append(strings.Split(strings.TrimPrefix(part, "# "), "\n"), "", "", "")
		out = append(out, patchCase{lines[0], lines[1], lines[2], lines[3]})
	}
	return out
}

// The frames do in a page what the cases say, with the real htmx. With -update
// the cases are written as htmx has it.
func TestPatches(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "finished"))
	visit(t, ctx, s)
	var file strings.Builder
	for n, c := range patchCases(t) {
		insert := `document.body.insertAdjacentHTML("beforeend", '<div id="fixture">' + %q + '</div>'); 0`
		eval[int](t, ctx, fmt.Sprintf(insert, c.page))
		s.send(100+2*n, c.frame)
		title := fmt.Sprintf("case %d", n)
		s.send(101+2*n, `<hx-partial hx-target="#session-title" hx-swap="innerHTML">`+title+`</hx-partial>`)
		until(t, ctx, c.name, fmt.Sprintf(`document.getElementById("session-title").textContent === %q`, title))
		until(t, ctx, "htmx is done", `!document.querySelector('[class*="htmx-"]')`)
		got := eval[string](t, ctx, `(() => {
			const fixture = document.getElementById("fixture");
			fixture.remove();
			return fixture.innerHTML.replaceAll("\n", "&#10;");
		})()`)
		fmt.Fprintf(&file, "# %s\n%s\n%s\n%s\n\n", c.name, c.page, c.frame, got)
		if got != c.want && !*update {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
	if *update {
		if err := os.WriteFile(patchFile, []byte(strings.TrimSpace(file.String())+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
