package live

import (
	"context"
	"sync"

	"colloquy/classroom"
	"colloquy/templates"

	"github.com/a-h/templ"
)

// A SessionView is a session as a page shows it: the fold of its log, and what was
// sent of it last. Only one goroutine at a time may use it.
type SessionView struct {
	viewKey
	fold     classroom.Fold
	sentAt   classroom.Cursor     // the head when the last patch was made
	bytes    int                  // of the events applied
	spent    classroom.Spent      // by the runs that have ended
	spentRev classroom.Cursor     // of the last run_end
	opened   []classroom.Cursor   // of card i+1: the event that opened it
	ended    []classroom.Cursor   // of card i+1: its last run_end; 0 before
	rendered map[int]renderedCard // by exchange: cards as they were rendered last
	sent     map[int]*sentCard    // by exchange: the cards that may still change, as the last patch left them
	chrome   chrome
}

// A renderedCard is a card's HTML as of a revision.
type renderedCard struct {
	rev  classroom.Cursor
	html string
}

func newView(key viewKey) *SessionView {
	return &SessionView{viewKey: key, rendered: map[int]renderedCard{}, sent: map[int]*sentCard{}}
}

// ViewAt returns the view of a session as it was at a cursor, which a reader can do
// nothing with but read. It belongs to the caller.
func (h *Hub) ViewAt(ctx context.Context, session string, r Reader, at classroom.Cursor) (*SessionView, error) {
	r.ReadOnly = true
	v := newView(viewKey{session, r})
	for v.fold.Cursor < at {
		events, err := h.opt.Log.Read(ctx, session, v.fold.Cursor, int(min(pageEvents, at-v.fold.Cursor)))
		if err != nil {
			return nil, err
		}
		if len(events) == 0 {
			break
		}
		v.apply(events)
	}
	v.markSent()
	return v, nil
}

// advance reads the log up to its head. In a long log the next page is read while
// one is folded.
func (v *SessionView) advance(ctx context.Context, log Log) error {
	events, err := log.Read(ctx, v.session, v.fold.Cursor, pageEvents)
	for err == nil && len(events) == pageEvents {
		var reading sync.WaitGroup
		var next []classroom.Event
		after := events[len(events)-1].ID
		reading.Go(func() { next, err = log.Read(ctx, v.session, after, pageEvents) })
		v.apply(events)
		reading.Wait()
		events = next
	}
	if err == nil {
		v.apply(events)
	}
	return err
}

// apply folds events in.
func (v *SessionView) apply(events []classroom.Event) {
	for _, e := range events {
		e = v.Audience.Filter(e)
		v.fold.Apply(e)
		v.bytes += len(e.Data)
		for len(v.opened) < len(v.fold.Cards) {
			v.opened, v.ended = append(v.opened, e.ID), append(v.ended, 0)
		}
		if e.Type == classroom.TypeRunEnd && v.fold.Card(e.Exchange) != nil {
			v.ended[e.Exchange-1] = e.ID
		}
		v.addSpent(e)
	}
}

// markSent notes the present state as sent.
func (v *SessionView) markSent() {
	v.sentAt = v.fold.Cursor
	for _, c := range v.fold.Cards {
		v.markCardSent(c)
	}
	v.chrome = v.renderChrome()
}

// diff returns the patch from what was sent last to the present state, and notes
// that state as sent.
func (v *SessionView) diff() *patch {
	p := v.newPatch()
	if v.sentAt == v.fold.Cursor {
		return p
	}
	for _, c := range v.fold.Cards {
		if c.Rev > v.sentAt {
			v.diffCard(p, c)
		}
	}
	v.diffChrome(p)
	v.sentAt = v.fold.Cursor
	return p
}

// patchesSince returns the patches that bring a page at a cursor to what was sent
// last, whatever the page missed. Each card that changed is sent whole.
func (v *SessionView) patchesSince(cursor classroom.Cursor) []string {
	var out []string
	first := 0
	if cursor == 0 { // an empty page is sent what a new page would show
		first = v.firstShown() - 1
	}
	if first > 0 {
		p := v.newPatch()
		p.upsert("#"+templates.ExchangesID, v.render(templates.OlderButton(v.session, first+1, v.Audience)))
		out = append(out, p.String())
	}
	for i, c := range v.fold.Cards[first:] {
		if c.Rev <= cursor {
			continue
		}
		p := v.newPatch()
		if v.opened[first+i] <= cursor {
			p.morph("#"+templates.CardID(c.Exchange), v.renderCard(c))
		} else {
			p.upsert("#"+templates.ExchangesID, v.renderCard(c))
		}
		out = append(out, p.String())
	}
	if p := v.chromeSince(cursor); p.len() > 0 {
		out = append(out, p.String())
	}
	return out
}

func (v *SessionView) newPatch() *patch { return &patch{language: v.Language} }

func (v *SessionView) render(c templ.Component) string { return render(v.Language, c) }

// cardView returns a card with its surroundings, for the templates. The text of a
// card that may still change is rendered block by block.
func (v *SessionView) cardView(c *classroom.Card) templates.CardView {
	cv := templates.CardView{Session: v.session, Card: c, Live: !v.ReadOnly, Teaches: v.Audience != classroom.ForPupils}
	if sc := v.sent[c.Exchange]; sc != nil {
		cv.Prose = sc.prose
	}
	return cv
}

// renderCard renders a card, or returns it as it was rendered for the same revision.
func (v *SessionView) renderCard(c *classroom.Card) string {
	if rc, ok := v.rendered[c.Exchange]; ok && rc.rev == c.Rev {
		return rc.html
	}
	html := v.render(templates.Card(v.cardView(c)))
	v.rendered[c.Exchange] = renderedCard{c.Rev, html}
	return html
}
