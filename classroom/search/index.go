// Package search finds the passages of a class's materials that answer a question.
//
// An [Index] holds the passages of one class. [Terms] makes the terms of a passage, which
// a store keeps; [Index.Search] reads a question by the same functions of package text, so
// that what is typed exactly is always found. The ranking is BM25 over passages, in which a
// word of a heading weighs double, and then the share of the question's rare words that a
// passage holds. Below a share that was measured on real questions, nothing is found.
//
// An Index does not change once it is made, and may be used from many goroutines. A search
// takes time in proportion to the passages that hold its words, and a question has at most
// [maxWords] of them. The package does no I/O, and does not know the texts themselves.
package search

import (
	"math"
	"slices"
	"strings"
	"sync"

	"colloquy/classroom/text"
)

// A Passage is what an index knows of a passage.
type Passage struct {
	Terms    string // of [Terms]
	Language string // of its material
	Staff    bool   // only for teachers
	Aside    bool   // lists where to read more, and answers little
	Material int64  // passages of one material have the same number
}

// Terms returns the terms of a passage in its language, in three fields with tabs between
// them: those of the headings above the innermost, those of the innermost, and those of the
// text. Words are separated by spaces, the forms of a word by slashes. headings are joined
// by " › ".
func Terms(headings, body, language string) string {
	outer, inner := "", headings
	if at := strings.LastIndex(headings, separator); at >= 0 {
		outer, inner = headings[:at], headings[at+len(separator):]
	}
	var b strings.Builder
	writeTerms(&b, outer, language)
	b.WriteByte('\t')
	writeTerms(&b, inner, language)
	b.WriteByte('\t')
	writeTerms(&b, body, language)
	return b.String()
}

const separator = " › " // of headings

func writeTerms(b *strings.Builder, s, language string) {
	stems := map[string]string{}
	first := true
	for _, w := range text.Words(s) {
		forms, ok := stems[s[w.From:w.To]]
		if !ok {
			forms = strings.Join(text.Forms(s[w.From:w.To], language), "/")
			stems[s[w.From:w.To]] = forms
		}
		if !first {
			b.WriteByte(' ')
		}
		first = false
		b.WriteString(forms)
	}
}

// An Index holds the passages of a class.
type Index struct {
	passages  []Passage
	lengths   []int
	headings  []string // the terms of the innermost headings
	first     []string // the forms of the first words
	mean      float64  // of lengths
	postings  map[string][]posting
	languages []string // of the passages, the most frequent first
	vocabulary
}

// A field is a part of a passage.
type field int

const (
	inText field = iota
	inOuter
	inInner
	fields
)

// A posting says how often the fields of a passage hold a term.
type posting struct {
	passage int32
	count   [fields]uint16
}

// A vocabulary holds the words of a class as they are written, for the repair of what is
// misspelt. It is made when it is first needed.
type vocabulary struct {
	words func() map[string]int
	read  func() map[string][]string // the words by their groups of three letters
}

// New returns an index of passages. words returns how often each folded word stands in
// their texts; it is called at most once, and not before a word is misspelt.
func New(passages []Passage, words func() map[string]int) *Index {
	x := &Index{passages: passages, postings: map[string][]posting{}}
	x.words = sync.OnceValue(words)
	x.read = sync.OnceValue(func() map[string][]string { return byTrigram(x.words()) })
	count, total := map[string]int{}, 0
	for i, p := range passages {
		outer, rest, _ := strings.Cut(p.Terms, "\t")
		inner, body, _ := strings.Cut(rest, "\t")
		words := x.add(int32(i), body, inText)
		above := x.add(int32(i), outer, inOuter)
		heading := x.add(int32(i), inner, inInner)
		x.lengths, x.headings = append(x.lengths, words+above+heading), append(x.headings, inner)
		first, _, _ := strings.Cut(body, " ")
		x.first = append(x.first, first)
		total += x.lengths[i]
		count[p.Language]++
	}
	x.mean = float64(max(total, 1)) / float64(max(len(passages), 1))
	for l := range count {
		x.languages = append(x.languages, l)
	}
	slices.SortFunc(x.languages, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	return x
}

// add adds the terms of a field, and returns how many words they are.
func (x *Index) add(passage int32, terms string, in field) int {
	n := 0
	for word := range strings.SplitSeq(terms, " ") {
		if word == "" {
			continue
		}
		n++
		for form := range strings.SplitSeq(word, "/") {
			x.count(form, passage, in)
		}
	}
	return n
}

func (x *Index) count(form string, passage int32, in field) {
	list := x.postings[form]
	if n := len(list); n == 0 || list[n-1].passage != passage {
		list = append(list, posting{passage: passage})
		x.postings[form] = list
	}
	p := &list[len(list)-1]
	p.count[in] += min(1, math.MaxUint16-p.count[in])
}

// Len returns the number of passages.
func (x *Index) Len() int { return len(x.passages) }
