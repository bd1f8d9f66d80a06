package live

import (
	"cmp"
	"slices"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/templates/locale"
	"colloquy/templates/prose"

	"github.com/a-h/templ"
)

// A sentCard is a card that may still change, as the last patch left it on the
// pages. A card that is settled is not kept: if it changes again it is sent whole.
type sentCard struct {
	session    string
	language   *locale.Language
	head, foot string
	windows    []*sentWindow
	texts      map[textKey]sentText
}

type sentWindow struct {
	head    string
	entries []string // each without the texts of its message
}

// A textKey is the place of a text in its card.
type textKey struct{ window, entry, part int }

// A sentText is a text of a message that may still change: what it is now, and what
// the last patch left of it on the pages. Both texts and thinking cost only their
// new end while they grow.
type sentText interface {
	diff(p *patch, part string) // patches the part with an id
	markSent()
}

func settled(c *classroom.Card) bool {
	return c.State == classroom.CardCompleted || c.State == classroom.CardFailed || c.State == classroom.CardCancelled
}

// markCardSent notes the present state of a card as sent.
func (v *SessionView) markCardSent(c *classroom.Card) {
	if settled(c) {
		delete(v.sent, c.Exchange)
		return
	}
	sc := &sentCard{language: v.Language, session: v.session, texts: map[textKey]sentText{}}
	if before := v.sent[c.Exchange]; before != nil {
		sc.texts = before.texts
	}
	v.sent[c.Exchange] = sc
	cv := v.cardView(c)
	sc.head, sc.foot = sc.render(templates.CardHead(cv)), sc.render(templates.CardFoot(cv))
	for _, w := range c.Windows {
		sc.addWindow(cv, w)
	}
	sc.markTextsSent()
}

func (sc *sentCard) addWindow(cv templates.CardView, w *classroom.Window) {
	sw := &sentWindow{head: sc.render(templates.WindowHead(cv, w))}
	for _, e := range w.Entries {
		sw.entries = append(sw.entries, sc.renderWithoutText(cv, w, e))
		sc.updateTexts(w, e)
	}
	sc.windows = append(sc.windows, sw)
}

// prose is a [templates.ProseFunc] that renders only the end of a text that grew.
func (sc *sentCard) prose(w *classroom.Window, e *classroom.Entry, part int) []prose.Chunk {
	key := textKey{w.Index, e.Index, part}
	t, ok := sc.texts[key].(*sentProse)
	if !ok {
		t = &sentProse{words: templates.ProseWords(cmp.Or(sc.language, locale.English()))}
		sc.texts[key] = t
	}
	return t.update(e.Message.Blocks[part].Text, e.Message.Open, func() []prose.Chunk {
		return templates.FinishedText(cmp.Or(sc.language, locale.English()), sc.session, e.Message, part)
	})
}

func (sc *sentCard) updateThinking(key textKey, text string) {
	t, ok := sc.texts[key].(*sentThinking)
	if !ok {
		t = new(sentThinking)
		sc.texts[key] = t
	}
	t.now = text
}

// hasText reports whether a part of a message has a text that is patched apart from
// its entry.
func hasText(p *classroom.BlockView) bool {
	return p.Kind == classroom.BlockText || p.Kind == classroom.BlockThinking
}

// updateTexts brings the texts of an entry up to date, and forgets those that are
// gone.
func (sc *sentCard) updateTexts(w *classroom.Window, e *classroom.Entry) {
	if e.Message == nil {
		return
	}
	parts := e.Message.Blocks
	for key := range sc.texts {
		here := key.window == w.Index && key.entry == e.Index
		if here && (key.part >= len(parts) || !hasText(parts[key.part])) {
			delete(sc.texts, key)
		}
	}
	for i, part := range parts {
		switch part.Kind {
		case classroom.BlockText:
			sc.prose(w, e, i)
		case classroom.BlockThinking:
			sc.updateThinking(textKey{w.Index, e.Index, i}, part.Text)
		}
	}
}

// markTextsSent notes the present state of all texts as sent.
func (sc *sentCard) markTextsSent() {
	for _, t := range sc.texts {
		t.markSent()
	}
}

func (sc *sentCard) render(c templ.Component) string { return render(sc.language, c) }

// renderWithoutText renders an entry without the texts of its message, which are
// patched by themselves.
func (sc *sentCard) renderWithoutText(cv templates.CardView, w *classroom.Window, e *classroom.Entry) string {
	cv.Prose = func(*classroom.Window, *classroom.Entry, int) []prose.Chunk { return nil }
	return sc.render(templates.Entry(cv, w, withoutThinking(e)))
}

// withoutThinking returns e with thinking that has no text.
func withoutThinking(e *classroom.Entry) *classroom.Entry {
	thinks := func(p *classroom.BlockView) bool { return p.Kind == classroom.BlockThinking }
	if e.Message == nil || !slices.ContainsFunc(e.Message.Blocks, thinks) {
		return e
	}
	entry, message := *e, *e.Message
	message.Blocks = slices.Clone(message.Blocks)
	for i, p := range message.Blocks {
		if thinks(p) {
			message.Blocks[i] = &classroom.BlockView{Kind: p.Kind, Started: p.Started, Ended: p.Ended}
		}
	}
	entry.Message = &message
	return &entry
}
