package templates

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/static"

	"github.com/a-h/templ"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// parts are components in the states that matter, by name.
func parts(t *testing.T) map[string]templ.Component {
	out := map[string]templ.Component{}
	for name, f := range sampleFolds(t) {
		if name == "long" {
			continue
		}
		out["card-"+name] = Card(CardView{Session: "s1", Card: f.LastCard(), Live: true})
		out["queue-"+name] = QueueList("s1", f.Queue, true)
	}
	done := lesson(t).fold().Cards[0]
	out["card-past"] = Card(CardView{Session: "s1", Card: done})
	out["actions-idle"] = ComposerActions(Composer{Session: "s1"})
	out["actions-running"] = ComposerActions(Composer{Session: "s1", Running: true})
	out["actions-barrier"] = ComposerActions(Composer{Session: "s1", Running: true, Barrier: true})
	out["actions-interrupted"] = ComposerActions(Composer{Session: "s1", Interrupted: true})
	out["error"] = ComposerError("Write a question first.")
	out["error-none"] = ComposerError("")
	out["roster"] = Roster(sampleClass(), "ben")
	out["materials"] = MaterialsList(sampleClass(), sampleMaterials(),
		[]string{"scan.pdf: Only Markdown and plain text can be added for now."}, "")
	out["materials-none"] = MaterialsList(sampleClass(), nil, nil, "")
	out["nav"] = NavList(sampleNav("c1", "s2"))
	out["row"] = SessionRow(sampleSessions()[2], true)
	out["title"] = SessionTitle("")
	out["older"] = OlderButton("s1", 41, classroom.ForClass)
	out["thinking-open"] = Thinking("p", &classroom.BlockView{Text: "Let me"}, true)
	out["thinking-done"] = Thinking("p", &classroom.BlockView{Text: "Let me see.", Started: 1000, Ended: 4200}, false)
	return out
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, part := range parts(t) {
		golden(t, name, render(t, part))
	}
	for name, page := range previews(t, Prefs{}) {
		if name == "long" || strings.HasPrefix(name, "card") {
			continue
		}
		golden(t, "page-"+name, plain(render(t, page)))
	}
}

var hash = regexp.MustCompile(`\.[0-9a-f]{12}\.`)

var scriptWordsTag = regexp.MustCompile(`<meta name="words"[^>]*>`)

// plain leaves out of a page what changes with every style sheet, icon and word of a
// script.
func plain(page string) string {
	page = scriptWordsTag.ReplaceAllString(strings.ReplaceAll(page, static.Sprite(), ""), "")
	return hash.ReplaceAllString(page, ".")
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, "><", ">\n<") + "\n"
	file := filepath.Join("testdata", "golden", name+".html")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run with -update to make it)", err)
	}
	if got != string(want) {
		t.Errorf("%s changed; run with -update and look at the difference.\n%s", file,
			firstDifference(got, string(want)))
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "got:  " + a[i] + "\nwant: " + b[i]
		}
	}
	return "one is the beginning of the other"
}
