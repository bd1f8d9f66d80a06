package live

import "colloquy/templates"

// Fill takes from the screen what the page shows of the log, so that its stream
// goes on from there.
func (sc *SessionView) Fill(b *templates.Workbench) {
	first := sc.firstShown()
	b.Cards = sc.between(first, len(sc.fold.Cards)+1)
	if first > 1 {
		b.Older = first
	}
	b.Cursor, b.Queue, b.Composer = sc.cutAt, sc.fold.Queue, sc.composer()
	b.Speaking, b.Spent.Usage, b.Spent.Cost = templates.Speaking(&sc.fold), sc.spent.Usage, sc.spent.Cost
	b.Session.Title, b.Class.Roster = sc.fold.Title, sc.fold.Roster
}

// FillReplay takes from the view what the page of a replay shows of the log.
func (sc *SessionView) FillReplay(r *templates.Replay) {
	r.Cards = sc.between(sc.firstShown(), len(sc.fold.Cards)+1)
	r.Exchange = len(sc.fold.Cards)
	if sc.fold.Title != "" {
		r.Session.Title = sc.fold.Title
	}
}

// Older returns the cards before an exchange, as many as fit, and the button that
// leads to those before them.
func (sc *SessionView) Older(before int) string {
	before = min(before, len(sc.fold.Cards)+1)
	first, out := sc.firstBefore(before), ""
	if first > 1 {
		out = render(templates.OlderButton(sc.session, first))
	}
	for _, card := range sc.between(first, before) {
		out += card
	}
	return out
}
