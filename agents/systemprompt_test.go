package agents_test

import (
	"context"
	"strings"
	"testing"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// What a prompt must say, and what it must not, by the manner of the class and the role.
// A demand stands for all roles where role is empty.
var demands = []struct {
	manners, role string
	say, not      string
}{
	{"explain hints socratic", "", "you are an AI", "you are human"},
	{"explain hints socratic", "", "do not do homework", ""},
	{"explain hints socratic", "", "an adult they trust", ""},
	{"explain hints socratic", "", "pupils", ""},
	{"explain hints socratic", "", "The finish line", ""},
	{"explain hints socratic", "", "Praise effort", "Praise talent"},
	{"explain hints socratic", "", "One idea at a time", ""},
	{"explain hints socratic", "", " words", ""}, // a length
	{"explain hints socratic", "teacher", "name the place of a mistake", ""},
	{"explain", "teacher", "Begin with the answer", "no further than the rung"},
	{"explain", "assistant", "key terms", ""},
	{"hints socratic", "", "Now: hint 2 of 5; one try so far.", "Begin with the answer"},
	{"hints socratic", "", "", "key terms"},
	{"hints socratic", "teacher", "Find out what the pupil thinks before you tell", ""},
	{"hints socratic", "assistant", "efine nothing that is part of", ""},
	{"hints socratic", "student", "answer", "say in your own words what you understood"},
	{"hints", "student", "Do not answer the question", ""},
	{"socratic", "student", "Leave the answer to the pupils", ""},
}

func TestPromptsDemandWhatTheMannerDoes(t *testing.T) {
	for _, manner := range classroom.Manners() {
		for _, role := range []classroom.Role{classroom.Teacher, classroom.Assistant, classroom.Student} {
			prompt := promptOf(role, manner)
			for _, d := range demands {
				if !strings.Contains(d.manners, manner) || d.role != "" && d.role != string(role) {
					continue
				}
				if !strings.Contains(prompt, d.say) && !strings.Contains(strings.ToLower(prompt),
					strings.ToLower(d.say)) {
					t.Errorf("%s under %s is not told %q", role, manner, d.say)
				}
				if d.not != "" && strings.Contains(prompt, d.not) {
					t.Errorf("%s under %s is told %q", role, manner, d.not)
				}
			}
		}
	}
}

func promptOf(role classroom.Role, manner string) string {
	me := classroom.Agent{ID: "x", Name: "Xena", Role: role}
	class := classroom.Class{Title: "Biology", Roster: []classroom.Agent{me}, Rules: classroom.Rules{
		Manner: manner, FinishLine: "say why leaves are green", Year: "8",
	}}
	rules := llm.Rules{Manner: manner}
	if class.Rules.Laddered() {
		rules.HintRung, rules.HintOf, rules.Tries = 2, 5, 1
	}
	return agents.SystemPrompt(class, class.Roster, me, rules)
}

// The requests of two agents of a run begin alike: a server that keeps the beginning of a
// prompt reads it once. One search serves both, and each window opens with a cue.
func TestRequestsOfARunBeginAlike(t *testing.T) {
	model := llmtest.New(llmtest.Say("Light."), llmtest.Say("Terms."))
	lib := new(memoryLibrary)
	lib.add("Light", "# Leaves\n\nChlorophyll reflects green.")
	bubble(t, model, []string{"ada", "ben"}, func(c *runtimeRig) {
		c.send("Why are leaves green?", "")
		c.settle()
		asked := model.Requests()
		if len(asked) != 2 || len(lib.queries) != 1 {
			t.Fatalf("%d requests after %d searches", len(asked), len(lib.queries))
		}
		common := asked[0].System[:strings.Index(asked[0].System, "\nYou are ")]
		if len(common) < 1000 || !strings.HasPrefix(asked[1].System, common) {
			t.Errorf("the prompts share %d bytes", len(common))
		}
		for i, name := range []string{"Ms Ada", "Ben"} {
			m := asked[i].Messages
			if m[0].Text != asked[0].Messages[0].Text || !strings.Contains(m[0].Text, "[1] Light, Leaves") {
				t.Errorf("%s is given %q first", name, m[0].Text)
			}
			if last := m[len(m)-1]; last.Text != name+", it is your turn." {
				t.Errorf("%s's request ends with %q", name, last.Text)
			}
		}
	}, func(o *agents.Options) {
		o.Library, o.Tools = lib, []agents.Tool{agents.SearchMaterials(lib)}
		o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model { return model }
	})
}
