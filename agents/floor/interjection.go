package floor

import (
	"strings"

	"colloquy/classroom"
)

// An interjection is what a person says while the class talks: a steer.

// namedInInterjection returns the first agent that an interjection names and
// that has not spoken since.
func (f Floor) namedInInterjection() (classroom.Agent, bool) {
	var due []classroom.Agent
	for _, w := range f.Card().Windows {
		due = without(due, w.Agent.ID)
		for _, x := range w.Entries {
			if x.Steer != nil {
				due = append(due, without(Mentioned(x.Steer.Text, f.Roster), w.Agent.ID)...)
			}
		}
	}
	if len(due) == 0 {
		return classroom.Agent{}, false
	}
	return due[0], true
}

// teacherWithOpenQuestion returns the teacher where a person asked a question
// while a classmate spoke and no teacher has spoken since.
func (f Floor) teacherWithOpenQuestion() (classroom.Agent, bool) {
	teachers := WithRole(f.Roster, classroom.Teacher)
	if len(teachers) == 0 {
		return classroom.Agent{}, false
	}
	open := false
	for _, w := range f.Card().Windows {
		if w.Agent.Role == classroom.Teacher {
			open = false
			continue
		}
		for _, x := range w.Entries {
			if x.Steer != nil {
				open = isQuestion(x.Steer.Text)
			}
		}
	}
	return teachers[0], open
}

// replyRole is the stage role of the agent that answers an interjection. In a mode
// without rounds it has none: there everybody answers.
func (f Floor) replyRole() string {
	if classroom.ModeOf(f.Mode).Rounds == 0 {
		return ""
	}
	return classroom.StageReply
}

const (
	questionMarks     = "?？؟՞፧⸮"
	greekQuestionMark = "\u037e;" // and the semicolon that is typed for it
)

// isQuestion reports whether text holds a question mark of any script. The Greek
// one looks like a semicolon, so it counts only in a text with Greek letters.
func isQuestion(text string) bool {
	return strings.ContainsAny(text, questionMarks) ||
		strings.ContainsAny(text, greekQuestionMark) && strings.ContainsFunc(text, isGreek)
}

func isGreek(r rune) bool { return r >= 0x370 && r < 0x400 }
