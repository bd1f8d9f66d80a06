package agents

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
)

// exchangeLines returns what was said in an exchange, as a director and a summary
// read it: each line with its speaker's role and name, the person marked apart.
// It truncates each line to limit bytes.
func exchangeLines(card *classroom.Card, limit int) []string {
	out := []string{truncateLine(questionLine(card), limit)}
	for _, w := range card.Windows {
		for _, line := range windowLines(w) {
			out = append(out, truncateLine(line, limit))
		}
	}
	return out
}

func questionLine(card *classroom.Card) string {
	return fmt.Sprintf("[the person] %s: %s", card.Question.Author.Name, card.Question.Text)
}

// windowLines returns what was said in a window.
func windowLines(w *classroom.Window) []string {
	var out []string
	for _, x := range w.Entries {
		switch {
		case x.Steer != nil:
			if _, found := distressIn(x.Steer.Text); found { // a version that did not check let it in
				continue
			}
			out = append(out, fmt.Sprintf("[the person] %s: %s", x.Steer.Author.Name, x.Steer.Text))
		case x.Message != nil && !x.Message.Superseded && x.Message.Text() != "":
			out = append(out, fmt.Sprintf("[%s] %s: %s", roleWord(w.Agent.Role), w.Agent.Name, x.Message.Text()))
		}
	}
	return out
}

// truncateLine puts text on one line of at most limit bytes.
func truncateLine(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
