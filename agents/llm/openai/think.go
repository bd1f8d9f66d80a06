package openai

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/agents/llm"
)

const (
	openTag  = "<think>"
	closeTag = "</think>"

	maxHeld = 400 // characters that are held back for a closing tag at the most
)

// A thinker parts a <think> block that opens an answer from the answer, and
// takes a closing tag that nothing opened for the end of the thinking; see the
// package comment. Other tags are text. Unless hold is set, it holds back only
// what may still become such a tag.
type thinker struct {
	hold bool // the block may be open already: the beginning waits for the closing tag
	lone bool // a closing tag came that nothing opened
	idle bool // the answer ended without one though its beginning waited

	held  []byte // not given up yet, whole characters
	read  int    // how much of it was looked at
	state thinkState
	shown bool // text was given up
	fresh bool // a closing tag came last, and the space after it is dropped

	code  code
	last  rune // the last character that was looked at
	pairs bool // an open tag came that the next closing tag belongs to
}

type thinkState int

const (
	opening thinkState = iota // nothing but space yet
	inside
	answering // a lone closing tag may still come
	past      // no tag is looked for any more
)

// split takes the next text, whole characters, and returns what it tells.
func (t *thinker) split(text string) []llm.Event {
	t.held = append(t.held, text...)
	if t.state == opening {
		t.open()
	}
	switch t.state {
	case inside:
		if i := bytes.Index(t.held, []byte(closeTag)); i >= 0 {
			return t.close(llm.ThinkingDelta, i)
		}
		return t.give(llm.ThinkingDelta, len(t.held)-overlap(t.held, closeTag))
	case answering:
		return t.answer(false)
	case past:
		return t.rest()
	}
	return nil
}

// open looks whether the answer begins with a tag.
func (t *thinker) open() {
	rest := bytes.TrimLeft(t.held, " \t\r\n")
	switch {
	case bytes.HasPrefix(rest, []byte(openTag)):
		t.state, t.held = inside, rest[len(openTag):]
	case bytes.HasPrefix([]byte(openTag), rest):
	default:
		t.state = answering
	}
}

// answer gives up text up to what may still become a lone closing tag, and ends
// the thinking at one.
func (t *thinker) answer(end bool) []llm.Event {
	if t.look(end) {
		t.lone = true
		if !t.shown {
			return t.close(llm.ThinkingDelta, t.read)
		}
		return t.close(llm.TextDelta, t.read, llm.Event{Kind: llm.Rethink})
	}
	if !end && t.hold && !t.shown && utf8.RuneCount(t.held) <= maxHeld {
		return nil
	}
	return t.give(llm.TextDelta, t.read)
}

// close ends the thinking at n, where a closing tag stands.
func (t *thinker) close(kind llm.Kind, n int, after ...llm.Event) []llm.Event {
	out := append(t.give(kind, n), after...)
	t.held = t.held[len(closeTag):]
	t.state, t.fresh = past, true
	return append(out, t.rest()...)
}

// rest gives up all that is held.
func (t *thinker) rest() []llm.Event {
	if t.fresh {
		t.held = bytes.TrimLeft(t.held, " \t\r\n")
		t.fresh = len(t.held) == 0
	}
	return t.give(llm.TextDelta, len(t.held))
}

// give gives up the first n bytes of what is held.
func (t *thinker) give(kind llm.Kind, n int) []llm.Event {
	if n == 0 {
		return nil
	}
	text := string(t.held[:n])
	t.held, t.read = t.held[n:], max(0, t.read-n)
	t.shown = t.shown || kind == llm.TextDelta
	return []llm.Event{{Kind: kind, Text: text}}
}

// release says that thinking comes by itself: what is held is answer, and no tag
// is looked for any more.
func (t *thinker) release() []llm.Event {
	out := t.flush(true)
	t.state, t.idle = past, t.hold && !t.lone
	return out
}

// called says that a call comes: the thinking before it has ended.
func (t *thinker) called() []llm.Event {
	if t.state == inside {
		return nil
	}
	out := t.flush(true)
	t.state = past
	return out
}

// flush returns what is held when no more text comes. Where the answer broke
// off while its beginning waited, that is thinking.
func (t *thinker) flush(ended bool) []llm.Event {
	waits := t.hold && !ended && !t.shown
	switch {
	case t.state == inside, t.state == opening && waits, t.state == answering && waits && !t.look(true):
		return t.give(llm.ThinkingDelta, len(t.held))
	case t.state != answering:
		return t.rest()
	}
	out := t.answer(true)
	t.idle = t.hold && ended && !t.lone
	return append(out, t.rest()...)
}

// look goes on to the next lone closing tag and reports whether it stands at
// read. It stops before what may yet become one, unless the text has ended.
func (t *thinker) look(end bool) bool {
	for t.read < len(t.held) {
		rest := t.held[t.read:]
		n := 1
		if rest[0] != '`' {
			t.code.settle()
		}
		if rest[0] == '<' && t.code.open == 0 {
			switch {
			case bytes.HasPrefix(rest, []byte(openTag)):
				t.pairs, n = true, len(openTag)
			case bytes.HasPrefix(rest, []byte(closeTag)):
				is, sure := t.ends(rest[len(closeTag):])
				if !t.pairs && !sure && !end {
					return false
				}
				if !t.pairs && is {
					return true
				}
				t.pairs, n = false, len(closeTag)
			case !end && (bytes.HasPrefix([]byte(closeTag), rest) || bytes.HasPrefix([]byte(openTag), rest)):
				return false
			}
		}
		t.pass(n)
	}
	return false
}

// pass moves on by a tag, or by a character.
func (t *thinker) pass(n int) {
	if n == 1 {
		t.last, n = utf8.DecodeRune(t.held[t.read:])
	} else {
		t.last = '>'
	}
	for _, b := range t.held[t.read : t.read+n] {
		t.code.pass(b)
	}
	t.read += n
}

// ends reports whether a closing tag that text follows stands where models put
// one, rather than where people write about one: it begins its line, or ends it,
// or follows a word or a sentence at once. Where that is not sure, more text may
// change it.
func (t *thinker) ends(after []byte) (is, sure bool) {
	sticks := unicode.IsLetter(t.last) || unicode.IsNumber(t.last)
	stops := strings.ContainsRune(".!?…。！？)", t.last)
	line := bytes.TrimLeft(after, " \t\r")
	next, _ := utf8.DecodeRune(after)
	switch {
	case !t.code.inked:
		return true, true
	case len(bytes.TrimSpace(after)) == 0:
		return sticks || stops, false
	case line[0] == '\n':
		return true, true
	case unicode.IsSpace(next):
		return stops, true
	}
	return (sticks || stops) && !strings.ContainsRune(",.;:!?)]}'’”\"»|/>`", next), true
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
