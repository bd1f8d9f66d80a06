package openai

import (
	"bytes"
	"strings"
)

const (
	openTag  = "<think>"
	closeTag = "</think>"

	maxHeld = 256 << 10 // what is held back for a closing tag at the most
)

// A thinker parts a <think> block that opens an answer from the answer, and
// drops a closing tag that nothing opened. Other tags are text. Unless hold is
// set, it holds back only what may still become a tag.
type thinker struct {
	hold bool // the block may be open already: nothing is an answer before the closing tag
	lone bool // a closing tag came that nothing opened
	idle bool // hold was for nothing

	held   []byte
	state  thinkState
	ticked bool // inside code
	fresh  bool // a closing tag came last, and the line breaks after it are dropped
}

type thinkState int

const (
	opening thinkState = iota // nothing but space yet, or all that is held back
	inside
	answering // a lone closing tag may still come
	past      // no tag is looked for any more
)

// split takes the next text and returns what is thinking and what is answer.
func (t *thinker) split(text string) (thinking, answer string) {
	from := max(0, len(t.held)-len(closeTag))
	t.held = append(t.held, text...)
	if t.state == opening {
		t.open()
	}
	switch t.state {
	case opening:
		if i := bytes.Index(t.held[from:], []byte(closeTag)); t.hold && i >= 0 {
			t.lone = true
			return t.close(from + i)
		}
	case inside:
		if i := bytes.Index(t.held, []byte(closeTag)); i >= 0 {
			return t.close(i)
		}
		return t.give(len(t.held) - overlap(t.held, closeTag)), ""
	case answering:
		return "", t.scan()
	case past:
		return "", t.rest()
	}
	return "", ""
}

// open looks whether the answer begins with a tag.
func (t *thinker) open() {
	rest := bytes.TrimLeft(t.held, " \t\r\n")
	switch {
	case bytes.HasPrefix(rest, []byte(openTag)):
		t.state, t.held = inside, rest[len(openTag):]
	case bytes.HasPrefix([]byte(openTag), rest):
	case t.hold && len(t.held) <= maxHeld:
	default:
		t.idle = t.hold
		t.state = answering
	}
}

// close ends the block at i.
func (t *thinker) close(i int) (thinking, answer string) {
	thinking = t.give(i)
	t.held = t.held[len(closeTag):]
	t.state, t.fresh = past, true
	return thinking, t.rest()
}

// rest gives up all that is held.
func (t *thinker) rest() string {
	if t.fresh {
		t.held = bytes.TrimLeft(t.held, "\r\n")
		t.fresh = len(t.held) == 0
	}
	return t.give(len(t.held))
}

// scan passes the answer on up to what may still become a tag, without a closing tag that nothing opened.
func (t *thinker) scan() string {
	for i := 0; i < len(t.held); i++ {
		rest := t.held[i:]
		switch {
		case rest[0] == '`':
			t.ticked = !t.ticked
		case t.ticked || rest[0] != '<':
		case bytes.HasPrefix(rest, []byte(openTag)):
			t.state = past
			return t.give(len(t.held))
		case bytes.HasPrefix(rest, []byte(closeTag)):
			t.lone = true
			before, after := t.close(i)
			return before + after
		case bytes.HasPrefix([]byte(closeTag), rest), bytes.HasPrefix([]byte(openTag), rest):
			return t.give(i)
		}
	}
	return t.give(len(t.held))
}

// give gives up the first n bytes of what is held.
func (t *thinker) give(n int) string {
	out := string(t.held[:n])
	t.held = t.held[n:]
	return out
}

// release says that thinking comes by itself: what is held is answer, and no tag comes.
func (t *thinker) release() string {
	t.idle = t.idle || t.hold
	t.hold, t.state = false, past
	return t.give(len(t.held))
}

// flush returns what is held when no more text comes. Where the answer broke
// off while all was held back, that is thinking.
func (t *thinker) flush(ended bool) (thinking, answer string) {
	if t.state == inside || t.state == opening && t.hold && !ended {
		return t.give(len(t.held)), ""
	}
	t.idle = t.idle || t.state == opening && t.hold && strings.TrimSpace(string(t.held)) != ""
	return "", t.give(len(t.held))
}

// overlap is the length of the longest end of s that starts tag.
func overlap(s []byte, tag string) int {
	for n := min(len(s), len(tag)-1); n > 0; n-- {
		if bytes.HasSuffix(s, []byte(tag[:n])) {
			return n
		}
	}
	return 0
}
