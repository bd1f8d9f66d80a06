package live

import (
	"strings"

	"colloquy/templates"

	"github.com/a-h/templ"
)

// A sentThinking is a [sentText] of thinking, which is shown as it is.
type sentThinking struct{ now, sent string }

// diff appends what is new of a text that grew, and sends any other text whole. The
// first text comes in an upsert, since the element it goes to may come in the same
// patch and only the target of an upsert is looked up in turn.
func (t *sentThinking) diff(p *patch, part string) {
	added, grew := strings.CutPrefix(t.now, t.sent)
	if strings.HasSuffix(t.sent, "\r") {
		added = strings.TrimPrefix(added, "\n") // the page has a line break for both
	}
	switch {
	case t.now == t.sent || grew && added == "":
	case grew && t.sent != "":
		p.append("#"+templates.ThinkingTextID(part), templ.EscapeString(added))
	default:
		p.upsert("#"+part, p.render(templates.ThinkingText(part, t.now)))
	}
}

func (t *sentThinking) markSent() { t.sent = t.now }
