package agents

import "colloquy/classroom"

// sides are who takes which part in a debate.
type sides struct{ moderator, pro, contra classroom.Agent }

// sides picks two debaters: those whom the question names, in that order, then
// classmates, then others; and as moderator the teacher, or who is left.
func (f floor) sides() sides {
	order := mentioned(f.card().Question.Text, f.roster)
	for _, role := range []classroom.Role{classroom.Student, classroom.Assistant, classroom.Teacher} {
		for _, a := range withRole(f.roster, role) {
			if len(mentionedIn(order, a.ID)) == 0 {
				order = append(order, a)
			}
		}
	}
	s := sides{pro: order[0], contra: order[1]}
	rest := without(without(f.roster, s.pro.ID), s.contra.ID)
	for _, role := range []classroom.Role{classroom.Student, classroom.Assistant, classroom.Teacher} {
		if of := withRole(rest, role); len(of) > 0 {
			s.moderator = of[0]
		}
	}
	return s
}

// debate is the floor of a debate: the moderator opens, both sides speak in each
// round, and the moderator sums up. Where the question names somebody, that one
// opens for the motion.
func (f floor) debate() choice {
	s := f.sides()
	named := mentioned(f.card().Question.Text, f.roster)
	if len(named) == 0 && !f.had("", classroom.StageModerator, 0) {
		return choice{agent: s.moderator, part: classroom.StageModerator, by: classroom.ByRule}
	}
	for round := 1; round <= f.rounds; round++ {
		if !f.had("", classroom.StageFor, round) {
			return choice{agent: s.pro, part: classroom.StageFor, round: round, by: reason(named, s.pro)}
		}
		if !f.had("", classroom.StageAgainst, round) {
			return choice{agent: s.contra, part: classroom.StageAgainst, round: round, by: reason(named, s.contra)}
		}
	}
	if !f.had("", classroom.StageSummary, f.rounds) {
		return choice{agent: s.moderator, part: classroom.StageSummary, round: f.rounds, by: classroom.ByRule}
	}
	return choice{}
}
