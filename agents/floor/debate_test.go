package floor

import (
	"testing"

	"colloquy/classroom"
)

// Classmates debate, or those whom the question names; the teacher moderates, or whoever
// is left, but nobody who debates.
func TestSidesAndModeratorAreThree(t *testing.T) {
	ada, ben, cleo, dan := roster[0], roster[1], roster[2], roster[3]
	eve := classroom.Agent{ID: "eve", Name: "Eve", Role: classroom.Student}
	for _, c := range []struct {
		question                string
		roster                  []classroom.Agent
		pro, against, moderator string
	}{
		{"Why?", []classroom.Agent{ada, ben, cleo, dan}, "cleo", "dan", "ada"},
		{"Why, @Dan and @Cleo?", []classroom.Agent{ada, ben, cleo, dan}, "dan", "cleo", "ada"},
		{"Why, @Ben?", []classroom.Agent{ada, ben, cleo, dan}, "ben", "cleo", "ada"},
		{"Why, @Ada?", []classroom.Agent{ada, ben, cleo, dan}, "ada", "cleo", "ben"},
		{"Why?", []classroom.Agent{ben, cleo, dan}, "cleo", "dan", "ben"},
		{"Why?", []classroom.Agent{cleo, dan, eve}, "cleo", "dan", "eve"},
		{"Why?", []classroom.Agent{cleo, ada}, "cleo", "ada", ""},
	} {
		f := Floor{Mode: classroom.ModeDebate, Roster: c.roster}
		f.newExchange(c.question)
		got := f.Sides()
		if got.For.ID != c.pro || got.Against.ID != c.against || got.Moderator.ID != c.moderator {
			t.Errorf("%s of %d agents: %s for, %s against, %s moderates; want %s, %s, %s", c.question, len(c.roster),
				got.For.ID, got.Against.ID, got.Moderator.ID, c.pro, c.against, c.moderator)
		}
	}
}
