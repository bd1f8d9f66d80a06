package agents

import (
	"context"
	"strings"

	"colloquy/classroom"
)

// Lift gives the whole answer to a question free: the passages that answer it and what the
// class withholds about it, in the card of the newest exchange on its ladder. question is the
// cursor of its message; 0 is the last one. It returns ErrNothingToLift where nothing is held
// back.
func (rt *Runtime) Lift(ctx context.Context, id string, question classroom.Cursor, by string) error {
	s, sp, err := rt.sessionWithSpeakers(ctx, id)
	if err != nil {
		return err
	}
	card, asked, guarded := s.cardToLift(question)
	s.unlock()
	if card == 0 {
		return classroom.ErrNothingToLift
	}
	lift, err := rt.liftOf(ctx, sp.class, asked, guarded)
	if err != nil {
		return err
	}
	lift.By = by
	s, err = rt.leasedSession(ctx, id)
	if err != nil {
		return err
	}
	defer s.unlock()
	if again, _, _ := s.cardToLift(question); again != card {
		return classroom.ErrNothingToLift // somebody else was quicker
	}
	_, err = s.append(context.WithoutCancel(ctx), s.generation, classroom.Draft{Exchange: card, Payload: lift})
	return err
}

// liftOf returns what is given free with a question: the passages that answer it, and what
// the class withholds about it. What it withholds about something else stays withheld.
// guarded means that an agent was about to give something away.
func (rt *Runtime) liftOf(
	ctx context.Context, class classroom.Class, asked classroom.Utterance, guarded bool,
) (classroom.Lift, error) {
	lift := classroom.Lift{Question: asked.Cursor}
	set, err := rt.withheldSet(ctx, class)
	if err != nil {
		return lift, err
	}
	var texts []string
	freed := set.About(asked.Text)
	if freed.Empty() && guarded {
		freed = set
	}
	rest := set.Without(strings.Join(freed.Texts(), "\n"))
	found := rt.search(ctx, class.ID, classroom.MaterialQuery{Question: asked.Text, Limit: answerPassages}).found
	for _, p := range rest.RedactAll(found.Passages) {
		texts = append(texts, p.Text)
		p.Text = ""
		lift.Sources = append(lift.Sources, p)
	}
	whole := strings.Join(strings.Fields(strings.Join(texts, " ")), " ")
	for _, sentence := range freed.Texts() {
		if !strings.Contains(whole, sentence) {
			texts = append(texts, sentence)
		}
	}
	lift.Text = strings.Join(texts, "\n\n")
	return lift, nil
}

// cardToLift returns the newest exchange on the ladder of a question, and the question; where
// hints hold nothing back, an exchange in which an agent was about to give something away. The
// exchange is 0 where there is neither. s.mu is held.
func (s *session) cardToLift(question classroom.Cursor) (exchange int, asked classroom.Utterance, guarded bool) {
	cards := s.fold.Cards
	last, at := lastHint(cards)
	for i := at; question != 0 && i >= 0 && last != nil && last.Question != question; i-- {
		last, at = lastHint(cards[:i])
	}
	if last == nil || last.Rung >= last.Of {
		return s.guardedCard(question)
	}
	for i, c := range cards {
		if c.Question.Cursor == last.Question {
			asked = c.Question
		}
		guarded = guarded || c.Guarded > 0 && i <= at && c.Question.Cursor >= last.Question
	}
	return at + 1, asked, guarded
}

// guardedCard returns the newest exchange, or that of a question, in which an agent was about
// to give something away that was not given free since. s.mu is held.
func (s *session) guardedCard(question classroom.Cursor) (exchange int, asked classroom.Utterance, guarded bool) {
	cards := s.fold.Cards
	for i := len(cards) - 1; i >= 0; i-- {
		c := cards[i]
		if c.Guarded > 0 && c.Lift == nil && (question == 0 || c.Question.Cursor == question) {
			return i + 1, c.Question, true
		}
	}
	return 0, asked, false
}
