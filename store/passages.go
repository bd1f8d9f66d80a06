package store

import (
	"strings"
	"unicode/utf8"
)

// A passage is a stretch of a material that makes sense on its own.
type passage struct {
	section string // the headings above it, outermost first, joined by " › "
	text    string
}

// Sizes of passages in bytes. A passage grows paragraph by paragraph until it
// would pass goal; one below least takes another paragraph if that fits below
// most. Only a single block that cannot be cut is longer than most.
const (
	leastPassage = 80
	goalPassage  = 700
	mostPassage  = 1200
)

// split cuts Markdown or plain text at its headings and paragraphs. What it
// returns holds all lines of the text but its headings, in order.
func split(text string) []passage {
	sp := splitter{}
	for _, b := range blocks(text) {
		if b.level > 0 {
			sp.flush()
			sp.enter(b)
			continue
		}
		for _, piece := range cut(b.text) {
			sp.add(piece)
		}
	}
	sp.flush()
	return sp.out
}

type splitter struct {
	out   []passage
	path  [7]string // the heading in force at each level, from 1
	parts []string
	size  int
	first int // the passage in out that the section begins with
}

func (sp *splitter) enter(b block) {
	sp.path[b.level] = b.text
	clear(sp.path[b.level+1:])
	sp.first = len(sp.out)
}

func (sp *splitter) section() string {
	var names []string
	for _, name := range sp.path {
		if name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, " › ")
}

func (sp *splitter) add(piece string) {
	size := sp.size + len(piece)
	if sp.size > 0 && size > goalPassage && (sp.size >= leastPassage || size > mostPassage) {
		sp.finish()
	}
	sp.parts = append(sp.parts, piece)
	sp.size += len(piece) + 2
}

// flush ends the section. A short rest joins the passage before it.
func (sp *splitter) flush() {
	if len(sp.parts) == 0 {
		return
	}
	if n := len(sp.out); sp.size < leastPassage && n > sp.first && len(sp.out[n-1].text)+sp.size <= mostPassage {
		sp.out[n-1].text += "\n\n" + strings.Join(sp.parts, "\n\n")
		sp.parts, sp.size = nil, 0
		return
	}
	sp.finish()
}

func (sp *splitter) finish() {
	sp.out = append(sp.out, passage{section: sp.section(), text: strings.Join(sp.parts, "\n\n")})
	sp.parts, sp.size = nil, 0
}

// cut cuts a paragraph that is too long at the ends of sentences, then at
// spaces, then anywhere between two characters.
func cut(text string) []string {
	var out []string
	for len(text) > mostPassage {
		at := cutPlace(text)
		if piece := strings.TrimSpace(text[:at]); piece != "" {
			out = append(out, piece)
		}
		text = strings.TrimSpace(text[at:])
	}
	if text != "" {
		out = append(out, text)
	}
	return out
}

func cutPlace(text string) int {
	sentence, space := 0, 0
	for i, r := range text[:goalPassage] {
		switch r {
		case '\n':
			sentence, space = i+1, i+1
		case ' ', '\t':
			space = i + 1
			if i > 0 && strings.IndexByte(".!?:;", text[i-1]) >= 0 {
				sentence = i + 1
			}
		case '。', '！', '？':
			sentence = i + utf8.RuneLen(r)
		}
	}
	if sentence > leastPassage {
		return sentence
	}
	if space > leastPassage {
		return space
	}
	at := goalPassage
	for !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
