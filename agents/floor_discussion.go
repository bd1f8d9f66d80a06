package agents

import (
	"slices"

	"colloquy/classroom"
)

// discuss is the floor of a discussion. In each round everybody speaks once.
// Whoever the question names opens, else the teacher; after that a director may
// choose among those who have not spoken in the round.
func (f floor) discuss() choice {
	round := max(f.round(), 1)
	left := f.leftIn(round)
	fresh := false
	if len(left) == 0 {
		if round >= f.rounds {
			return choice{}
		}
		round, fresh = round+1, true
		left = f.leftIn(round)
	}
	named := mentioned(f.card().Question.Text, f.roster)
	if len(f.card().Windows) == 0 {
		return choice{agent: left[0], round: round, by: reason(named, left[0])}
	}
	if last := f.card().LastWindow(); fresh && len(left) > 1 && left[0].ID == last.Agent.ID {
		left = append(left[1:], left[0]) // nobody twice in a row
	}
	return choice{agent: left[0], round: round, by: classroom.ByRule, open: left, ending: fresh && !f.asked}
}

// leftIn returns who has not spoken in a round, in the order of the rule.
func (f floor) leftIn(round int) []classroom.Agent {
	return slices.DeleteFunc(f.participants(), func(a classroom.Agent) bool { return f.had(a.ID, "", round) })
}

// participants are those whom the question names, then teachers, assistants and
// classmates, by their priority.
func (f floor) participants() []classroom.Agent {
	order := mentioned(f.card().Question.Text, f.roster)
	for _, role := range []classroom.Role{classroom.Teacher, classroom.Assistant, classroom.Student} {
		for _, a := range withRole(f.roster, role) {
			if len(mentionedIn(order, a.ID)) == 0 {
				order = append(order, a)
			}
		}
	}
	return order
}
