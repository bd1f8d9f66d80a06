package live

import (
	"context"
	"strings"
	"sync"

	"colloquy/classroom"
	"colloquy/templates"
)

// A SessionView is a session as a page shows it: the fold of its log, and what the
// last cut had of it. It belongs to one goroutine, or to whoever holds the lock
// that guards it.
type SessionView struct {
	session  string
	live     bool // there is something to press
	fold     classroom.Fold
	cutAt    classroom.Cursor
	bytes    int                // of the events it has taken
	spent    classroom.Spent    // by the runs whose ends it has taken
	spentRev classroom.Cursor   // the last of these
	born     []classroom.Cursor // of card i+1: the event that opened it
	ended    []classroom.Cursor // of card i+1: its last run_end; 0 before
	drawn    map[int]drawing    // cards as they were drawn last
	cards    map[int]*shownCard // the cards that may still change, as the last cut sent them
	dock     dock
}

// A drawing is a card's HTML as of a revision.
type drawing struct {
	rev  classroom.Cursor
	html string
}

// A dock is what a page shows of a session beside its cards.
type dock struct {
	title, roster, queue, composer, spent string
	speaking                              string
}

func newView(session string, live bool) *SessionView {
	return &SessionView{session: session, live: live, drawn: map[int]drawing{}, cards: map[int]*shownCard{}}
}

// take folds events in.
func (s *SessionView) take(events []classroom.Event) {
	for _, e := range events {
		s.fold.Apply(e)
		s.bytes += len(e.Data)
		for len(s.born) < len(s.fold.Cards) {
			s.born, s.ended = append(s.born, e.ID), append(s.ended, 0)
		}
		if e.Type == classroom.TypeRunEnd && s.fold.Card(e.Exchange) != nil {
			s.ended[e.Exchange-1] = e.ID
		}
		s.spend(e)
	}
}

// prime makes the present the last cut, with nothing to send.
func (s *SessionView) prime() {
	s.cutAt = s.fold.Cursor
	for _, c := range s.fold.Cards {
		s.remember(c)
	}
	s.dock = s.drawDock()
}

// cut returns the patch from the last cut to the present.
func (s *SessionView) cut() *patch {
	p := new(patch)
	if s.cutAt == s.fold.Cursor {
		return p
	}
	for _, c := range s.fold.Cards {
		if c.Rev > s.cutAt {
			s.cutCard(p, c)
		}
	}
	s.cutDock(p)
	s.cutAt = s.fold.Cursor
	return p
}

// since returns the patches that bring a page at cursor to the last cut, whatever
// it missed: every card that changed, whole.
func (s *SessionView) since(cursor classroom.Cursor) []string {
	var out []string
	first := 0
	if cursor == 0 { // an empty page begins as a page does
		first = s.firstShown() - 1
	}
	if first > 0 {
		p := new(patch)
		p.upsert("#"+templates.ExchangesID, render(templates.OlderButton(s.session, first+1)))
		out = append(out, p.String())
	}
	for i, c := range s.fold.Cards[first:] {
		if c.Rev <= cursor {
			continue
		}
		p := new(patch)
		if s.born[first+i] <= cursor {
			p.morph("#"+templates.CardID(c.Exchange), s.card(c))
		} else {
			p.upsert("#"+templates.ExchangesID, s.card(c))
		}
		out = append(out, p.String())
	}
	if p := s.dockSince(cursor); p.len() > 0 {
		out = append(out, p.String())
	}
	return out
}

func (s *SessionView) dockSince(cursor classroom.Cursor) *patch {
	p := new(patch)
	if len(s.born) > 0 && s.born[0] > cursor {
		p.remove("#" + emptyID)
	}
	if s.fold.HeadRev > cursor {
		p.morph("#"+templates.SessionTitleID, s.dock.title)
	}
	if s.fold.QueueRev > cursor {
		p.morph("#"+templates.QueueID, s.dock.queue)
		p.morph("#"+templates.ComposerActionsID, s.dock.composer)
	}
	if s.fold.HeadRev > cursor || s.windowsRev() > cursor {
		p.morph("#"+templates.RosterID, s.dock.roster)
	}
	if s.spentRev > cursor {
		p.morph("#"+templates.SpentID, s.dock.spent)
	}
	return p
}

// windowsRev is the last event that may have passed the floor on.
func (s *SessionView) windowsRev() classroom.Cursor {
	rev := s.fold.QueueRev
	if c := s.fold.LastCard(); c != nil {
		for _, w := range c.Windows {
			rev = max(rev, w.HeadRev)
		}
	}
	return rev
}

