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

	maxHeldBack = 400 // characters that wait for a closing tag
)

// A thinkParser separates thinking from the answer: a <think> block at the start,
// or the text before a closing tag without an opening tag; see the package comment.
// Other tags are text. Unless holdBack is set, it holds back only what may become
// such a tag.
type thinkParser struct {
	holdBack       bool // the block may be open already, so the beginning waits for the closing tag
	sawLoneClose   bool // there was a closing tag without an opening tag
	heldForNothing bool // the beginning waited, and the answer has no such tag

	pending     []byte // text not yet emitted, complete characters
	scanned     int    // bytes of pending that were scanned
	state       thinkState
	emittedText bool // a text delta was emitted
	afterClose  bool // the white space after a closing tag is being dropped

	code    codeState
	last    rune // the last scanned character
	sawOpen bool // the next closing tag belongs to an opening tag
}

type thinkState int

const (
	atStart thinkState = iota // only white space so far
	inThinking
	inAnswer    // a closing tag without an opening tag may follow
	passThrough // the rest is answer, tags included
)

// feed adds the next text, complete characters, and returns its events.
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

// detectOpenTag checks whether the answer begins with an opening tag.
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

// feedAnswer emits text up to what may become a closing tag without an opening tag.
// Such a tag ends the thinking.
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

// endThinking ends the thinking at n, where a closing tag begins.
func (t *thinkParser) endThinking(kind llm.Kind, n int, after ...llm.Event) []llm.Event {
	out := append(t.emit(kind, n), after...)
	t.pending = t.pending[len(closeTag):]
	t.state, t.afterClose = passThrough, true
	return append(out, t.emitRest()...)
}

// emitRest emits all pending text as answer.
func (t *thinkParser) emitRest() []llm.Event {
	if t.afterClose {
		t.pending = bytes.TrimLeft(t.pending, " \t\r\n")
		t.afterClose = len(t.pending) == 0
	}
	return t.emit(llm.TextDelta, len(t.pending))
}

// emit removes the first n bytes of pending and returns them as an event.
func (t *thinkParser) emit(kind llm.Kind, n int) []llm.Event {
	if n == 0 {
		return nil
	}
	text := string(t.pending[:n])
	t.pending, t.scanned = t.pending[n:], max(0, t.scanned-n)
	t.emittedText = t.emittedText || kind == llm.TextDelta
	return []llm.Event{{Kind: kind, Text: text}}
}

// thinkingInField notes that thinking arrives in a field: pending text is answer,
// and tags are text from here on.
func (t *thinkParser) thinkingInField() []llm.Event {
	out := t.flush(true)
	t.state, t.heldForNothing = passThrough, t.holdBack && !t.sawLoneClose
	return out
}

// callStarted notes that a call begins, which ends the thinking before it.
func (t *thinkParser) callStarted() []llm.Event {
	if t.state == inThinking {
		return nil
	}
	out := t.flush(true)
	t.state = passThrough
	return out
}

// flush emits the pending text after the last delta. If the answer ended early while
// its beginning waited, text not yet emitted becomes thinking.
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

// scan advances to the next closing tag that ends the thinking and reports whether
// one begins at scanned. It stops before what may become one, unless the text has
// ended.
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

// advance moves scanned by a tag of n bytes, or by one character if n is 1.
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

// closesThinking reports whether a closing tag before the text after ends the
// thinking, as models write it, rather than being part of a text about tags: it
// begins its line, ends it, or directly follows a word or a sentence. If sure is
// false, more text may change the result.
func (t *thinkParser) closesThinking(after []byte) (is, sure bool) {
	afterWord := unicode.IsLetter(t.last) || unicode.IsNumber(t.last)
	afterSentence := strings.ContainsRune(".!?…。！？)", t.last)
	line := bytes.TrimLeft(after, " \t\r")
	next, _ := utf8.DecodeRune(after)
	switch {
	case !t.code.lineHasText:
		return true, true
	case len(bytes.TrimSpace(after)) == 0:
		return afterWord || afterSentence, false
	case line[0] == '\n':
		return true, true
	case unicode.IsSpace(next):
		return afterSentence, true
	}
	return (afterWord || afterSentence) && !strings.ContainsRune(",.;:!?)]}'’”\"»|/>`", next), true
}

// suffixOverlap returns the length of the longest suffix of s that is a prefix of tag.
func suffixOverlap(s []byte, tag string) int {
	for n := min(len(s), len(tag)-1); n > 0; n-- {
		if bytes.HasSuffix(s, []byte(tag[:n])) {
			return n
		}
	}
	return 0
}
