package tutor_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colloquy/agents/llm"
)

var update = flag.Bool("update", false, "write the golden dialogues anew")

// Dialogues: a step with a colon is what a person says, another who speaks then.
var dialogues = []struct {
	name  string
	rules llm.Rules
	bare  bool // no search tool
	steps []string
}{
	{name: "define", steps: []string{"Tom: What is photosynthesis?", "all"}},
	{name: "why", steps: []string{"Tom: Why are leaves green?", "all"}},
	{name: "why-list", steps: []string{"Tom: Why did the French Revolution begin?", "all"}},
	{name: "how-steps", steps: []string{"Tom: How does a bill become a law?", "all"}},
	{name: "how-formula", steps: []string{"Tom: How do you find the hypotenuse?", "all"}},
	{name: "when", steps: []string{"Tom: When was Louis XVI executed?", "ada"}},
	{name: "how-many", steps: []string{"Tom: How many people were executed in the Terror?", "ada"}},
	{name: "table", steps: []string{"Tom: What were the three estates?", "ada"}},
	{name: "compare", steps: []string{"Tom: What is the difference between photosynthesis and respiration?", "ada", "Tom: and where does it take place?", "ada", "Tom: tell me more", "ada"}},
	{name: "no-reason", steps: []string{"Tom: Why did Louis XVI flee to Varennes?", "ada"}},
	{name: "apart", steps: []string{"Tom: How do chloroplasts evolve?", "all"}},
	{name: "misspelt", steps: []string{"Tom: What is photosyntesis?", "ada"}},
	{name: "miss", steps: []string{"Tom: What is a black hole?", "all"}},
	{name: "greeting", steps: []string{"Tom: Hello Ada!", "all", "Tom: Thanks", "ada", "Tom: ok", "ada"}},
	{name: "nature", steps: []string{"Tom: Ada, are you an AI?", "all"}},
	{name: "unclear", steps: []string{"Tom: How does it work?", "all"}},
	{name: "no-tool", bare: true, steps: []string{"Tom: What is photosynthesis?", "all"}},
	{name: "hints", rules: llm.Rules{Manner: "hints"}, steps: []string{"Tom: What is photosynthesis?", "ada", "Tom: plants make sugar from light", "ada", "Tom: Why are leaves green?", "ada", "Tom: I give up, tell me", "ada"}},
	{name: "socratic", rules: llm.Rules{Manner: "socratic"}, steps: []string{"Tom: Why are leaves green?", "ada", "Tom: How does a bill become a law?", "ada"}},
	{name: "withheld", rules: llm.Rules{Withheld: "chlorophyll"}, steps: []string{"Tom: Why are leaves green?", "all", "Tom: What is photosynthesis?", "ada"}},
	{name: "withheld-miss", rules: llm.Rules{Withheld: "black holes"}, steps: []string{"Tom: What is a black hole?", "all"}},
	{name: "beside", steps: []string{"Tom: Why is the sky green?", "ada"}},
	{name: "hints-near", rules: llm.Rules{Manner: "hints"}, steps: []string{"Tom: Why did Louis XVI flee to Varennes?", "ada"}},
	{name: "no-answers", rules: llm.Rules{Withheld: "Do not give the answers."}, steps: []string{"Tom: Why are leaves green?", "ada"}},
	{name: "steer", steps: []string{"Tom: What is photosynthesis?", "ada", "Mia: And what is the Calvin cycle?", "ada", "Mia: shorter please", "ada"}},
	{name: "discussion", steps: []string{"Tom: What is photosynthesis?", "all", "all", "all"}},
	{name: "law-made", steps: []string{"Tom: How is a law made?", "all"}},
	{name: "asked-by-name", steps: []string{"Tom: @Cem what is a bill?", "cem", "ada", "Tom: @Cem what is a black hole?", "cem", "ada"}},
	{name: "what-about", steps: []string{"Tom: Why is the moon round?", "all", "Tom: What about the French Revolution?", "all"}},
	{name: "terms", steps: []string{"Tom: What are Newton's laws of motion?", "all", "Tom: What is Newton's third law?", "all", "all"}},
	{name: "all-said", steps: []string{"Tom: Why are leaves green?", "all", "all", "all", "all"}},
	{name: "hostile", steps: []string{"Tom: What is a comet?", "all"}},
	{name: "hostile-why", steps: []string{"Tom: Why does a comet's tail shine?", "all"}},
}

func TestDialogues(t *testing.T) {
	for _, d := range dialogues {
		t.Run(d.name, func(t *testing.T) {
			c := theClass(t)
			c.rules, c.noTool = d.rules, d.bare
			compareGolden(t, d.name, play(c, d.steps))
		})
	}
}

func theClass(t testing.TB) *class {
	files, err := filepath.Glob("testdata/materials/*.md")
	if err != nil || len(files) < 5 {
		t.Fatalf("materials: %v, %v", files, err)
	}
	return newClass(t, files...)
}

// play runs a dialogue and writes it down.
func play(c *class, steps []string) string {
	var b strings.Builder
	for _, step := range steps {
		if name, question, ok := strings.Cut(step, ": "); ok {
			c.human(name, question)
			fmt.Fprintf(&b, "## %s\n\n%s\n\n", name, question)
			continue
		}
		for _, who := range cast {
			if step != "all" && step != who.ID {
				continue
			}
			from := len(c.searched)
			said := c.speak(who)
			fmt.Fprintf(&b, "## %s, %s, searched %q\n\n%s\n\n", who.Name, who.Role, c.searched[from:], said)
		}
	}
	return b.String()
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".md")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the dialogue differs from %s (run with -update and read the diff). Got:\n%s", file, got)
	}
}
