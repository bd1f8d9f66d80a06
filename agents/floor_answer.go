package agents

import "colloquy/classroom"

// answer is the floor of question and answer: whoever the question names, then
// the teacher, an assistant and one classmate, each once.
func (f floor) answer() choice {
	card := f.card()
	named := mentioned(card.Question.Text, f.roster)
	for _, a := range f.speakingOrder(named) {
		if !spoke(card, a.ID) {
			return choice{agent: a, by: reason(named, a)}
		}
	}
	return choice{}
}

// reason says why a speaker has the floor by rule: a person named it, or the order did.
func reason(named []classroom.Agent, a classroom.Agent) string {
	if len(mentionedIn(named, a.ID)) > 0 {
		return classroom.ByName
	}
	return classroom.ByRule
}

func spoke(card *classroom.Card, agent string) bool {
	for _, w := range card.Windows {
		if w.Agent.ID == agent && whole(card, w) {
			return true
		}
	}
	return false
}

func (f floor) speakingOrder(named []classroom.Agent) []classroom.Agent {
	order := append([]classroom.Agent{}, named...)
	add := func(a classroom.Agent) {
		if len(mentionedIn(order, a.ID)) == 0 {
			order = append(order, a)
		}
	}
	for _, role := range []classroom.Role{classroom.Teacher, classroom.Assistant} {
		if of := withRole(f.roster, role); len(of) > 0 {
			add(of[0])
		}
	}
	if mates := withRole(f.roster, classroom.Student); len(mates) > 0 && len(withRole(named, classroom.Student)) == 0 {
		add(mates[(f.card().Exchange-1)%len(mates)])
	}
	if len(order) == 0 && len(f.roster) > 0 {
		order = f.roster[:1]
	}
	return order
}
