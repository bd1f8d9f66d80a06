package tutor_test

import (
	"strings"
	"testing"

	"colloquy/agents/llm"
)

var scripts = map[string]script{
	"mode-discussion":       {mode: "discussion", rounds: 3, topic: "Why are leaves green?"},
	"mode-discussion-hints": {mode: "discussion", rounds: 2, topic: "Why are leaves green?", rules: llm.Rules{Manner: "hints"}},
	"mode-discussion-aside": {mode: "discussion", rounds: 2, topic: "What caused the French Revolution?", aside: "Who was Robespierre?"},
	"mode-discussion-miss":  {mode: "discussion", rounds: 2, topic: "What is a black hole?"},
	"mode-debate":           {mode: "debate", rounds: 2, topic: "Should the state set prices?"},
	"mode-debate-terror":    {mode: "debate", rounds: 2, topic: "Was the Reign of Terror necessary?", aside: "When did the Terror end?"},
	"mode-debate-mistake":   {mode: "debate", rounds: 1, topic: "Do plants get their food from the soil?"},
	"mode-debate-miss":      {mode: "debate", rounds: 2, topic: "Should zoos be closed?"},
	"mode-lecture":          {mode: "lecture", rounds: 4, topic: "Photosynthesis"},
	"mode-lecture-middle":   {mode: "lecture", rounds: 3, topic: "How does a computer search a list?", aside: "What is bubble sort?"},
	"mode-lecture-socratic": {mode: "lecture", rounds: 2, topic: "Plate tectonics", rules: llm.Rules{Manner: "socratic"}},
	"mode-lecture-list":     {mode: "lecture", rounds: 3, topic: "French Revolution"},
	"mode-lecture-hints":    {mode: "lecture", rounds: 2, topic: "What is the pH scale?", rules: llm.Rules{Manner: "hints"}},
	"mode-lecture-miss":     {mode: "lecture", rounds: 2, topic: "Black holes"},
}

func TestScenes(t *testing.T) {
	for name, p := range scripts {
		t.Run(name, func(t *testing.T) {
			_, turns := p.run(t)
			compareGolden(t, name, written(p, turns))
		})
	}
}

// What the materials call a mistake is decided; other mistakes are no argument.
func TestMotionThatIsAMistake(t *testing.T) {
	for topic, want := range map[string]bool{
		"Do plants get their food from the soil?":       true,
		"Do plants not get their food from the soil?":   false,
		"Is a while loop better than a for loop?":       false,
		"Should the state set prices?":                  false,
		"Do plants respire at night, and in the soil?":  false,
		"Was the king of France executed in the Terror": false,
	} {
		p := script{mode: "debate", rounds: 1, topic: topic}
		_, turns := p.run(t)
		if got := strings.Contains(turns[len(turns)-1].text, "call the motion a mistake"); got != want {
			t.Errorf("%q is called a mistake: %v, want %v:\n%s", topic, got, want, written(p, turns))
		}
	}
}
