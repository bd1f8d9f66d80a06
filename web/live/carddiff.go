package live

import (
	"colloquy/classroom"
	"colloquy/templates"
)

// diffCard patches what changed of a card since the last patch: the smallest parts
// of a card that is kept as sent, and the whole of any other.
func (v *SessionView) diffCard(p *patch, c *classroom.Card) {
	sc := v.sent[c.Exchange]
	if sc == nil {
		v.markCardSent(c)
		if v.opened[c.Exchange-1] > v.sentAt {
			p.upsert("#"+templates.ExchangesID, v.renderCard(c))
		} else {
			p.morph("#"+templates.CardID(c.Exchange), v.renderCard(c))
		}
		return
	}
	cv := v.cardView(c)
	for _, w := range c.Windows {
		if w.Rev > v.sentAt {
			sc.diffWindow(p, cv, w, v.sentAt)
		}
	}
	if c.FootRev > v.sentAt {
		head, foot := sc.render(templates.CardHead(cv)), sc.render(templates.CardFoot(cv))
		p.morphChanged(templates.CardHeadID(c.Exchange), sc.head, head)
		p.morphChanged(templates.CardFootID(c.Exchange), sc.foot, foot)
		sc.head, sc.foot = head, foot
	}
	sc.markTextsSent()
	if settled(c) {
		delete(v.sent, c.Exchange)
	}
}

// diffWindow patches what changed of a window since a cursor.
func (sc *sentCard) diffWindow(p *patch, cv templates.CardView, w *classroom.Window, since classroom.Cursor) {
	x := cv.Card.Exchange
	if w.Index >= len(sc.windows) {
		sc.addWindow(cv, w)
		p.upsert("#"+templates.WindowsID(x), sc.render(templates.Window(cv, w)))
		return
	}
	sw := sc.windows[w.Index]
	if w.HeaderRev > since {
		head := sc.render(templates.WindowHead(cv, w))
		p.morphChanged(templates.WindowHeadID(x, w.Index), sw.head, head)
		sw.head = head
	}
	for _, e := range w.Entries {
		if e.Rev > since {
			sc.diffEntry(p, cv, w, e)
		}
	}
}

// diffEntry patches an entry: what stands around its texts, and then the texts.
func (sc *sentCard) diffEntry(p *patch, cv templates.CardView, w *classroom.Window, e *classroom.Entry) {
	sw, x := sc.windows[w.Index], cv.Card.Exchange
	now := sc.renderWithoutText(cv, w, e)
	sc.updateTexts(w, e)
	if e.Index >= len(sw.entries) {
		sw.entries = append(sw.entries, now)
		p.upsert("#"+templates.EntriesID(x, w.Index), sc.render(templates.Entry(cv, w, e)))
		return
	}
	id := templates.EntryID(x, w.Index, e.Index)
	old := sw.entries[e.Index]
	sw.entries[e.Index] = now
	if old != now && !diffAroundTexts(p, id, old, now) {
		p.morph("#"+id, sc.render(templates.Entry(cv, w, e)))
		return
	}
	if e.Message == nil {
		return
	}
	for i, part := range e.Message.Blocks {
		if hasText(part) {
			sc.texts[textKey{w.Index, e.Index, i}].diff(p, templates.BlockID(x, w.Index, e.Index, i))
		}
	}
}

// diffAroundTexts patches an entry apart from its texts. It reports false where
// the entry has to be sent whole.
func diffAroundTexts(p *patch, id, old, now string) bool {
	a, b := parse(old), parse(now)
	if a.Data != b.Data || !equalAttributes(a, b) {
		return false
	}
	return htmlDiff{out: p}.children("#"+id, a, b)
}