// emptyID is the id of what a page without cards shows in their place.
const emptyID = "empty"

// view is a card in its surroundings. The text of a card that may still change
// is rendered by the block.
func (s *SessionView) view(c *classroom.Card) templates.CardView {
	v := templates.CardView{Session: s.session, Card: c, Live: s.live}
	if shown := s.cards[c.Exchange]; shown != nil {
		v.Prose = shown.prose
	}
	return v
}

// card draws a card, or returns it as it was drawn for the same revision.
func (s *SessionView) card(c *classroom.Card) string {
	if d, ok := s.drawn[c.Exchange]; ok && d.rev == c.Rev {
		return d.html
	}
	html := render(templates.Card(s.view(c)))
	s.drawn[c.Exchange] = drawing{c.Rev, html}
	return html
}

const (
	shownCards = 30
	shownBytes = 160 << 10
)

// firstShown is the exchange of the first card that a page shows: the newest
// cards that fit, and always the last.
func (s *SessionView) firstShown() int { return s.firstBefore(len(s.fold.Cards) + 1) }

// firstBefore is the first exchange of the page of cards that ends before one.
func (s *SessionView) firstBefore(exchange int) int {
	size, first := 0, exchange
	for first > 1 && exchange-first < shownCards {
		size += len(s.card(s.fold.Card(first - 1)))
		if size > shownBytes && first < exchange {
			break
		}
		first--
	}
	return max(1, first)
}

// drawn cards from one exchange to before another.
func (s *SessionView) between(first, before int) []string {
	var out []string
	for _, c := range s.fold.Cards[first-1 : before-1] {
		out = append(out, s.card(c))
	}
	return out
}

func (s *SessionView) drawDock() dock {
	return dock{
		title:    render(templates.SessionTitle(s.fold.Title)),
		roster:   s.drawRoster(),
		queue:    render(templates.QueueList(s.session, s.fold.Queue)),
		composer: render(templates.ComposerActions(s.composer())),
		spent:    s.drawSpent(),
		speaking: templates.Speaking(&s.fold),
	}
}

func (s *SessionView) drawRoster() string {
	return render(templates.Roster(classroom.Class{Roster: s.fold.Roster}, templates.Speaking(&s.fold)))
}

func (s *SessionView) composer() templates.Composer {
	return templates.Composer{
		Mode:    s.fold.Mode,
		Session: s.session, Running: s.fold.Running != 0, Barrier: s.fold.Barrier,
		Interrupted: s.fold.Status() == classroom.Interrupted, Roster: s.fold.Roster,
	}
}

// cutDock sends what changed beside the cards.
func (s *SessionView) cutDock(p *patch) {
	if len(s.born) > 0 && s.born[0] > s.cutAt {
		p.remove("#" + emptyID)
	}
	now := s.dock
	if s.fold.HeadRev > s.cutAt || s.fold.QueueRev > s.cutAt {
		now = s.drawDock()
	} else if templates.Speaking(&s.fold) != now.speaking {
		now.roster, now.speaking = s.drawRoster(), templates.Speaking(&s.fold)
	}
	if s.live && s.spentRev > s.cutAt { // a replay shows no costs
		now.spent = s.drawSpent()
	}
	p.piece(templates.SessionTitleID, s.dock.title, now.title)
	p.piece(templates.QueueID, s.dock.queue, now.queue)
	p.piece(templates.ComposerActionsID, s.dock.composer, now.composer)
	p.piece(templates.SpentID, s.dock.spent, now.spent)
	if s.dock.roster != now.roster {
		d := differ{out: p, anonymous: true}
		d.element("#"+templates.RosterID, parse(s.dock.roster), parse(now.roster))
	}
	s.dock = now
}

// piece sends an element that has an id, where it changed.
func (p *patch) piece(id, old, now string) {
	if strings.TrimSpace(old) != strings.TrimSpace(now) {
		p.morph("#"+id, now)
	}
}

// advance reads the log up to its head. In a long log the next page is read while
// one is folded.
func (s *SessionView) advance(ctx context.Context, log Log) error {
	events, err := log.Read(ctx, s.session, s.fold.Cursor, pageEvents)
	for err == nil && len(events) == pageEvents {
		var reading sync.WaitGroup
		var next []classroom.Event
		after := events[len(events)-1].ID
		reading.Go(func() { next, err = log.Read(ctx, s.session, after, pageEvents) })
		s.take(events)
		reading.Wait()
		events = next
	}
	if err == nil {
		s.take(events)
	}
	return err
}
