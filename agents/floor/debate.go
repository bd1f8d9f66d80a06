package floor

import "colloquy/classroom"

// Sides are the agents of a debate.
type Sides struct{ Moderator, For, Against classroom.Agent }

// Sides picks two debaters: those whom the question names, in that order, then
// classmates, then others. The moderator is the teacher, or another who is left.
func (f Floor) Sides() Sides {
	order := f.namedFirst(classroom.Student, classroom.Assistant, classroom.Teacher)
	s := Sides{For: order[0], Against: order[1]}
	rest := without(f.Roster, s.For.ID, s.Against.ID)
	for _, role := range []classroom.Role{classroom.Student, classroom.Assistant, classroom.Teacher} {
		if agents := WithRole(rest, role); len(agents) > 0 {
			s.Moderator = agents[0]
		}
	}
	return s
}

// nextInDebate is the rule of a debate: the moderator opens, both sides speak in
// each round, and the moderator sums up. Where the question names an agent, that
// one opens for the motion.
func (f Floor) nextInDebate() Choice {
	sides, named := f.Sides(), f.namedInQuestion()
	if len(named) == 0 && !f.spoke("", classroom.StageModerator, 0) {
		return Choice{Agent: sides.Moderator, StageRole: classroom.StageModerator, By: classroom.ByRule}
	}
	for round := 1; round <= f.Rounds; round++ {
		if !f.spoke("", classroom.StageFor, round) {
			return Choice{
				Agent: sides.For, StageRole: classroom.StageFor, Round: round, By: reason(named, sides.For),
			}
		}
		if !f.spoke("", classroom.StageAgainst, round) {
			return Choice{
				Agent: sides.Against, StageRole: classroom.StageAgainst, Round: round, By: reason(named, sides.Against),
			}
		}
	}
	if !f.spoke("", classroom.StageSummary, f.Rounds) {
		return Choice{Agent: sides.Moderator, StageRole: classroom.StageSummary, Round: f.Rounds, By: classroom.ByRule}
	}
	return Choice{}
}
