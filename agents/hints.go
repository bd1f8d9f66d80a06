package agents

import (
	"context"

	"colloquy/agents/ladder"
	"colloquy/classroom"
)

// giveHint decides how much of the answer the pupil gets in this exchange, and writes it to
// the log before anybody speaks. It does nothing where the class explains, in modes that
// treat a topic, and where the log already says it.
func (r *run) giveHint(ctx context.Context) error {
	if !r.speakers.class.Rules.Laddered() {
		return nil
	}
	q := r.presentQuestion()
	found := r.s.rt.search(ctx, r.speakers.class.ID, classroom.MaterialQuery{
		Question: q.Question, Before: q.Before, Limit: answerPassages,
	}).found
	h, ok := r.nextHint(found)
	if !ok {
		return nil
	}
	r.looked = nil // the question that is looked up may be the one that opened the ladder
	return r.append(ctx, r.draft(h))
}

// nextHint returns the hint of the exchange, and false if it has none.
func (r *run) nextHint(found classroom.Found) (classroom.Hint, bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	fold := r.s.fold
	card := fold.Card(r.exchange)
	if classroom.ModeOf(fold.Mode).Rounds > 0 || card.Hint != nil || card.Safety != nil {
		return classroom.Hint{}, false
	}
	m := ladder.Message{Text: card.Question.Text, Words: found.Mentioned}
	if len(found.Passages) > 0 {
		m.Section = sectionOf(found.Passages[0])
	}
	last, at := lastHint(fold.Cards[:r.exchange-1])
	state := ladder.State{}
	var said []string
	before := ""
	if last != nil {
		state = ladder.State{
			Question: questionAt(fold, last.Question), Section: last.Section, Rung: last.Rung, Tries: last.Tries,
		}
		said, before = saidSince(fold.Cards[:r.exchange-1], last.Question), fold.Cards[at].Question.Text
	}
	next, reason := ladder.Next(state, m, before, said)
	h := classroom.Hint{
		Question: card.Question.Cursor, Rung: next.Rung, Of: ladder.Rungs, Tries: next.Tries, Reason: reason,
		Section: next.Section,
	}
	if reason != ladder.Open && last != nil {
		h.Question = last.Question
	}
	return h, next.Question != ""
}

// sectionOf names the section of a passage.
func sectionOf(p classroom.Passage) string { return p.MaterialID + " › " + p.Section }

// lastHint returns the newest hint of some cards and its place; nil if there is none. A lift
// leads to the last rung.
func lastHint(cards []*classroom.Card) (*classroom.Hint, int) {
	for i := len(cards) - 1; i >= 0; i-- {
		if cards[i].Hint == nil {
			continue
		}
		h := *cards[i].Hint
		if cards[i].Lift != nil {
			h.Rung = h.Of
		}
		return &h, i
	}
	return nil, 0
}

// questionAt returns the text of the question at a cursor.
func questionAt(fold *classroom.Fold, at classroom.Cursor) string {
	for _, c := range fold.Cards {
		if c.Question.Cursor == at {
			return c.Question.Text
		}
	}
	return ""
}

// saidSince returns what people and agents said on the ladder that the message at a cursor
// opened.
func saidSince(cards []*classroom.Card, opened classroom.Cursor) []string {
	var out []string
	for _, c := range cards {
		if c.Question.Cursor < opened || !mayReachModel(c) {
			continue
		}
		out = append(out, c.Question.Text)
		for _, w := range c.Windows {
			for _, e := range w.Entries {
				switch {
				case e.Message != nil:
					out = append(out, e.Message.Text())
				case e.Steer != nil:
					out = append(out, e.Steer.Text)
				}
			}
		}
	}
	return out
}

// hint returns the hint of the exchange, and how many messages came before on its ladder;
// nil if it has none. s.mu is held.
func (r *run) hint() (h *classroom.Hint, asked int) {
	card := r.s.fold.Card(r.exchange)
	if card == nil || card.Hint == nil || card.Lift != nil {
		return nil, 0
	}
	for _, c := range r.s.fold.Cards[:r.exchange-1] {
		if c.Hint != nil && c.Hint.Question == card.Hint.Question {
			asked++
		}
	}
	return card.Hint, asked
}

// keepsPassages reports whether the class may not read the passages that a search finds,
// because the pupil is to get less than the whole answer.
func (r *run) keepsPassages() bool {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	h, _ := r.hint()
	return h != nil && h.Rung < h.Of
}
