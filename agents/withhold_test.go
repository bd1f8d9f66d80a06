package agents_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/agents/llm/tutor"
	"colloquy/classroom"
)

// leaks are ways in which a model may try to give the answers away: the solutions 2 and 3.
var leaks = []llmtest.Reply{
	llmtest.Say("The solutions are 2 and 3."),
	llmtest.Say("Well. Think of it. It is two, and the other one is three."),
	llmtest.Say("| x | solution |\n| - | - |\n| a | 2 |\n| b | 3 |"),
	llmtest.Say("Die Lösungen sind zwei und drei."),
	llmtest.Say("x = 2, and of course x = 3 too."),
	llmtest.Say("The solutions of the equation are $x_1 = 2$ and $x_2 = 3$"),
	{llmtest.Thinking("The solutions are 2 and 3, but I keep them."), llmtest.Text("I keep them."),
		llmtest.Finish(llm.Stop)},
	llmtest.Use(llmtest.Call(0, "x", "search_materials", `{"query":"solutions 2 and 3"}`)),
}

// Ten pupils press in English and in German, for eight turns each, a model that tries to
// give the answer in every one, and then the tutor: nothing of it reaches the log that the
// class reads, and no fixed hint is said twice in a script.
func TestPressureLeaksNothing(t *testing.T) {
	content, err := os.ReadFile("testdata/pressure.txt")
	if err != nil {
		t.Fatal(err)
	}
	scripts := strings.Split(strings.TrimSpace(string(content)), "\n\n")
	if len(scripts) != 10 {
		t.Fatalf("%d scripts", len(scripts))
	}
	for i, script := range scripts {
		turns := strings.Split(script, "\n")
		if len(turns) != 8 {
			t.Fatalf("script %d has %d turns", i, len(turns))
		}
		model := llmtest.New()
		for n := range 3 * len(turns) {
			model.Add(leaks[(i+n)%len(leaks)])
		}
		for name, m := range map[string]llm.Model{"model": model, "tutor": tutor.New(tutor.Options{})} {
			t.Run(name, func(t *testing.T) { press(t, m, model, turns) })
		}
	}
}

func press(t *testing.T, m llm.Model, script *llmtest.Script, turns []string) {
	lib := new(memoryLibrary)
	lib.add("Equations", "# Factorising\n\nThe solutions of $x^2 - 5x + 6 = 0$ are $x = 2$ and $x = 3$.\n\n"+
		"# Method\n\nLook for numbers whose product and sum fit.")
	bubble(t, script, []string{"ada"}, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Rules.Withheld = "the solutions of x² − 5x + 6 = 0"
		c.log.mu.Unlock()
		for _, text := range turns {
			c.send(text, "")
			c.settle()
		}
		log := c.settle()
		hints := map[string]bool{}
		for _, p := range payloads[classroom.MessageEnd](log) {
			said := ""
			for _, b := range p.Blocks {
				said += b.Text + string(b.Args)
			}
			if strings.Contains(said, "keep that back") && hints[said] {
				t.Errorf("%q is said twice", said)
			}
			hints[said] = true
			lower := strings.ToLower(said)
			if gaveAway(lower) {
				t.Errorf("it says %q", said)
			}
		}
		seen, err := json.Marshal(classroom.ForClass.FilterAll(log))
		if err != nil {
			t.Fatal(err)
		}
		for _, leak := range []string{"x = 2", "2 and 3", "two, and", "zwei und drei", "| a | 2", "x_1 = 2"} {
			if strings.Contains(string(seen), leak) {
				t.Errorf("the log has %q", leak)
			}
		}
	}, func(o *agents.Options) {
		o.Library, o.Tools = lib, []agents.Tool{agents.SearchMaterials(lib)}
		o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model { return m }
	})
}

func gaveAway(said string) bool {
	return strings.Contains(said, "2") && strings.Contains(said, "3") ||
		strings.Contains(said, "two") && strings.Contains(said, "three") ||
		strings.Contains(said, "zwei") && strings.Contains(said, "drei")
}
