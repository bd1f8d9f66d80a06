package tutor_test

import (
	"testing"

	"colloquy/agents/llm"
)

var scripts = map[string]script{
	"mode-discussion":       {mode: "discussion", rounds: 3, topic: "Why are leaves green?"},
	"mode-discussion-hints": {mode: "discussion", rounds: 2, topic: "Why are leaves green?", rules: llm.Rules{Stance: "hints"}},
	"mode-discussion-aside": {mode: "discussion", rounds: 2, topic: "What caused the French Revolution?", aside: "Who was Robespierre?"},
	"mode-discussion-miss":  {mode: "discussion", rounds: 2, topic: "What is a black hole?"},
	"mode-debate":           {mode: "debate", rounds: 2, topic: "Should the state set prices?"},
	"mode-debate-terror":    {mode: "debate", rounds: 2, topic: "Was the Reign of Terror necessary?", aside: "When did the Terror end?"},
	"mode-debate-miss":      {mode: "debate", rounds: 1, topic: "Should zoos be closed?"},
	"mode-lecture":          {mode: "lecture", rounds: 4, topic: "Photosynthesis"},
	"mode-lecture-middle":   {mode: "lecture", rounds: 3, topic: "How does a computer search a list?", aside: "What is bubble sort?"},
	"mode-lecture-socratic": {mode: "lecture", rounds: 2, topic: "Plate tectonics", rules: llm.Rules{Stance: "socratic"}},
	"mode-lecture-hints":    {mode: "lecture", rounds: 2, topic: "What is the pH scale?", rules: llm.Rules{Stance: "hints"}},
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
