package agents

import (
	"context"
	"strings"

	"colloquy/classroom"
)

// Lift gives the whole answer to a question free: the passages that answer it, in the card
// of the newest exchange on its ladder. question is the cursor of its message; 0 is the last
// one. It returns ErrNothingToLift where nothing is held back.
func (rt *Runtime) Lift(ctx context.Context, id string, question classroom.Cursor, by string) error {
	s, sp, err := rt.sessionWithSpeakers(ctx, id)
	if err != nil {
		return err
	}
	card, asked := s.cardToLift(question)
	s.unlock()
	if card == 0 {
		return classroom.ErrNothingToLift
	}
	found := rt.search(ctx, sp.class.ID, classroom.MaterialQuery{
		Question: asked.Text, Limit: answerPassages,
	}).found
	lift := classroom.Lift{Question: asked.Cursor, By: by}
	var texts []string
	for _, p := range found.Passages {
		texts = append(texts, p.Text)
		p.Text = ""
		lift.Sources = append(lift.Sources, p)
	}
	lift.Text = strings.Join(texts, "\n\n")
	s, err = rt.leasedSession(ctx, id)
	if err != nil {
		return err
	}
	defer s.unlock()
	if again, _ := s.cardToLift(question); again == 0 {
		return classroom.ErrNothingToLift // somebody else was quicker
	}
	_, err = s.append(context.WithoutCancel(ctx), s.generation, classroom.Draft{Exchange: card, Payload: lift})
	return err
}

// cardToLift returns the newest exchange on the ladder of a question, and the question; 0
// where none holds anything back. s.mu is held.
func (s *session) cardToLift(question classroom.Cursor) (exchange int, asked classroom.Utterance) {
	last, at := lastHint(s.fold.Cards)
	for i := at; question != 0 && i >= 0 && last != nil && last.Question != question; i-- {
		last, at = lastHint(s.fold.Cards[:i])
	}
	if last == nil || last.Rung >= last.Of {
		return 0, asked
	}
	for _, c := range s.fold.Cards {
		if c.Question.Cursor == last.Question {
			asked = c.Question
		}
	}
	return at + 1, asked
}
