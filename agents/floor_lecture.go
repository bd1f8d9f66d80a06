package agents

import (
	"strings"

	"colloquy/classroom"
)

// What a person may answer when a lecture stops.
var lectureOptions = []classroom.Option{
	{ID: "go_on", Label: "Go on"},
	{ID: "simpler", Label: "Explain that more simply"},
	{ID: "example", Label: "Give an example"},
	{ID: "end", Label: "End here with a summary"},
}

// lecture is the floor of a lecture: in each exchange the teacher speaks through
// one part of the topic, and stops for questions. Going on leads to the next
// part, anything else is answered first. The last part sums up.
func (f floor) lecture() choice {
	card := f.card()
	before := f.part()
	lecturer := f.lecturer()
	c := choice{agent: lecturer, by: classroom.ByRule}
	switch {
	case before == 0 || goesOn(card.Question.Text):
		c.round, c.part = before+1, classroom.StageLecture
	case ends(card.Question.Text):
		c.round, c.part = f.rounds, classroom.StageSummary
	default:
		c.round, c.part = before, classroom.StageReply
		if named := mentioned(card.Question.Text, f.roster); len(named) > 0 {
			c.agent, c.by = named[0], classroom.ByName
		}
	}
	if c.part == classroom.StageLecture && c.round >= f.rounds {
		c.part = classroom.StageSummary
	}
	if !f.had("", c.part, c.round) {
		return c
	}
	if c.part == classroom.StageSummary {
		return choice{}
	}
	return choice{cue: &classroom.CueUser{Question: "Any questions so far? Ask them now, or let the lecture go on.", Options: lectureOptions}}
}

// part is the part of the lecture that the session had reached before this
// exchange; 0 where the exchange opens a new topic.
func (f floor) part() int {
	at := 0
	for _, c := range f.cards[:len(f.cards)-1] {
		for _, w := range c.Windows {
			switch {
			case !given(w):
			case w.StageRole == classroom.StageSummary:
				at = 0
			case w.StageRole == classroom.StageLecture:
				at = w.Round
			}
		}
	}
	return at
}

// given reports whether a part of an earlier exchange was held. One that was
// stopped or failed was not: going on begins it again.
func given(w *classroom.Window) bool {
	return w.StopReason == classroom.StopEnd || w.StopReason == classroom.StopToolUse || w.StopReason == classroom.StopLength
}

func (f floor) lecturer() classroom.Agent {
	for _, role := range []classroom.Role{classroom.Teacher, classroom.Assistant} {
		if of := withRole(f.roster, role); len(of) > 0 {
			return of[0]
		}
	}
	return f.roster[0]
}

// goesOn reports whether a person lets the lecture go on: by its option, or in
// a word or two.
func goesOn(text string) bool {
	switch said(text) {
	case "go on", "goon", "continue", "next", "next part", "carry on", "please go on", "no questions", "weiter", "sigue", "continuez", "继续", "次へ":
		return true
	}
	return false
}

func ends(text string) bool {
	s := said(text)
	return s == said(lectureOptions[3].Label) || s == "end" || s == "end here" || s == "stop"
}

// said is a text without its case and the signs around it.
func said(text string) string { return strings.ToLower(strings.Trim(text, " \t\r\n.!…,;:\"'")) }
