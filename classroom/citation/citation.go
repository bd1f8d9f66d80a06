// Package citation checks what an answer says of its sources: each quotation, each reference
// to a numbered passage and each chapter or page that is named, against the passages that
// its author was given.
//
// A quotation is quoted if its words stand in that order in one passage; case, accents,
// emphasis and punctuation do not count, and an ellipsis may leave words out. A sentence
// with a reference is supported if the passage holds most of its words that say something,
// all of its numbers, and says neither the contrary nor with opposite words. All else is not
// from the materials. Whether a text is true, nobody judges here.
//
// The package is pure, and its work is bounded: a text has at most [MaxCitations].
package citation

import (
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
	"colloquy/classroom/text"
)

// MaxCitations is how many citations of a text are checked.
const MaxCitations = 64

const (
	maxText      = 256 << 10 // bytes of an answer that are read
	leastQuoted  = 4         // words of the shortest quotation that is checked
	leastShared  = 0.6       // of the words of a sentence that its passage must hold
	maxPassages  = 64
	quoteClipped = 200 // bytes of a quotation that the event repeats
)

// A source is a passage with its words.
type source struct {
	classroom.Passage
	words []string        // folded, in order
	forms map[string]bool // of its words
	plain map[string]bool // its folded words
}

// Check returns the citations of a text of Markdown, in the order of their places. passages
// are those that its author was given, in the order of their numbers; heard is what people
// said, whose words may be repeated in quotation marks. Offsets are in characters.
func Check(answer string, passages []classroom.Passage, heard ...string) []classroom.Citation {
	if len(answer) > maxText {
		answer = strings.ToValidUTF8(answer[:maxText], "")
	}
	sources := newSources(passages)
	var out []classroom.Citation
	for _, c := range find(answer) {
		if len(out) == MaxCitations {
			break
		}
		if c.kind == quotation && isHeard(c.said, heard) {
			continue
		}
		cited := c.check(answer, sources)
		cited.N = len(out) + 1
		cited.From, cited.To = utf8.RuneCountInString(answer[:c.from]), utf8.RuneCountInString(answer[:c.to])
		out = append(out, cited)
	}
	return out
}

// isHeard reports whether somebody said the words of a quotation.
func isHeard(quotation string, heard []string) bool {
	words := strings.Fields(text.Plain(strings.TrimRight(quotation, "….")))
	for _, h := range heard {
		if indexOf(strings.Fields(text.Plain(h)), words) >= 0 {
			return true
		}
	}
	return false
}

func newSources(passages []classroom.Passage) []source {
	var out []source
	for _, p := range passages[:min(len(passages), maxPassages)] {
		s := source{Passage: p, forms: map[string]bool{}, plain: map[string]bool{}}
		for _, w := range text.Words(withoutEmphasis.Replace(p.Text)) {
			if w.Pair {
				continue
			}
			s.words, s.plain[w.Folded] = append(s.words, w.Folded), true
			for _, f := range text.Forms(w.Folded, p.Language) {
				s.forms[f] = true
			}
		}
		for _, w := range text.Words(p.Section + " " + p.Material) {
			for _, f := range text.Forms(w.Folded, p.Language) {
				s.forms[f] = true
			}
		}
		out = append(out, s)
	}
	return out
}

var withoutEmphasis = strings.NewReplacer("**", "", "__", "", "*", "")

// check compares a candidate with the sources.
func (c candidate) check(answer string, sources []source) classroom.Citation {
	said := answer[c.from:c.to]
	out := classroom.Citation{Status: classroom.NotFromMaterials}
	switch c.kind {
	case quotation:
		out.Quote = clip(c.said)
		for i := range sources {
			if sources[i].quotes(c.said) {
				return out.At(classroom.Quoted, sources[i].Passage)
			}
		}
	case reference:
		if c.number >= 1 && c.number <= len(sources) && sources[c.number-1].supports(c.said) {
			return out.At(classroom.Supported, sources[c.number-1].Passage)
		}
	case place:
		out.Quote = clip(said)
		for i := range sources {
			if sources[i].isAt(said) {
				return out.At(classroom.Supported, sources[i].Passage)
			}
		}
	}
	return out
}

func clip(s string) string {
	if len(s) > quoteClipped {
		return strings.ToValidUTF8(s[:quoteClipped], "") + "…"
	}
	return s
}

// quotes reports whether a quotation stands in the source, part by part in order.
func (s source) quotes(quotation string) bool {
	at := 0
	for part := range strings.SplitSeq(strings.ReplaceAll(quotation, "...", "…"), "…") {
		var words []string
		for _, w := range text.Words(withoutEmphasis.Replace(part)) {
			if !w.Pair {
				words = append(words, w.Folded)
			}
		}
		if len(words) == 0 {
			continue
		}
		found := indexOf(s.words[at:], words)
		if found < 0 {
			return false
		}
		at += found + len(words)
	}
	return at > 0
}

// indexOf returns where some words stand in a row, or -1.
func indexOf(all, words []string) int {
	for i := 0; i+len(words) <= len(all); i++ {
		n := 0
		for n < len(words) && all[i+n] == words[n] {
			n++
		}
		if n == len(words) {
			return i
		}
	}
	return -1
}

// isAt reports whether the source stands at a place that is named: its heading holds the
// words "chapter 3", or its page has that number.
func (s source) isAt(place string) bool {
	words := strings.Fields(text.Plain(place))
	return indexOf(strings.Fields(text.Plain(s.Section)), words) >= 0
}
