package tutor_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"colloquy/agents/llm"
)

// What a pupil asks first about each of the materials, and the terms that the
// assistant's list must begin with. All of them are from that material.
var asked = []struct{ question, material, terms string }{
	{"Why are leaves green?", "Photosynthesis", "Chlorophyll"},
	{"What is photosynthesis?", "Photosynthesis", "Photosynthesis"},
	{"What is the difference between mass and weight?", "Forces and Newton's laws of motion", "Mass, Weight"},
	{"Why do heavy and light objects fall equally fast?", "Forces and Newton's laws of motion", ""},
	{"What is Newton's second law?", "Forces and Newton's laws of motion", "Newton's second law"},
	{"How do I solve a quadratic equation?", "Quadratic equations", "Quadratic equation"},
	{"What caused the French Revolution?", "The French Revolution", "French Revolution"},
	{"What is the difference between an acid and a base?", "Acids, bases and the pH scale", "Acid, Base"},
	{"What is a variable?", "Algorithms and loops", "Variable"},
	{"When do I use the present perfect?", "English verb tenses", "Present perfect"},
	{"How is a law made?", "How a law is made", "Law"},
	{"Why do earthquakes happen?", "Plate tectonics", "Earthquake"},
	{"What is Pythagoras' theorem?", "Pythagoras' theorem", "Pythagoras' theorem"},
	{"What is rhythm?", "Rhythm and musical notation", "Rhythm"},
	{"What is the equilibrium price?", "Supply and demand", "Equilibrium price"},
}

var (
	termLine   = regexp.MustCompile(`(?m)^- \*\*(.+?)\*\*: “`)
	sourceName = regexp.MustCompile(`— \*(.+?)\*`)
)

func TestTermsAreOnTheQuestion(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"", "discussion"} {
		for _, a := range asked {
			c := theStage(t)
			c.human("Tom", a.question)
			c.turn(troupe[0], "", 1, script{mode: mode, rounds: 3})
			got := c.turn(troupe[1], "", 1, script{mode: mode, rounds: 3}).text
			var terms []string
			for _, m := range termLine.FindAllStringSubmatch(got, -1) {
				terms = append(terms, m[1])
			}
			if mode == "" && !strings.HasPrefix(strings.Join(terms, ", ")+",", a.terms+",") && a.terms != "" {
				t.Errorf("%q: the terms are %q, want %q first", a.question, terms, a.terms)
			}
			for _, m := range sourceName.FindAllStringSubmatch(got, -1) {
				if m[1] != a.material {
					t.Errorf("%s %q: a term is from %q:\n%s", mode, a.question, m[1], got)
				}
			}
		}
	}
}

// Of two who are asked by name the second refers to the first and reads
// something else or agrees.
func TestSecondAskedRefersToTheFirst(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"@Theo @Jonas what is a tectonic plate?", "@Theo and @Jonas: why do the plates move?", "@Theo @Jonas what is inertia?", "@Theo @Jonas who was Robespierre?"} {
		c := theStage(t)
		c.human("Tom", q)
		one := c.turn(troupe[1], "", 0, script{}).text
		two := c.turn(troupe[3], "", 0, script{}).text
		three := c.turn(troupe[0], "", 0, script{}).text
		for _, text := range []string{two, three} {
			if !strings.Contains(text, "Theo") {
				t.Errorf("%q: after\n%s\nit is said\n%s", q, one, text)
			}
			for _, r := range quoted(text) {
				if slices.Contains(quoted(one), r) {
					t.Errorf("%q: read again: %s", q, r)
				}
			}
		}
	}
}

// Where there is nothing to argue with, nobody says the same twice, and the
// opening says how to get something.
func TestDebateWithoutMaterial(t *testing.T) {
	t.Parallel()
	for _, topic := range []string{"Should zoos be closed?", "A tax on sugar is better than a lottery"} {
		_, turns := script{mode: "debate", rounds: 3, topic: topic}.run(t)
		said := map[string]bool{}
		for i, s := range turns {
			key := strings.NewReplacer("Mina", "X", "Jonas", "X").Replace(s.text)
			if said[key] {
				t.Errorf("%s says again: %s", s.who.Name, s.text)
			}
			said[key] = true
			other := map[llm.StageRole]string{llm.StageFor: "Jonas", llm.StageAgainst: "Mina"}[s.scene.StageRole]
			if s.scene.Round > 1 && !strings.Contains(s.text, other) {
				t.Errorf("round %d: %s does not speak of %s: %s", s.scene.Round, s.who.Name, other, s.text)
			}
			if i == 0 && (!strings.Contains(s.text, "hold nothing on this motion") || !strings.Contains(s.text, "under Materials")) {
				t.Errorf("the opening is %s", s.text)
			}
		}
	}
}

// On a miss the assistant says what there is, the classmate what to add.
func TestMissHelps(t *testing.T) {
	t.Parallel()
	c := theStage(t)
	c.human("Tom", "What is a derivative?")
	c.turn(troupe[0], "", 0, script{})
	if got := c.turn(troupe[1], "", 0, script{}).text; !strings.Contains(got, "*Algorithms and loops*") {
		t.Errorf("Theo says %q", got)
	}
	if got := c.turn(troupe[4], "", 0, script{}).text; !strings.Contains(got, "“derivative”") || !strings.Contains(got, "Materials") {
		t.Errorf("Lena says %q", got)
	}
}
