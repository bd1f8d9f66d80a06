package live

import (
	"colloquy/classroom"
	"colloquy/templates"
)

// Limits of what a page shows at first, and of what it loads at a time.
const (
	pageCards = 30
	pageHTML  = 160 << 10
)

// FillWorkbench sets what a session's page shows of the log, and the cursor from
// which its stream goes on.
func (v *SessionView) FillWorkbench(b *templates.Workbench) {
	first := v.firstShown()
	b.Cards = v.cards(first, len(v.fold.Cards)+1)
	if first > 1 {
		b.Older = first
	}
	b.Cursor, b.Queue, b.Composer = v.sentAt, v.fold.Queue, v.composer()
	b.Speaking, b.Spent.Usage, b.Spent.Cost = templates.Speaking(&v.fold), v.spent.Usage, v.spent.Cost
	b.Session.Title, b.Class.Roster = v.fold.Title, v.fold.Roster
}

// FillReplay sets what the page of a replay shows of the log.
func (v *SessionView) FillReplay(r *templates.Replay) {
	r.Cards = v.cards(v.firstShown(), len(v.fold.Cards)+1)
	r.Exchange = len(v.fold.Cards)
	if v.fold.Title != "" {
		r.Session.Title = v.fold.Title
	}
}

// FillStops sets the cursors at which the exchanges end, as seen from r.At.
func (v *SessionView) FillStops(r *templates.Replay) {
	r.Exchanges, r.Last, r.Next = len(v.fold.Cards), r.Head, r.Head
	var ends []classroom.Cursor
	for i, end := range v.ended {
		if end == 0 && i+1 < len(v.opened) {
			end = v.opened[i+1] - 1
		}
		if end == 0 || end > r.Head || i == len(v.ended)-1 {
			end = r.Head
		}
		ends = append(ends, end)
	}
	r.First = r.Head
	if len(ends) > 0 {
		r.First = ends[0]
	}
	r.Prev = r.First
	for _, end := range ends {
		if end < r.At {
			r.Prev = end
		}
		if end > r.At && end < r.Next {
			r.Next = end
		}
	}
}

// Older returns the cards before an exchange, as many as one page shows, and the
// button that leads to those before them.
func (v *SessionView) Older(before int) string {
	before = min(before, len(v.fold.Cards)+1)
	first, out := v.firstBefore(before), ""
	if first > 1 {
		out = v.render(templates.OlderButton(v.session, first, v.Audience))
	}
	for _, card := range v.cards(first, before) {
		out += card
	}
	return out
}

// firstShown returns the exchange of the first card that a page shows: of the
// newest cards that fit, and in any case of the last.
func (v *SessionView) firstShown() int { return v.firstBefore(len(v.fold.Cards) + 1) }

// firstBefore returns the first exchange of the page of cards that ends before an
// exchange.
func (v *SessionView) firstBefore(exchange int) int {
	size, first := 0, exchange
	for first > 1 && exchange-first < pageCards {
		size += len(v.renderCard(v.fold.Card(first - 1)))
		if size > pageHTML && first < exchange {
			break
		}
		first--
	}
	return max(1, first)
}

// cards renders the cards from one exchange to before another.
func (v *SessionView) cards(first, before int) []string {
	var out []string
	for _, c := range v.fold.Cards[first-1 : before-1] {
		out = append(out, v.renderCard(c))
	}
	return out
}
