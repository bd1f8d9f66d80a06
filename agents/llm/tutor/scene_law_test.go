package tutor_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/tutor"
)

var topics = []string{
	"Why are leaves green?", "What caused the French Revolution?", "Plate tectonics", "How is a law made?", "What is the pH scale?",
	"How do I solve a quadratic equation?", "What is rhythm?",
	"What is the difference between mass and weight?", "When do you use the present perfect?",
	"Should the state set prices?", "Is a while loop better than a for loop?", "Do plants get their food from the soil?", "Is a comet a planet?",
}

// everyScene plays each topic in each mode.
func everyScene(t *testing.T, topics []string, rules llm.Rules, look func(t *testing.T, c *class, p script, turns []spoken)) {
	for _, mode := range []string{"discussion", "debate", "lecture"} {
		for _, topic := range topics {
			t.Run(mode+"/"+topic, func(t *testing.T) {
				t.Parallel()
				p := script{mode: mode, rounds: 3, topic: topic, rules: rules}
				c, turns := p.run(t)
				look(t, c, p, turns)
			})
		}
	}
}

var listed = regexp.MustCompile(`^(?:-|\d+\.) “(.+?)” — `)

// readOut is what a turn quotes, as letters.
func readOut(s spoken) (out []string) {
	for _, q := range quoted(s.text) {
		for part := range strings.SplitSeq(q, " …") { // where the rest is to be found out
			out = append(out, letters(part))
		}
	}
	for line := range strings.Lines(s.text) {
		if m := listed.FindStringSubmatch(line); m != nil {
			out = append(out, letters(m[1]))
		}
	}
	return out
}

func TestScenesQuoteTheMaterials(t *testing.T) {
	t.Parallel()
	for stance, topics := range map[string][]string{"": topics, "hints": topics[2:5], "socratic": topics[4:6]} {
		everyScene(t, topics, llm.Rules{Manner: stance}, func(t *testing.T, c *class, p script, turns []spoken) {
			if p.mode == "discussion" && stance == "" {
				readOnce(t, turns)
			}
			var all strings.Builder
			for _, x := range c.texts {
				all.WriteString(letters(x.Text))
			}
			for _, s := range turns {
				checkMarkdown(t, s.text)
				if strings.Contains(s.text, "%!") || strings.TrimSpace(s.text) == "" {
					t.Errorf("%s says %q", s.who.Name, s.text)
				}
				for _, q := range readOut(s) {
					if !strings.Contains(all.String(), q) {
						t.Errorf("%s quotes what no material says: %q", s.who.Name, q)
					}
				}
			}
		})
	}
}

// readOnce checks that in a discussion nobody reads out what was read before.
func readOnce(t *testing.T, turns []spoken) {
	t.Helper()
	before, quotes := "", 0
	for _, s := range turns {
		for _, q := range readOut(s) {
			if quotes++; strings.Contains(before, q) {
				t.Errorf("%s in round %d reads again: %s", s.who.Name, s.scene.Round, q)
			}
			before += "|" + q
		}
	}
	if quotes < 6 && !strings.HasSuffix(t.Name(), "Is_a_comet_a_planet?") {
		t.Errorf("only %d passages are read", quotes)
	}
}

func TestScenesAreDeterministic(t *testing.T) {
	t.Parallel()
	everyScene(t, topics[:2], llm.Rules{}, func(t *testing.T, _ *class, p script, turns []spoken) {
		if _, again := p.run(t); !reflect.DeepEqual(turns, again) {
			t.Errorf("the same scene was played in two ways:\n%s\n\n%s", written(p, turns), written(p, again))
		}
	})
}

// Where the materials hold nothing, nobody answers in any mode.
func TestScenesDoNotGuess(t *testing.T) {
	t.Parallel()
	none := []string{"What is a black hole?", "Should zoos be closed?", "Beethoven", "Is homework harmful?", "xyzzy"}
	everyScene(t, none, llm.Rules{}, func(t *testing.T, _ *class, _ script, turns []spoken) {
		for _, s := range turns {
			if q := readOut(s); len(q) > 0 {
				t.Errorf("%s reads out %q", s.who.Name, q)
			}
		}
		if first := turns[0].text; !strings.Contains(first, "found nothing") {
			t.Errorf("the opening does not say that there is nothing: %s", first)
		}
	})
}

