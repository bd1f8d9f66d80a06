// Package prose turns untrusted Markdown, formulas and code into safe HTML, also while the text still grows.
//
// # Output
//
// A text becomes chunks, one for each top-level block, and each chunk is one HTML element. The writer has a fixed set
// of elements and attributes and escapes everything else, raw HTML included. The output has no script, style, event
// handler, id or name and loads no image. Links lead to http, https or mailto; others become plain text.
//
// # Finished and growing texts
//
// Render reads a whole text, with its link references and footnotes. Open reads a text that may still grow. It is a
// pure function of the text: the pieces in which the text arrived make no difference. When complete lines are added,
// only the last chunk changes. Open shows references and footnotes as written; Render resolves them in the finished
// text. An unfinished last line that could still become another block (a lone "#", the start of a fence) is held back.
//
// # Cost
//
// Doc.Grow returns what Open would and renders only the open end again. A long open block is split, which bounds that
// end; of an open fence only new lines are escaped. Formulas and highlighted code are cached.
//
// # Concurrency
//
// All functions are safe for concurrent use; a Doc is not. The formula typesetter is loaded at the first formula and
// renders one formula at a time, each with a time limit.
//
// Not here: colours and spacing (static/css/code.css), ids, and when to send patches.
package prose

import "strings"

// maxText is how many bytes are rendered; the rest of a text is shown as it is.
const maxText = 1 << 20

// A Chunk is one top-level block of a text.
type Chunk struct {
	HTML string // exactly one element
}

// Render returns the chunks of a finished text.
func Render(text string) []Chunk {
	head, rest := divide(text)
	b := newBudget()
	chunks := render(whole, &b, tidy(head))
	return append(chunks, beyond(rest)...)
}

// Open returns the chunks of a text that may still grow. The last one is open.
func Open(text string) []Chunk {
	return new(Doc).Grow(text)
}

// divide splits a text at maxText, at the start of a line if there is one near.
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

// beyond is the chunk of the text after maxText.
func beyond(rest string) []Chunk {
	if rest == "" {
		return nil
	}
	return []Chunk{{HTML: `<pre class="beyond" tabindex="0">` + escape(tidy(wholeRunes(rest))) + "</pre>"}}
}
