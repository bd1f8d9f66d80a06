// Package prose turns untrusted Markdown, formulas and code into safe HTML, also while the text is still being written.
//
// # What comes out
//
// A text becomes chunks, one for each top-level block, and each chunk is one HTML element. The
// writer knows a fixed set of elements and attributes; whatever else a text holds comes out as
// escaped text. Raw HTML is shown, never live. There is no script, style, event handler, id or
// name in the output, no image is loaded, and links lead to http, https or mailto or are plain
// text.
//
// # Finished and growing texts
//
// Render reads a whole text, with its link references and footnotes. Open reads a text that may
// still grow: it is a pure function of the text, whichever way the text arrived. Its earlier
// chunks stay as they are while complete lines are added, and only the last one is open.
// References and footnotes are shown as written until Render is called. An unfinished
// last line that could still become something else (a lone "#", the start of a fence) waits for
// more.
//
// # Cost
//
// Doc.Grow answers what Open would and pays only for the open end. A long open block is cut, so
// that the end is bounded; a fence of any length only has its new lines escaped. Formulas and
// highlighted code are remembered.
//
// # Concurrency
//
// All functions may be called from any goroutine; a Doc belongs to one. The formula typesetter is loaded at the first
// formula and does one formula at a time, each with a time limit.
//
// Not here: colours and spacing (static/css/code.css), ids, and deciding when to send what.
package prose

import (
	"strings"
)

// maxText is where rendering ends; what follows is shown as it is. So is what follows maxHTML
// bytes of HTML: the page of a text of 1 MB stays near 2 MB.
const (
	maxText   = 1 << 20
	maxHTML   = 15 << 16
	chunkSize = 50 // overhead per chunk, in bytes
)

// Words are the words that are not of the text, in the reader's language. They are plain text.
type Words struct {
	Table      string // the name of a table's box for a screen reader
	Done, ToDo string // the state of a check box, for a screen reader

	// What stands behind the source of what a limit kept from being displayed.
	FormulaTooLarge, TooManyFormulas, TableTooLarge string
}

// notice returns text as it stands behind a source.
func notice(text string) string { return ` <span class="limit">(` + escape(text) + `)</span>` }

// A Chunk is one top-level block of a text.
type Chunk struct {
	HTML string // exactly one element
}

// Render returns the chunks of a finished text.
func Render(text string, words Words) []Chunk {
	head, rest := divide(text)
	b := newBudget()
	chunks, left := render(whole, &b, words, tidy(head))
	return append(chunks, overLimit(left+rest)...)
}

// Open returns the chunks of a text that may still grow. The last one is open.
func Open(text string, words Words) []Chunk {
	d := Doc{Words: words}
	return d.Grow(text)
}

// divide cuts a text at the size limit, at the start of a line where there is one near.
func divide(text string) (head, rest string) {
	if len(text) <= maxText {
		return text, ""
	}
	cut := maxText
	if at := strings.LastIndexByte(text[:cut], '\n'); at > maxText/2 {
		cut = at + 1
	}
	cut = runeStart(text, cut)
	return text[:cut], text[cut:]
}

func overLimit(rest string) []Chunk {
	if rest == "" {
		return nil
	}
	return []Chunk{{HTML: `<pre class="beyond" tabindex="0">` + escapeText(tidy(wholeRunes(rest))) + "</pre>"}}
}
