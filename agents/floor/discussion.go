package floor

import (
	"slices"

	"colloquy/classroom"
)

// nextInDiscussion is the rule of a discussion: everybody speaks once in each
// round. An agent that the question names opens, else the teacher. After that a
// director may choose among those who have not spoken in the round.
func (f Floor) nextInDiscussion() Choice {
	round, newRound := max(f.Round(), 1), false
	left := f.silentInRound(round)
	if len(left) == 0 {
		if round >= f.Rounds {
			return Choice{}
		}
		round, newRound = round+1, true
		left = f.silentInRound(round)
	}
	if len(f.Card().Windows) == 0 {
		return Choice{Agent: left[0], Round: round, By: reason(f.namedInQuestion(), left[0])}
	}
	if last := f.Card().LastWindow(); newRound && len(left) > 1 && left[0].ID == last.Agent.ID {
		left = append(left[1:], left[0]) // nobody speaks twice in a row
	}
	return Choice{
		Agent: left[0], Round: round, By: classroom.ByRule,
		Candidates: left, MayEnd: newRound && !f.RoundsAskedFor,
	}
}

// silentInRound returns the participants who have not spoken in a round, in order.
func (f Floor) silentInRound(round int) []classroom.Agent {
	return slices.DeleteFunc(f.participants(), func(a classroom.Agent) bool { return f.spoke(a.ID, "", round) })
}

// participants returns the agents that the question names, then teachers,
// assistants and classmates, each by priority.
func (f Floor) participants() []classroom.Agent {
	return f.namedFirst(classroom.Teacher, classroom.Assistant, classroom.Student)
}
