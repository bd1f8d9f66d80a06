package openai

import "strings"

const (
	openTag  = "<think>"
	closeTag = "</think>"
)

// A thinker parts a <think> block that opens an answer from the answer. Tags
// anywhere else are text. It holds back only what may still become a tag.
type thinker struct {
	held   string
	inside bool
	past   bool // no tag is looked for any more
}

// split takes the next text and returns what is thinking and what is answer.
func (t *thinker) split(text string) (thinking, answer string) {
	if t.past {
		return "", text
	}
	t.held += text
	if !t.inside {
		rest := strings.TrimLeft(t.held, " \t\r\n")
		switch {
		case strings.HasPrefix(rest, openTag):
			t.inside, t.held = true, rest[len(openTag):]
		case strings.HasPrefix(openTag, rest):
			return "", ""
		default:
			return "", t.rest()
		}
	}
	if before, after, ok := strings.Cut(t.held, closeTag); ok {
		t.inside, t.held = false, strings.TrimLeft(after, "\r\n")
		return before, t.rest()
	}
	n := len(t.held) - overlap(t.held, closeTag)
	thinking, t.held = t.held[:n], t.held[n:]
	return thinking, ""
}

// rest gives up what is held, and the looking.
func (t *thinker) rest() string {
	held := t.held
	t.held, t.past = "", true
	return held
}

// flush returns what is held when no more text comes.
func (t *thinker) flush() (thinking, answer string) {
	if t.inside {
		return t.rest(), ""
	}
	return "", t.rest()
}

// overlap is the length of the longest end of s that starts tag.
func overlap(s, tag string) int {
	for n := min(len(s), len(tag)-1); n > 0; n-- {
		if strings.HasSuffix(s, tag[:n]) {
			return n
		}
	}
	return 0
}
