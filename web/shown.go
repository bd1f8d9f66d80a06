package web

import (
	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/templates/prose"
)

// A shownCard is a card that may still change, as the last cut sent it.
type shownCard struct {
	head, foot string
	windows    []*shownWindow
	texts      map[textPlace]*shownText
}

type shownWindow struct {
	head    string
	entries []string // each without the text of its messages
}

// A textPlace is where a text stands in its card.
type textPlace struct{ window, entry, part int }

// prose is a [templates.ProseFunc].
func (sc *shownCard) prose(w *classroom.Window, e *classroom.Entry, part int) []prose.Chunk {
	at := textPlace{w.Index, e.Index, part}
	t := sc.texts[at]
	if t == nil {
		t = new(shownText)
		sc.texts[at] = t
	}
	return t.blocks(e.Message.Blocks[part].Text, e.Message.Open)
}

func noProse(*classroom.Window, *classroom.Entry, int) []prose.Chunk { return nil }

func settled(c *classroom.Card) bool {
	return c.State == classroom.CardCompleted || c.State == classroom.CardFailed || c.State == classroom.CardCancelled
}

// remember notes a card as it is now, as sent. A settled card is noted no more:
// should it change again, it is sent whole.
func (s *screen) remember(c *classroom.Card) {
	if settled(c) {
		delete(s.cards, c.Exchange)
		return
	}
	sc := &shownCard{texts: map[textPlace]*shownText{}}
	if before := s.cards[c.Exchange]; before != nil {
		sc.texts = before.texts
	}
	s.cards[c.Exchange] = sc
	v := s.view(c)
	sc.head, sc.foot = render(templates.CardHead(v)), render(templates.CardFoot(v))
	for _, w := range c.Windows {
		sc.windows = append(sc.windows, sc.window(v, w))
	}
	sc.sent()
}

func (sc *shownCard) window(v templates.CardView, w *classroom.Window) *shownWindow {
	out := &shownWindow{head: render(templates.WindowHead(v, w))}
	for _, e := range w.Entries {
		out.entries = append(out.entries, bare(v, w, e))
		sc.draw(w, e)
	}
	return out
}

// draw brings the blocks of an entry's texts up to date, and forgets texts that went.
func (sc *shownCard) draw(w *classroom.Window, e *classroom.Entry) {
	if e.Message == nil {
		return
	}
	parts := e.Message.Blocks
	for at := range sc.texts {
		if at.window == w.Index && at.entry == e.Index && (at.part >= len(parts) || parts[at.part].Kind != classroom.BlockText) {
			delete(sc.texts, at)
		}
	}
	for i, part := range parts {
		if part.Kind == classroom.BlockText {
			sc.prose(w, e, i)
		}
	}
}

// sent notes the blocks of all texts as sent.
func (sc *shownCard) sent() {
	for _, t := range sc.texts {
		t.sent = t.now
	}
}

// bare draws an entry without the text of its message.
func bare(v templates.CardView, w *classroom.Window, e *classroom.Entry) string {
	v.Prose = noProse
	return render(templates.Entry(v, w, e))
}

// cutCard sends what changed of a card: the smallest parts of one that the last
// cut sent in parts, and the whole of any other.
func (s *screen) cutCard(p *patch, c *classroom.Card) {
	sc := s.cards[c.Exchange]
	if sc == nil {
		s.remember(c)
		if s.born[c.Exchange-1] > s.cutAt {
			p.upsert("#"+templates.ExchangesID, s.card(c))
		} else {
			p.morph("#"+templates.CardID(c.Exchange), s.card(c))
		}
		return
	}
	v := s.view(c)
	for _, w := range c.Windows {
		if w.Rev > s.cutAt {
			s.cutWindow(p, sc, v, w)
		}
	}
	if c.FootRev > s.cutAt {
		head, foot := render(templates.CardHead(v)), render(templates.CardFoot(v))
		p.piece(templates.CardHeadID(c.Exchange), sc.head, head)
		p.piece(templates.CardFootID(c.Exchange), sc.foot, foot)
		sc.head, sc.foot = head, foot
	}
	sc.sent()
	if settled(c) {
		delete(s.cards, c.Exchange)
	}
}

func (s *screen) cutWindow(p *patch, sc *shownCard, v templates.CardView, w *classroom.Window) {
	x := v.Card.Exchange
	if w.Index >= len(sc.windows) {
		sc.windows = append(sc.windows, sc.window(v, w))
		p.upsert("#"+templates.WindowsID(x), render(templates.Window(v, w)))
		return
	}
	sw := sc.windows[w.Index]
	if w.HeadRev > s.cutAt {
		head := render(templates.WindowHead(v, w))
		p.piece(templates.WindowHeadID(x, w.Index), sw.head, head)
		sw.head = head
	}
	for _, e := range w.Entries {
		if e.Rev > s.cutAt {
			sc.cutEntry(p, sw, v, entryPlace{w, e})
		}
	}
}

type entryPlace struct {
	w *classroom.Window
	e *classroom.Entry
}

func (sc *shownCard) cutEntry(p *patch, sw *shownWindow, v templates.CardView, at entryPlace) {
	w, e, x := at.w, at.e, v.Card.Exchange
	now := bare(v, w, e)
	sc.draw(w, e)
	if e.Index >= len(sw.entries) {
		sw.entries = append(sw.entries, now)
		p.upsert("#"+templates.EntriesID(x, w.Index), render(templates.Entry(v, w, e)))
		return
	}
	id := templates.EntryID(x, w.Index, e.Index)
	old := sw.entries[e.Index]
	sw.entries[e.Index] = now
	if old != now && !sameShape(p, id, old, now) {
		p.morph("#"+id, render(templates.Entry(v, w, e)))
		return
	}
	if e.Message == nil {
		return
	}
	for i, part := range e.Message.Blocks {
		if part.Kind == classroom.BlockText {
			t := sc.texts[textPlace{w.Index, e.Index, i}]
			p.blocks(templates.BlockID(x, w.Index, e.Index, i), t.sent, t.now)
		}
	}
}

// sameShape patches the parts of an entry around its texts. It reports false
// where the entry itself has to be sent again.
func sameShape(p *patch, id, old, now string) bool {
	a, b := parse(old), parse(now)
	if a.Data != b.Data || !sameAttributes(a, b) {
		return false
	}
	return differ{out: p}.children("#"+id, a, b)
}