func TestScenesKeepWhatIsWithheld(t *testing.T) {
	t.Parallel()
	for stance, n := range map[string]int{"": 4, "hints": 2, "socratic": 2} {
		rules := llm.Rules{Manner: stance, Withheld: "chlorophyll, the Bastille; Robespierre"}
		everyScene(t, []string{"Why are leaves green?", "Was the Reign of Terror necessary?", "Photosynthesis", "What is chlorophyll?"}[:n], rules, func(t *testing.T, _ *class, _ script, turns []spoken) {
			for _, s := range turns {
				if strings.TrimSpace(s.text) == "" {
					t.Errorf("%s says nothing as %+v", s.who.Name, s.scene)
				}
				for _, secret := range []string{"chlorophyll", "bastille", "robespierre"} {
					if strings.Contains(strings.ToLower(s.text), secret) {
						t.Errorf("%s gives %s away: %s", s.who.Name, secret, s.text)
					}
				}
			}
		})
	}
}

// Who speaks first after a person has put something in answers them by name,
// even without being told to; the others stay with the topic.
func TestNextSpeakerTakesUpAPerson(t *testing.T) {
	t.Parallel()
	c := theStage(t)
	p := script{mode: "discussion", rounds: 3}
	c.human("Tom", "Why are leaves green?")
	for _, who := range troupe {
		c.turn(who, "", 1, p)
	}
	c.human("Mia", "What is a veto?")
	if got := c.turn(troupe[2], "", 2, p).text; !strings.HasPrefix(got, "Mia, ") || !strings.Contains(got, "veto") {
		t.Errorf("Mina answers %q", got)
	}
	if got := c.turn(troupe[3], "", 2, p).text; strings.Contains(got, "veto") || !strings.Contains(got, "Photosynthesis") {
		t.Errorf("Jonas goes on with %q", got)
	}
}

// A new line opens a new topic, whatever was discussed before.
func TestNextExchangeHasItsOwnTopic(t *testing.T) {
	t.Parallel()
	c := theStage(t)
	for _, topic := range []string{"Why are leaves green?", "How is a law made?"} {
		c.human("Tom", topic)
		turns := discuss(c, script{mode: "discussion", rounds: 2, topic: topic})
		for _, at := range []int{0, 6} {
			if !strings.Contains(turns[at].text, fmt.Sprintf("“%s”", topic)) {
				t.Errorf("turn %d on %q: %s", at, topic, turns[at].text)
			}
		}
		if topic == "How is a law made?" && strings.Contains(turns[3].text, "Photosynthesis") {
			t.Errorf("Jonas is still with the topic before: %s", turns[3].text)
		}
	}
}

func TestDebateWithoutNames(t *testing.T) {
	t.Parallel()
	c := theStage(t)
	p := script{mode: "debate", rounds: 1, topic: "Should the state set prices?"}
	c.human("Tom", p.topic)
	for part, want := range map[llm.StageRole]string{llm.StageModerator: "The motion is “", llm.StageFor: "good reasons"} {
		if got := c.turn(troupe[1], part, 1, p).text; !strings.Contains(got, want) {
			t.Errorf("%s says %q, want %q in it", part, got, want)
		}
	}
}

// A part that was cut off goes on where it ended.
func TestCutPartGoesOn(t *testing.T) {
	t.Parallel()
	c := theStage(t)
	p := script{mode: "lecture", rounds: 2, topic: "Plate tectonics"}
	c.human("Tom", p.topic)
	whole := c.turn(troupe[0], llm.StageLecture, 1, p).text
	last := &c.lines[len(c.lines)-1].msg
	last.Text = whole[:len(whole)/2]
	if rest := c.turn(troupe[0], llm.StageLecture, 1, p).text; !strings.HasSuffix(whole, rest) || strings.Contains(rest, "Part 1") {
		t.Errorf("of %q the rest is %q", whole, rest)
	}
}

// Whatever a material holds stays quoted in every mode.
func TestHostileMaterialStaysQuotedInScenes(t *testing.T) {
	t.Parallel()
	for mode, play := range plays {
		for _, topic := range []string{"What is a comet?", "Why does a comet's tail shine?", "comet <b>ice</b> [x](javascript:alert(1))"} {
			c := theClass(t)
			c.stage = &stage{}
			c.human("Tom", topic)
			for _, s := range play(c, script{mode: mode, rounds: 2, topic: topic}) {
				checkMarkdown(t, s.text)
			}
		}
	}
}

func TestProfileIsScripted(t *testing.T) {
	t.Parallel()
	if p := llm.ProfileOf(tutor.New(tutor.Options{})); p != (llm.Profile{Scripted: true}) {
		t.Errorf("got %+v", p)
	}
}
