package floor

import (
	"fmt"
	"strings"
	"testing"

	"colloquy/classroom"
)

var roster = []classroom.Agent{
	{ID: "ada", Name: "Ms Ada", Role: classroom.Teacher, Priority: 10},
	{ID: "ben", Name: "Ben", Role: classroom.Assistant, Priority: 7},
	{ID: "cleo", Name: "Cleo", Role: classroom.Student, Priority: 5},
	{ID: "dan", Name: "Dan", Role: classroom.Student, Priority: 4},
}

// speak appends the window of a choice to a card.
func speak(card *classroom.Card, c Choice) *classroom.Window {
	w := &classroom.Window{
		Agent: c.Agent, StageRole: c.StageRole, Round: c.Round, Attempt: card.Attempt, StopReason: classroom.StopEnd,
	}
	card.Windows = append(card.Windows, w)
	return w
}

// interject adds what a person says to a window.
func interject(card *classroom.Card, w *classroom.Window, text string) {
	steer := card.Question
	steer.Text = text
	w.Entries = append(w.Entries, &classroom.Entry{Steer: &steer})
}

// newExchange adds a question to the floor.
func (f *Floor) newExchange(question string) *classroom.Card {
	card := &classroom.Card{Exchange: len(f.Cards) + 1, Attempt: 1}
	card.Question.Text = question
	f.Cards = append(f.Cards, card)
	return card
}

// speakAll lets the rules choose until nobody is left, and returns the choices.
func speakAll(f Floor) string {
	var order []string
	for range 50 {
		c := f.Next()
		if c.EndsRun() {
			if c.Cue != nil {
				order = append(order, "cue")
			}
			break
		}
		step := fmt.Sprintf("%s %s %d %s", c.Agent.ID, c.StageRole, c.Round, c.By)
		order = append(order, strings.Join(strings.Fields(step), " "))
		speak(f.Card(), c)
	}
	return strings.Join(order, ", ")
}

// TestOrder: who speaks in which order, by mode and question.
func TestOrder(t *testing.T) {
	for _, test := range []struct {
		mode     string
		rounds   int
		roster   []classroom.Agent
		question string
		want     string
	}{
		{classroom.ModeQA, 0, roster, "Why?", "ada 0 rule, ben 0 rule, cleo 0 rule"},
		{classroom.ModeQA, 0, roster, "@dan and @Ben, why?", "dan 0 named, ben 0 named, ada 0 rule"},
		{classroom.ModeQA, 0, roster[2:], "Why?", "cleo 0 rule"},
		{classroom.ModeQA, 0, nil, "Why?", ""},
		{classroom.ModeDiscussion, 2, roster[:2], "Why?", "ada 1 rule, ben 1 rule, ada 2 rule, ben 2 rule"},
		{classroom.ModeDiscussion, 1, roster[:3], "@cleo, why?", "cleo 1 named, ada 1 rule, ben 1 rule"},
		{classroom.ModeDiscussion, 2, roster[:1], "Why?", "ada 0 rule"},
		{classroom.ModeDebate, 1, roster, "Ten?",
			"ada moderator 0 rule, cleo for 1 rule, dan against 1 rule, ada summary 1 rule"},
		{classroom.ModeDebate, 1, roster[:3], "@ada: ten?", "ada for 1 named, cleo against 1 rule, ben summary 1 rule"},
		{classroom.ModeLecture, 2, roster, "Plants", "ada lecture 1 rule, cue"},
		{classroom.ModeLecture, 1, roster, "Plants", "ada summary 1 rule"},
	} {
		f := Floor{Mode: test.mode, Rounds: test.rounds, RoundsAskedFor: true, Roster: test.roster}
		f.newExchange(test.question)
		if got := speakAll(f); got != test.want {
			t.Errorf("%s, %q: %s, want %s", test.mode, test.question, got, test.want)
		}
	}
}

// TestClassmatesRotate: in question and answer another classmate speaks in each exchange.
func TestClassmatesRotate(t *testing.T) {
	f := Floor{Mode: classroom.ModeQA, Roster: roster}
	for _, want := range []string{"cleo 0 rule", "dan 0 rule", "cleo 0 rule"} {
		f.newExchange("Why?")
		if got := speakAll(f); !strings.HasSuffix(got, want) {
			t.Errorf("exchange %d: %s, want %s at the end", len(f.Cards), got, want)
		}
	}
}

