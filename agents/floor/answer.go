package floor

import (
	"slices"

	"colloquy/classroom"
)

// nextInAnswer is the rule of question and answer: the agents that the question
// names, then the teacher, an assistant and one classmate, each once.
func (f Floor) nextInAnswer() Choice {
	named := f.namedInQuestion()
	for _, a := range f.answerOrder(named) {
		if !f.answered(a.ID) {
			return Choice{Agent: a, By: reason(named, a)}
		}
	}
	return Choice{}
}

func (f Floor) answered(id string) bool {
	card := f.Card()
	return slices.ContainsFunc(card.Windows, func(w *classroom.Window) bool {
		return w.Agent.ID == id && hasSpoken(card, w)
	})
}

func (f Floor) answerOrder(named []classroom.Agent) []classroom.Agent {
	order := slices.Clone(named)
	silent := func(a classroom.Agent) bool { return slices.Contains(f.Silent, a.ID) }
	others := slices.DeleteFunc(slices.Clone(f.Roster), silent)
	for _, role := range []classroom.Role{classroom.Teacher, classroom.Assistant} {
		if agents := WithRole(others, role); len(agents) > 0 {
			order = appendMissing(order, agents[0])
		}
	}
	// The classmates answer in rotation, one in each exchange.
	if mates := WithRole(others, classroom.Student); len(mates) > 0 && len(WithRole(named, classroom.Student)) == 0 {
		order = appendMissing(order, mates[(f.Card().Exchange-1)%len(mates)])
	}
	if len(order) == 0 && len(f.Roster) > 0 {
		order = f.Roster[:1]
	}
	return order
}
