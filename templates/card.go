package templates

import (
	"colloquy/classroom"

	"github.com/a-h/templ"
)

func questionID(c *classroom.Card) string { return CardID(c.Exchange) + "q" }

func nameID(v CardView, w *classroom.Window) string {
	return WindowID(v.Card.Exchange, w.Index) + "n"
}

// floorState is what a window's head tells style sheet and script.
func floorState(w *classroom.Window) string {
	switch {
	case w.Thinking():
		return "thinking"
	case w.Open:
		return "open"
	}
	return "closed"
}

func tailWords(l classroom.Link) string {
	name := l.Title
	if name == "" {
		name = l.Ref
	}
	name = short(name, maxSummaries)
	switch l.Kind {
	case classroom.TypeStageLink:
		return "Lesson: " + name
	case classroom.TypeCheckpoint:
		return "Saved: " + name
	case classroom.TypeMediaReady:
		return "Ready: " + name
	}
	return "Changed: " + name
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

// currentPage marks the link of the page one is on.
func currentPage(yes bool) templ.Attributes {
	if yes {
		return templ.Attributes{"aria-current": "page"}
	}
	return nil
}