// TestLectureContinues: each exchange of a lecture gives the next section or
// answers a question.
func TestLectureContinues(t *testing.T) {
	f := Floor{Mode: classroom.ModeLecture, Rounds: 3, Roster: roster}
	for _, step := range [][2]string{
		{"Plants", "ada lecture 1 rule, cue"}, {"Go on.", "ada lecture 2 rule, cue"},
		{"@Ben, why?", "ben reply 2 named, cue"},
		{"继续", "ada summary 3 rule"}, {"Animals", "ada lecture 1 rule, cue"},
		{"End here with a summary", "ada summary 3 rule"},
	} {
		f.newExchange(step[0])
		if got := speakAll(f); got != step[1] {
			t.Errorf("%q: %s, want %s", step[0], got, step[1])
		}
	}
}

// TestInterjection: an agent that an interjection names speaks next, and a
// teacher answers a question that only a classmate heard.
func TestInterjection(t *testing.T) {
	for _, test := range []struct{ speaker, text, want string }{
		{"cleo", "@Dan, say more", "dan"},
		{"cleo", "Really?", "ada"},
		{"ada", "Really?", ""}, // the teacher answers it while speaking
		{"cleo", "Really.", ""},
		{"cleo", "真的？", "ada"},
		{"cleo", "Αλήθεια;", "ada"},
		{"cleo", "First; second", ""},
	} {
		f := Floor{Mode: classroom.ModeDiscussion, Rounds: 1, Roster: roster}
		card := f.newExchange("What is a plant?")
		for _, id := range []string{"ada", "ben", "dan", "cleo"} {
			speaker, _ := Find(roster, id)
			w := speak(card, Choice{Agent: speaker, Round: 1})
			if id == test.speaker {
				interject(card, w, test.text)
			}
		}
		c := f.Next()
		if got := c.Agent.ID; got != test.want || test.want != "" && c.StageRole != classroom.StageReply {
			t.Errorf("%q in the window of %s: next is %q (%s), want %q", test.text, test.speaker, got,
				c.StageRole, test.want)
		}
	}
}

// TestInterruptedWindowDoesNotCount: what an earlier attempt left unfinished is said again.
func TestInterruptedWindowDoesNotCount(t *testing.T) {
	f := Floor{Mode: classroom.ModeQA, Roster: roster[:2]}
	card := f.newExchange("Why?")
	speak(card, f.Next()).StopReason = classroom.StopAborted
	if got := f.Next().Agent.ID; got != "ben" {
		t.Errorf("in the same attempt %s is next, want ben", got)
	}
	card.Attempt++
	if got := f.Next().Agent.ID; got != "ada" {
		t.Errorf("in the next attempt %s is next, want ada", got)
	}
}

// TestDirectorMayEnd: only between rounds, and only where nobody asked for a number.
func TestDirectorMayEnd(t *testing.T) {
	for _, asked := range []bool{false, true} {
		f := Floor{Mode: classroom.ModeDiscussion, Rounds: 2, RoundsAskedFor: asked, Roster: roster[:2]}
		card := f.newExchange("Why?")
		for i, want := range []bool{false, false, !asked, false} {
			c := f.Next()
			if c.MayEnd != want {
				t.Errorf("rounds asked for %v, window %d: may end %v", asked, i, c.MayEnd)
			}
			speak(card, c)
		}
	}
}

// TestMentioned: agents are named by id, name or one word of it, in any case.
func TestMentioned(t *testing.T) {
	agents := append([]classroom.Agent{{ID: "ana-2", Name: "Ana María"}, {ID: "moss", Name: "Dr. Moss"}}, roster...)
	for text, want := range map[string]string{
		"@Dan, then @ben and @dan": "dan ben", "@ms ada": "ada", "@ANA-2!": "ana-2", "@ana maría": "ana-2",
		"@María":    "ana-2",
		"@dr. moss": "moss", "@Dr. Who": "", "dan": "", "@daniel": "", "@": "", "@@ben": "ben", "": "",
	} {
		var ids []string
		for _, a := range Mentioned(text, agents) {
			ids = append(ids, a.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%q mentions %q, want %q", text, got, want)
		}
	}
}

// Every mode has its rule, and every rule a mode.
func TestRulesOfModes(t *testing.T) {
	for _, m := range classroom.Modes() {
		if rules[m.ID] == nil {
			t.Errorf("the mode %q has no rule", m.ID)
		}
	}
	if len(rules) != len(classroom.Modes()) {
		t.Errorf("%d rules for %d modes", len(rules), len(classroom.Modes()))
	}
}
