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

	maxHeldBack = 400 // characters that are held back for a closing tag at the most
)

// A thinker parts a <think> block that opens an answer from the answer, and
// takes a closing tag that nothing opened for the end of the thinking; see the
// package comment. Other tags are text. Unless hold is set, it holds back only
// what may still become such a tag.
type thinkParser struct {
	holdBack       bool // the block may be open already: the beginning waits for the closing tag
	sawLoneClose   bool // a closing tag came that nothing opened
	heldForNothing bool // the answer ended without one though its beginning waited

	pending     []byte // not given up yet, whole characters
	scanned     int    // how much of it was looked at
	state       thinkState
	emittedText bool // text was given up
	afterClose  bool // a closing tag came last, and the space after it is dropped

	code    codeState
	last    rune // the last character that was looked at
	sawOpen bool // an open tag came that the next closing tag belongs to
}

type thinkState int

const (
	atStart thinkState = iota // nothing but space yet
	inThinking
	inAnswer    // a lone closing tag may still come
	passThrough // no tag is looked for any more
)

// split takes the next text, whole characters, and returns what it tells.
func (t *thinkParser) feed(text string) []llm.Event {
	t.pending = append(t.pending, text...)
	if t.state == atStart {
		t.detectOpenTag()
	}
	switch t.state {
	case inThinking:
		if i := bytes.Index(t.pending, []byte(closeTag)); i >= 0 {
			return t.endThinking(llm.ThinkingDelta, i)
		}
		return t.emit(llm.ThinkingDelta, len(t.pending)-suffixOverlap(t.pending, closeTag))
	case inAnswer:
		return t.feedAnswer(false)
	case passThrough:
		return t.emitRest()
	}
	return nil
}

// open looks whether the answer begins with a tag.
func (t *thinkParser) detectOpenTag() {
	rest := bytes.TrimLeft(t.pending, " \t\r\n")
	switch {
	case bytes.HasPrefix(rest, []byte(openTag)):
		t.state, t.pending = inThinking, rest[len(openTag):]
	case bytes.HasPrefix([]byte(openTag), rest):
	default:
		t.state = inAnswer
	}
}

// answer gives up text up to what may still become a lone closing tag, and ends
// the thinking at one.
func (t *thinkParser) feedAnswer(end bool) []llm.Event {
	if t.scan(end) {
		t.sawLoneClose = true
		if !t.emittedText {
			return t.endThinking(llm.ThinkingDelta, t.scanned)
		}
		return t.endThinking(llm.TextDelta, t.scanned, llm.Event{Kind: llm.Rethink})
	}
	if !end && t.holdBack && !t.emittedText && utf8.RuneCount(t.pending) <= maxHeldBack {
		return nil
	}
	return t.emit(llm.TextDelta, t.scanned)
}

// close ends the thinking at n, where a closing tag stands.
func (t *thinkParser) endThinking(kind llm.Kind, n int, after ...llm.Event) []llm.Event {
	out := append(t.emit(kind, n), after...)
	t.pending = t.pending[len(closeTag):]
	t.state, t.afterClose = passThrough, true
	return append(out, t.emitRest()...)
}

// rest gives up all that is held.
func (t *thinkParser) emitRest() []llm.Event {
	if t.afterClose {
		t.pending = bytes.TrimLeft(t.pending, " \t\r\n")
		t.afterClose = len(t.pending) == 0
	}
	return t.emit(llm.TextDelta, len(t.pending))
}

// give gives up the first n bytes of what is held.
func (t *thinkParser) emit(kind llm.Kind, n int) []llm.Event {
	if n == 0 {
		return nil
	}
	text := string(t.pending[:n])
	t.pending, t.scanned = t.pending[n:], max(0, t.scanned-n)
	t.emittedText = t.emittedText || kind == llm.TextDelta
	return []llm.Event{{Kind: kind, Text: text}}
}

// release says that thinking comes by itself: what is held is answer, and no tag
// is looked for any more.
func (t *thinkParser) thinkingInField() []llm.Event {
	out := t.flush(true)
	t.state, t.heldForNothing = passThrough, t.holdBack && !t.sawLoneClose
	return out
}

// called says that a call comes: the thinking before it has ended.
func (t *thinkParser) callStarted() []llm.Event {
	if t.state == inThinking {
		return nil
	}
	out := t.flush(true)
	t.state = passThrough
	return out
}

// flush returns what is held when no more text comes. Where the answer broke
// off while its beginning waited, that is thinking.
func (t *thinkParser) flush(ended bool) []llm.Event {
	waits := t.holdBack && !ended && !t.emittedText
	switch {
	case t.state == inThinking, t.state == atStart && waits, t.state == inAnswer && waits && !t.scan(true):
		return t.emit(llm.ThinkingDelta, len(t.pending))
	case t.state != inAnswer:
		return t.emitRest()
	}
	out := t.feedAnswer(true)
	t.heldForNothing = t.holdBack && ended && !t.sawLoneClose
	return append(out, t.emitRest()...)
}

// look goes on to the next lone closing tag and reports whether it stands at
// read. It stops before what may yet become one, unless the text has ended.
func (t *thinkParser) scan(end bool) bool {
	for t.scanned < len(t.pending) {
		rest := t.pending[t.scanned:]
		n := 1
		if rest[0] != '`' {
			t.code.endTicks()
		}
		if rest[0] == '<' && t.code.open == 0 {
			switch {
			case bytes.HasPrefix(rest, []byte(openTag)):
				t.sawOpen, n = true, len(openTag)
			case bytes.HasPrefix(rest, []byte(closeTag)):
				is, sure := t.closesThinking(rest[len(closeTag):])
				if !t.sawOpen && !sure && !end {
					return false
				}
				if !t.sawOpen && is {
					return true
				}
				t.sawOpen, n = false, len(closeTag)
			case !end && (bytes.HasPrefix([]byte(closeTag), rest) || bytes.HasPrefix([]byte(openTag), rest)):
				return false
			}
		}
		t.advance(n)
	}
	return false
}

// pass moves on by a tag, or by a character.
func (t *thinkParser) advance(n int) {
	if n == 1 {
		t.last, n = utf8.DecodeRune(t.pending[t.scanned:])
	} else {
		t.last = '>'
	}
	for _, b := range t.pending[t.scanned : t.scanned+n] {
		t.code.add(b)
	}
	t.scanned += n
}

// ends reports whether a closing tag that text follows stands where models put
// one, rather than where people write about one: it begins its line, or ends it,
// or follows a word or a sentence at once. Where that is not sure, more text may
// change it.
func (t *thinkParser) closesThinking(after []byte) (is, sure bool) {
	sticks := unicode.IsLetter(t.last) || unicode.IsNumber(t.last)
	stops := strings.ContainsRune(".!?…。！？)", t.last)
	line := bytes.TrimLeft(after, " \t\r")
	next, _ := utf8.DecodeRune(after)
	switch {
	case !t.code.lineHasText:
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
func suffixOverlap(s []byte, tag string) int {
	for n := min(len(s), len(tag)-1); n > 0; n-- {
		if bytes.HasSuffix(s, []byte(tag[:n])) {
			return n
		}
	}
	return 0
}
