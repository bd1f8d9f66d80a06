package tutor

import "testing"

func TestKinds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]kind{
		"What is a comet?":                       define,
		"comet":                                  define,
		"Why do comets shine?":                   why,
		"What causes tides?":                     why,
		"How do comets form?":                    how,
		"How many moons has Mars?":               amount,
		"When was the Bastille stormed?":         when,
		"When do we use the past tense?":         open,
		"Who was Robespierre?":                   who,
		"Where is the stroma?":                   where,
		"What is the difference between a and b": compare,
		"Give me an example of an acid":          example,
		"What is the formula for speed?":         reckon,
		"What are the three estates?":            listing,
		"Tell me about comets":                   overview,
		"I give up, tell me":                     open,
	} {
		if got := parse(text, nil).kind; got != want {
			t.Errorf("%q: kind %d, want %d", text, got, want)
		}
	}
}

func TestQueryDropsWhatIsNotAsked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Why do leaves look green?":                         "leaves green",
		"Ada, what is a comet?":                             "comet",
		"@Ada what is a comet":                              "comet",
		"Theo, what is a comet?":                            "comet",
		"Comets, what are they?":                            "Comets",
		"@Mina what is a comet?":                            "comet",
		"What do you think, @Mina: is a comet ice?":         "comet ice",
		"Tom: What is a comet?":                             "comet",
		"What is a comet, Ada?":                             "comet",
		"Hello Ada!":                                        "",
		"Hello! What is a comet?":                           "comet",
		"What is a word?":                                   "word",
		"What is 3 + 4?":                                    "3 4",
		"What happened in 1789?":                            "1789",
		"We read about Mars. It was fun. Is Mars a planet?": "Mars planet read fun",
		"How many people died?":                             "people died",
		"Please explain Newton’s law":                       "Newton’s law",
		"Wie entsteht Energie?":                             "entsteht Energie",
	} {
		if got := parse(text, []string{"Ada", "Tom"}).query(); got != want {
			t.Errorf("%q: query %q, want %q", text, got, want)
		}
	}
}

func TestFollowUpsLeanOnTheQuestionBefore(t *testing.T) {
	t.Parallel()
	before := parse("What is photosynthesis?", nil)
	for text, want := range map[string]string{
		"and why?":                        "photosynthesis",
		"Where does it happen?":           "photosynthesis",
		"tell me more":                    "photosynthesis",
		"And in autumn?":                  "autumn photosynthesis",
		"What is the French Revolution?":  "French Revolution",
		"And what is a cell?":             "cell",
		"What about quadratic equations?": "quadratic equations",
	} {
		if got := parse(text, nil).after(before).query(); got != want {
			t.Errorf("%q: query %q, want %q", text, got, want)
		}
	}
	if q := parse("and why?", nil).after(before); q.kind != why {
		t.Errorf("the kind of the follow-up is %d, want why", q.kind)
	}
	both := parse("What is the difference between rain and snow?", nil)
	if got := parse("and where does it fall?", nil).after(both).query(); got != "fall rain" {
		t.Errorf("after a comparison: query %q, want one of the two subjects", got)
	}
}

func TestStems(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"leaves", "leaf"}, {"making", "make"}, {"energies", "energy"}, {"reactions", "react"}, {"processes", "process"},
		{"stomata", "stoma"}, {"running", "run"}, {"bases", "base"}, {"Évaporation", "evaporate"}, {"H₂O", "h2o"},
	} {
		if a, b := stemOf(foldOf(pair[0])), stemOf(foldOf(pair[1])); a != b {
			t.Errorf("%s and %s have the stems %s and %s", pair[0], pair[1], a, b)
		}
	}
	if likeness("photosynthesis", "photosynthetic") == 0 || likeness("reactor", "realm") != 0 {
		t.Error("likeness tells families from strangers")
	}
}

func TestSlip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"photosyntesis", "photosynthesis", true}, {"pythagroas", "pythagoras", true}, {"fotosynthesis", "photosynthesis", true},
		{"comat", "comet", true}, {"cat", "cot", false}, {"french", "trench", true}, {"gravity", "cavity", false}, {"law", "law", true},
	} {
		if got := slip(c.a, c.b); got != c.want {
			t.Errorf("slip(%s, %s) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestWithheld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule, text string
		want       bool
	}{
		{"chlorophyll", "The pigment is called Chlorophyll.", true},
		{"chlorophyll", "Leaves are green.", false},
		{"Do not give away the quadratic formula.", "quadratic equations have it", true},
		{"the answer to exercise 3; osmosis", "exercise 3 is hard", true},
		{"the answer to exercise 3; osmosis", "exercise 4 is hard", false},
		{"the answer to exercise 3; osmosis", "by osmosis", true},
		{`never say "Calvin cycle"`, "the cycle of Melvin Calvin", true},
		{"photosynthesis and respiration", "respiration alone", true},
		{"", "anything", false},
		{"do not give the answer", "anything with an answer", false},
	} {
		if got := readWithheld(c.rule).in(wordsOf(c.text)); got != c.want {
			t.Errorf("rule %q, text %q: %v, want %v", c.rule, c.text, got, c.want)
		}
	}
}
