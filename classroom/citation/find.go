package citation

import (
	"regexp"
	"sort"
	"strconv"
	"strings"

	"colloquy/classroom/text"
)

// A kind says what a candidate is.
type kind int

const (
	quotation kind = iota // words in quotation marks, or a block of quotation
	reference             // [2], behind a sentence
	place                 // a chapter, a section or a page
)

// A candidate is a citation that has to be checked.
type candidate struct {
	kind     kind
	from, to int    // its bytes
	said     string // the words of the quotation, or the sentence of the reference
	number   int    // of the passage that is referred to
}

// find returns the candidates of a text, in order. Code and formulas have none.
func find(answer string) []candidate {
	masked := maskCode(answer)
	out := blockQuotes(masked, answer)
	blocks := len(out)
	for _, c := range append(append(quotations(masked, answer), references(masked, answer)...), places(masked)...) {
		if !inside(out[:blocks], c.from) {
			out = append(out, c)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].from < out[j].from })
	return out
}

func inside(blocks []candidate, at int) bool {
	for _, b := range blocks {
		if at >= b.from && at < b.to {
			return true
		}
	}
	return false
}

var codeOrFormula = regexp.MustCompile("(?s)```.*?(?:```|$)|`[^`\n]*`|\\$\\$.*?\\$\\$|\\$[^$\n]*\\$")

// maskCode replaces code and formulas by spaces of the same length.
func maskCode(s string) string {
	return codeOrFormula.ReplaceAllStringFunc(s, func(m string) string {
		return strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, toASCII(m))
	})
}

// toASCII returns a text of the same length in bytes.
func toASCII(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] >= 0x80 {
			b[i] = ' '
		}
	}
	return string(b)
}

const maxBlock = 16 << 10 // bytes of a block of quotation that are compared

// blockQuotes finds the blocks whose lines begin with ">".
func blockQuotes(masked, answer string) []candidate {
	var out []candidate
	open, at := -1, 0
	var said strings.Builder
	end := func(to int) {
		if open >= 0 && len(strings.Fields(text.Plain(said.String()))) >= leastQuoted {
			out = append(out, candidate{kind: quotation, from: open, to: to, said: said.String()})
		}
		open = -1
		said.Reset()
	}
	last := 0
	for line := range strings.Lines(masked) {
		trimmed := strings.TrimLeft(line, " ")
		if strings.HasPrefix(trimmed, ">") {
			if open < 0 {
				open = at
			}
			raw := answer[at : at+len(line)]
			if said.Len() < maxBlock {
				said.WriteString(strings.TrimLeft(strings.TrimLeft(raw, " "), "> "))
			}
			last = at + len(strings.TrimRight(raw, "\r\n "))
		} else {
			end(last)
		}
		at += len(line)
	}
	end(last)
	return out
}

// marks are the pairs of quotation marks.
var marks = []struct{ open, end string }{
	{"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}, {"»", "«"}, {`"`, `"`}, {"‹", "›"},
}

const maxQuotation = 2000 // bytes

func quotations(masked, answer string) []candidate {
	var out []candidate
	for at := 0; at < len(masked); {
		found := false
		for _, m := range marks {
			if !strings.HasPrefix(masked[at:], m.open) {
				continue
			}
			from := at + len(m.open)
			end := strings.Index(masked[from:min(len(masked), from+maxQuotation)], m.end)
			if end < 0 || strings.Contains(masked[from:from+end], "\n\n") {
				continue
			}
			said := answer[from : from+end]
			if len(strings.Fields(text.Plain(said))) >= leastQuoted {
				out = append(out, candidate{kind: quotation, from: at, to: from + end + len(m.end), said: said})
			}
			at, found = from+end+len(m.end), true
			break
		}
		if !found {
			at++
		}
	}
	return out
}

var referenceMark = regexp.MustCompile(`\[(\d{1,2})\]`)

// references finds numbers in brackets, each with the sentence that it stands in or behind.
func references(masked, answer string) []candidate {
	found := referenceMark.FindAllStringSubmatchIndex(masked, 2*MaxCitations)
	if len(found) == 0 {
		return nil
	}
	sentences := text.Sentences(answer)
	var out []candidate
	for _, m := range found {
		if m[1] < len(masked) && masked[m[1]] == '(' { // a link
			continue
		}
		n, _ := strconv.Atoi(masked[m[2]:m[3]])
		out = append(out, candidate{
			kind: reference, from: m[0], to: m[1], number: n, said: sentenceOf(answer, sentences, m[0]),
		})
	}
	return out
}

// sentenceOf returns the sentence at a byte, or the one before where that holds only the
// reference.
func sentenceOf(answer string, sentences []text.Span, at int) string {
	last := ""
	for _, s := range sentences {
		said := strings.TrimSpace(referenceMark.ReplaceAllString(answer[s.From:s.To], ""))
		if at < s.To {
			if len(text.Words(answer[s.From:min(at, s.To)])) == 0 && at >= s.From {
				return last
			}
			return said
		}
		last = said
	}
	return last
}

var placeName = regexp.MustCompile(
	`(?i)\b(?:chapter|section|page|kapitel|abschnitt|seite|chapitre|página|capítulo)\s+\d{1,4}\b`)

// places finds chapters, sections and pages that are named.
func places(masked string) []candidate {
	var out []candidate
	for _, m := range placeName.FindAllStringIndex(masked, MaxCitations) {
		out = append(out, candidate{kind: place, from: m[0], to: m[1]})
	}
	return out
}
