package floor

import (
	"strings"

	"colloquy/classroom"
)

// The options that decide how a lecture goes on.
const (
	lectureGoOn = "go_on"
	lectureEnd  = "end"
)

// What a person may answer when a lecture pauses.
var lectureOptions = []classroom.Option{
	{ID: lectureGoOn}, {ID: "simpler"}, {ID: "example"}, {ID: lectureEnd},
}

// nextInLecture is the rule of a lecture: in each exchange the teacher gives one
// section of the topic and pauses for questions. A person who lets it continue
// gets the next section; anything else is answered first. The last section is
// a summary.
func (f Floor) nextInLecture() Choice {
	question := f.Card().Question
	before := f.sectionsGiven()
	c := Choice{Agent: f.lecturer(), By: classroom.ByRule}
	switch {
	case before == 0 || asksToContinue(question):
		c.Round, c.StageRole = before+1, classroom.StageLecture
	case asksToEnd(question):
		c.Round, c.StageRole = f.Rounds, classroom.StageSummary
	default:
		c.Round, c.StageRole = before, classroom.StageReply
		if named := f.namedInQuestion(); len(named) > 0 {
			c.Agent, c.By = named[0], classroom.ByName
		}
	}
	if c.StageRole == classroom.StageLecture && c.Round >= f.Rounds {
		c.StageRole = classroom.StageSummary
	}
	if !f.spoke("", c.StageRole, c.Round) {
		return c
	}
	if c.StageRole == classroom.StageSummary {
		return Choice{}
	}
	options := lectureOptions
	if f.Scripted { // it only reads: it cannot say it in other words
		options = []classroom.Option{{ID: lectureGoOn}, {ID: lectureEnd}}
	}
	return Choice{Cue: &classroom.CueUser{Code: "lecture_questions", Options: options}}
}

// sectionsGiven returns how many sections of the lecture earlier exchanges gave;
// 0 where this exchange opens a new topic.
func (f Floor) sectionsGiven() int {
	n := 0
	for _, c := range f.Cards[:len(f.Cards)-1] {
		for _, w := range c.Windows {
			switch {
			case !sectionGiven(w):
			case w.StageRole == classroom.StageSummary:
				n = 0
			case w.StageRole == classroom.StageLecture:
				n = w.Round
			}
		}
	}
	return n
}

// LectureTopic returns the question that opened the lecture. What is asked in between is
// not the topic.
func (f Floor) LectureTopic() string {
	topic := ""
	for _, c := range f.Cards[:len(f.Cards)-1] {
		for _, w := range c.Windows {
			switch {
			case !sectionGiven(w):
			case w.StageRole == classroom.StageSummary:
				topic = ""
			case w.StageRole == classroom.StageLecture && w.Round == 1:
				topic = c.Question.Text
			}
		}
	}
	if topic == "" {
		return f.Card().Question.Text
	}
	return topic
}

// sectionGiven reports whether a section of an earlier exchange was given. One that was
// stopped or failed was not, and is given again.
func sectionGiven(w *classroom.Window) bool {
	switch w.StopReason {
	case classroom.StopEnd, classroom.StopToolUse, classroom.StopLength:
		return true
	}
	return false
}

func (f Floor) lecturer() classroom.Agent {
	for _, role := range []classroom.Role{classroom.Teacher, classroom.Assistant} {
		if agents := WithRole(f.Roster, role); len(agents) > 0 {
			return agents[0]
		}
	}
	return f.Roster[0]
}

// asksToContinue reports whether a person lets the lecture go on: by its option,
// or in a word or two.
func asksToContinue(u classroom.Utterance) bool {
	if u.Option == lectureGoOn {
		return true
	}
	switch normalise(u.Text) {
	case "go on", "goon", "continue", "next", "next part", "carry on", "please go on", "no questions",
		"weiter", "sigue", "continuez", "继续", "次へ":
		return true
	}
	return false
}

func asksToEnd(u classroom.Utterance) bool {
	if u.Option == lectureEnd {
		return true
	}
	s := normalise(u.Text)
	return s == "end here with a summary" || s == "end" || s == "end here" || s == "stop"
}

// normalise returns text in lower case, without the punctuation around it.
func normalise(text string) string { return strings.ToLower(strings.Trim(text, " \t\r\n.!…,;:\"'")) }
