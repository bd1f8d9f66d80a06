package templates

import "colloquy/classroom"

// A WithheldSentence is a sentence of the materials that answers what a class withholds.
type WithheldSentence struct {
	Text string
	Free bool // it may be said
}

// liftable returns the cursor of the question whose answer a card holds back; 0 if it holds
// nothing back.
func liftable(c *classroom.Card) classroom.Cursor {
	switch h := c.Hint; {
	case c.Lift != nil:
		return 0
	case h != nil && h.Rung < h.Of:
		return h.Question
	case c.Guarded > 0:
		return c.Question.Cursor
	}
	return 0
}
