package store

import (
	"strings"
	"testing"
)

func TestSearchFinds(t *testing.T) {
	s := openStore(t, t.TempDir())
	class := libraryClass(t, s)
	for query, want := range map[string]string{
		"What is photosynthesis?":                    "photosynthesis: What is photosynthesis?: **Photosynthesis** is",
		"Why are leaves green?":                      "photosynthesis: Where does photosynthesis take place?: ",
		"why is a LEAF green":                        "photosynthesis: Where does photosynthesis take place?: ",
		"How do plants store energy":                 "photosynthesis: What do plants do with the glucose?: ",
		"What happens in the Calvin cycle?":          "photosynthesis: The Calvin cycle: ",
		"can you explain the light reactions please": "photosynthesis: The light reactions: ",
		"stomata":                    "photosynthesis: Where does photosynthesis take place?: ",
		"what's a stoma?":            "photosynthesis: Where does photosynthesis take place?: ",
		"what limits photosynthesis": "photosynthesis: What limits the rate of photosynthesis?: ",
		"What is an acid?":           "acids-and-bases: What is an acid?: ",
		"What is the difference between an acid and a base?": "acids-and-bases: What is a",
		"what does pH mean":                                 "acids-and-bases: What is the pH scale?: ",
		"Why do earthquakes happen":                         "plate-tectonics: How do earthquakes happen?: ",
		"how do mountains form":                             "plate-tectonics: What happens where plates collide?: ",
		"Who was Louis XVI?":                                "french-revolution: ",
		"what caused the French Revolution":                 "french-revolution: Why did the French Revolution ",
		"What is Newton's second law?":                      "forces-and-motion: Newton's second law: ",
		"How does a bill become a law?":                     "how-a-law-is-made: How does a bill become a law?: A",
		"What is a for loop":                                "algorithms-and-loops: What is a loop?: ",
		"how do I solve x^2 + 5x + 6 = 0":                   "quadratic-equations: ",
		"quadratic formula":                                 "quadratic-equations: What is the quadratic formula?: ",
		"When do I use the present perfect?":                "english-tenses: ",
		"how many beats does a minim have":                  "rhythm-and-notation: ",
		"Why does the price rise when demand rises?":        "supply-and-demand: ",
		"what is the equilibrium price":                     "supply-and-demand: What is the equilibrium price?: ",
		"hypotenuse of a right triangle with sides 3 and 4": "pythagoras: ",
		"My sister says roots do photosynthesis too. Do roots carry out photosynthesis?": "photosynthesis: ",
	} {
		got := found(t, s, class, query)
		if len(got) == 0 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%q\n got %.120q\nwant %q", query, strings.Join(got, "\n"), want)
		}
	}
}

// TestSearchMisses asks what the library knows nothing of. An answer would be a
// wrong one.
func TestSearchMisses(t *testing.T) {
	s := openStore(t, t.TempDir())
	class := libraryClass(t, s)
	for _, query := range []string{
		"what is a black hole", "What year did World War II start?", "Who won the world cup in 2018?",
		"How do vaccines work?",
		"What is the capital of France?", "Tell me about dinosaurs", "what is machine learning",
		"How do I bake sourdough bread at home?",
		"what is mitosis",
		"how does the human heart pump blood around the body", "Who led the Russian Revolution?",
		"hello", "thanks!", "why?", "", "   ", "?!", "the of and", "a", "\x00", strings.Repeat("\" OR * ^ ( + - : ",
			50),
	} {
		if got := found(t, s, class, query); len(got) > 0 {
			t.Errorf("%q found %.150q", query, got[0])
		}
	}
}
