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
}

// Terms returns the terms of a passage in its language: those of its headings, a tab, and
// those of its text. Words are separated by spaces, the forms of a word by slashes.
func Terms(heading, body, language string) string {
	var b strings.Builder
	writeTerms(&b, heading, language)
	b.WriteByte('\t')
	writeTerms(&b, body, language)
	return b.String()
}

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
	mean      float64 // of lengths
	postings  map[string][]posting
	languages []string // of the passages, the most frequent first
	vocabulary
}

// A posting says how often a passage holds a term.
type posting struct {
	passage    int32
	inText     uint16
	inHeadings uint16
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
	x := &Index{passages: passages, lengths: make([]int, len(passages)), postings: map[string][]posting{}}
	x.words = sync.OnceValue(words)
	x.read = sync.OnceValue(func() map[string][]string { return byTrigram(x.words()) })
	count, total := map[string]int{}, 0
	for i, p := range passages {
		heading, body, _ := strings.Cut(p.Terms, "\t")
		x.lengths[i] = x.add(int32(i), body, false) + x.add(int32(i), heading, true)
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

// add adds the terms of a passage, and returns how many words they are.
func (x *Index) add(passage int32, terms string, heading bool) int {
	n := 0
	for word := range strings.SplitSeq(terms, " ") {
		if word == "" {
			continue
		}
		n++
		for form := range strings.SplitSeq(word, "/") {
			x.count(form, passage, heading)
		}
	}
	return n
}

func (x *Index) count(form string, passage int32, heading bool) {
	list := x.postings[form]
	if n := len(list); n == 0 || list[n-1].passage != passage {
		list = append(list, posting{passage: passage})
		x.postings[form] = list
	}
	p := &list[len(list)-1]
	if heading {
		p.inHeadings += min(1, math.MaxUint16-p.inHeadings)
	} else {
		p.inText += min(1, math.MaxUint16-p.inText)
	}
}

// Len returns the number of passages.
func (x *Index) Len() int { return len(x.passages) }
