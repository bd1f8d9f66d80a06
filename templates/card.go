package templates

import (
	"context"
	"strings"

	"colloquy/classroom"
)

const (
	maxQuestionBytes = 1500 // bytes of a question shown without a scroll box of its own
	maxHeadingBytes  = 90   // bytes of a long question in its heading
)

func questionID(c *classroom.Card) string { return CardID(c.Exchange) + "q" }

func nameID(v CardView, w *classroom.Window) string {
	return WindowID(v.Card.Exchange, w.Index) + "n"
}

// floorState is the state of a window for the style sheet and announcements.js.
func floorState(w *classroom.Window) string {
	switch {
	case w.Thinking():
		return "thinking"
	case w.Open:
		return "open"
	}
	return "closed"
}

func linkLabel(ctx context.Context, l classroom.Link) string {
	name := l.Title
	if name == "" {
		name = l.Ref
	}
	name = shorten(name, maxLineBytes)
	switch l.Kind {
	case classroom.TypeStageLink:
		return t(ctx, "card.product_lesson", "Name", name)
	case classroom.TypeCheckpoint:
		return t(ctx, "card.product_saved", "Name", name)
	case classroom.TypeMediaReady:
		return t(ctx, "card.product_ready", "Name", name)
	}
	return t(ctx, "card.product_changed", "Name", name)
}

func authorName(ctx context.Context, a classroom.Author) string {
	if strings.TrimSpace(a.Name) == "" {
		return t(ctx, "card.somebody")
	}
	return a.Name
}

// questionText returns what a card's question says to its reader.
func questionText(ctx context.Context, c *classroom.Card) string {
	if c.Question.Text == "" {
		return t(ctx, "card.kept_for_teacher")
	}
	return c.Question.Text
}

// Speaking returns the id of the agent who has the floor in f, or "".
func Speaking(f *classroom.Fold) string {
	c := f.Card(f.Running)
	if c == nil {
		return ""
	}
	if w := c.LastWindow(); w != nil && w.Open {
		return w.Agent.ID
	}
	return ""
}
