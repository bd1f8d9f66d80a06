package live

import (
	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/templates/prose"
)

// A sentCard is a card that may still change, as the last patch left it on the
// pages. A card that is settled is not kept: if it changes again it is sent whole.
type sentCard struct {
	head, foot string
	windows    []*sentWindow
	texts      map[textKey]*sentText
}

type sentWindow struct {
	head    string
	entries []string // each without the text of its message
}

// A textKey is the place of a text in its card.
type textKey struct{ window, entry, part int }

func settled(c *classroom.Card) bool {
	return c.State == classroom.CardCompleted || c.State == classroom.CardFailed || c.State == classroom.CardCancelled
}

// markCardSent notes the present state of a card as sent.
func (v *SessionView) markCardSent(c *classroom.Card) {
	if settled(c) {
		delete(v.sent, c.Exchange)
		return
	}
	sc := &sentCard{texts: map[textKey]*sentText{}}
	if before := v.sent[c.Exchange]; before != nil {
		sc.texts = before.texts
	}
	v.sent[c.Exchange] = sc
	cv := v.cardView(c)
	sc.head, sc.foot = render(templates.CardHead(cv)), render(templates.CardFoot(cv))
	for _, w := range c.Windows {
		sc.addWindow(cv, w)
	}
	sc.markTextsSent()
}

func (sc *sentCard) addWindow(cv templates.CardView, w *classroom.Window) {
	sw := &sentWindow{head: render(templates.WindowHead(cv, w))}
	for _, e := range w.Entries {
		sw.entries = append(sw.entries, renderWithoutText(cv, w, e))
		sc.updateTexts(w, e)
	}
	sc.windows = append(sc.windows, sw)
}

// prose is a [templates.ProseFunc] that renders only the end of a text that grew.
func (sc *sentCard) prose(w *classroom.Window, e *classroom.Entry, part int) []prose.Chunk {
	key := textKey{w.Index, e.Index, part}
	t := sc.texts[key]
	if t == nil {
		t = new(sentText)
		sc.texts[key] = t
	}
	return t.update(e.Message.Parts[part].Text, e.Message.Open)
}

// updateTexts brings the texts of an entry up to date, and forgets those that are
// gone.
func (sc *sentCard) updateTexts(w *classroom.Window, e *classroom.Entry) {
	if e.Message == nil {
		return
	}
	parts := e.Message.Parts
	for key := range sc.texts {
		here := key.window == w.Index && key.entry == e.Index
		if here && (key.part >= len(parts) || parts[key.part].Kind != classroom.BlockText) {
			delete(sc.texts, key)
		}
	}
	for i, part := range parts {
		if part.Kind == classroom.BlockText {
			sc.prose(w, e, i)
		}
	}
}

// markTextsSent notes the present state of all texts as sent.
func (sc *sentCard) markTextsSent() {
	for _, t := range sc.texts {
		t.sent = t.now
	}
}

// renderWithoutText renders an entry without the text of its message, which is
// patched block by block.
func renderWithoutText(cv templates.CardView, w *classroom.Window, e *classroom.Entry) string {
	cv.Prose = func(*classroom.Window, *classroom.Entry, int) []prose.Chunk { return nil }
	return render(templates.Entry(cv, w, e))
}
