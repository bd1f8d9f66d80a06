// Package withheld finds and keeps back what a teacher does not want given away.
//
// A [Set] is made from her instruction and from the passages that answer it: the sentences of
// those passages that hold the words of the instruction, with the numbers and the words in
// them that the instruction does not have. [Set.Hits] says whether a sentence gives any of it
// away: it repeats words of such a sentence in a row, names its numbers, in digits or in
// words, or most of its other words. [Set.Redact] takes those sentences out of a passage.
//
// The check compares words. It does not understand a text, so that a description which avoids
// every word and number of the answer passes. The package is pure.
package withheld

import (
	"embed"
	"math"
	"strconv"
	"strings"
	"unicode"

	"colloquy/classroom"
	"colloquy/classroom/text"
)

const (
	mostSentences = 24
	rowOfWords    = 4   // words in a row that repeat a sentence
	mostTerms     = 0.6 // of the other words of a sentence that name it
	longNumber    = 3   // digits of a number that stands for itself
)

// A Set is what must not be given away. The zero Set is empty.
type Set struct {
	asked     map[string]bool // forms of the words of the instruction
	sentences []sentence
	literal   [][]string // rows of folded words that the instruction gives itself
	shown     []string   // the sentences as they stand, for the teacher
}

// A sentence is a sentence of a passage that answers the instruction.
type sentence struct {
	words   []string        // folded, in order
	numbers map[string]bool // that the instruction does not have
	terms   map[string]bool // stems of the other words that it does not have
}

// Empty reports whether nothing is withheld.
func (s Set) Empty() bool { return len(s.sentences)+len(s.literal) == 0 }

// Sentences returns what is withheld, as it stands in the materials.
func (s Set) Sentences() []string { return s.shown }

// Of returns what an instruction withholds. passages are those that a search for it finds.
func Of(instruction string, passages []classroom.Passage) Set {
	set := Set{asked: map[string]bool{}}
	var subject []string
	for _, w := range text.Words(instruction) {
		if !w.Pair && !telling[w.Folded] && !text.IsStop(w.Folded, "en") && !text.IsStop(w.Folded, "de") {
			subject = append(subject, w.Folded)
			add(set.asked, w.Folded)
		}
	}
	if len(subject) == 0 {
		return Set{}
	}
	if len(subject) <= 2 {
		set.literal = append(set.literal, subject)
	}
	best := 0
	for _, p := range passages {
		best = max(best, set.most(p))
	}
	for _, p := range passages {
		set.addPassage(p, best)
	}
	return set
}

// Subject returns the words of an instruction to search for.
func Subject(instruction string) string {
	var words []string
	for _, w := range text.Words(instruction) {
		if !w.Pair && !telling[w.Folded] {
			words = append(words, instruction[w.From:w.To])
		}
	}
	return strings.Join(words, " ")
}

// most returns how many words of the instruction a sentence of a passage holds at most.
func (s *Set) most(p classroom.Passage) int {
	n := 0
	for _, span := range text.Sentences(p.Text) {
		n = max(n, s.held(p.Text[span.From:span.To]))
	}
	return n
}

// addPassage adds the sentences of a passage that hold as many words of the instruction as
// any does.
func (s *Set) addPassage(p classroom.Passage, best int) {
	for _, span := range text.Sentences(p.Text) {
		said := p.Text[span.From:span.To]
		if best > 0 && s.held(said) == best && len(s.sentences) < mostSentences {
			s.sentences = append(s.sentences, s.newSentence(said))
			s.shown = append(s.shown, strings.Join(strings.Fields(said), " "))
		}
	}
}

// held returns how many words of the instruction a text holds.
func (s *Set) held(said string) int {
	found := map[string]bool{}
	for _, w := range text.Words(said) {
		for _, f := range forms(w.Folded) {
			if s.asked[f] {
				found[forms(w.Folded)[0]] = true
			}
		}
	}
	return len(found)
}

func (s *Set) newSentence(said string) sentence {
	out := sentence{numbers: map[string]bool{}, terms: map[string]bool{}}
	for _, w := range text.Words(said) {
		if w.Pair {
			continue
		}
		out.words = append(out.words, w.Folded)
		switch {
		case s.isAsked(w.Folded):
		case number(w.Folded) != "":
			out.numbers[number(w.Folded)] = true
		case len(w.Folded) > 2 && !text.IsStop(w.Folded, "en") && !text.IsStop(w.Folded, "de"):
			out.terms[stem(w.Folded)] = true
		}
	}
	return out
}

func (s *Set) isAsked(folded string) bool {
	for _, f := range forms(folded) {
		if s.asked[f] {
			return true
		}
	}
	return false
}

// Hits reports whether a text gives away what is withheld.
func (s Set) Hits(said string) bool {
	if s.Empty() {
		return false
	}
	var words []string
	numbers, terms := map[string]bool{}, map[string]bool{}
	for _, w := range text.Words(said) {
		if w.Pair {
			continue
		}
		words = append(words, w.Folded)
		if n := number(w.Folded); n != "" {
			numbers[n] = true
		}
		terms[stem(w.Folded)] = true
	}
	for _, row := range s.literal {
		if hasRow(words, row) {
			return true
		}
	}
	for _, x := range s.sentences {
		if x.named(s, words, numbers, terms) {
			return true
		}
	}
	return false
}

// named reports whether some words name the sentence.
func (x sentence) named(s Set, words []string, numbers, terms map[string]bool) bool {
	shared := 0
	for n := range x.numbers {
		if !numbers[n] {
			continue
		}
		if len(n) >= longNumber {
			return true
		}
		shared++
	}
	about := s.held(strings.Join(words, " ")) > 0
	if n := len(x.numbers); n > 0 && shared == n && (n > 1 || about) {
		return true
	}
	common := 0
	for t := range x.terms {
		if terms[t] {
			common++
		}
	}
	if common >= 2 && float64(common) >= mostTerms*float64(len(x.terms)) {
		return true
	}
	return x.repeats(s, words)
}

// repeats reports whether words of the sentence stand in a row that the instruction does not
// have itself.
func (x sentence) repeats(s Set, words []string) bool {
	for i := 0; i+rowOfWords <= len(x.words); i++ {
		row := x.words[i : i+rowOfWords]
		own := 0
		for _, w := range row {
			if !s.isAsked(w) && !text.IsStop(w, "en") && !text.IsStop(w, "de") {
				own++
			}
		}
		if own > 0 && hasRow(words, row) {
			return true
		}
	}
	return false
}

func hasRow(words, row []string) bool {
	for i := 0; i+len(row) <= len(words); i++ {
		n := 0
		for n < len(row) && words[i+n] == row[n] {
			n++
		}
		if n == len(row) {
			return true
		}
	}
	return false
}

// Redact returns a text without the sentences that give anything away, and whether any did.
func (s Set) Redact(said string) (string, bool) {
	if s.Empty() {
		return said, false
	}
	var b strings.Builder
	at, changed := 0, false
	for _, span := range text.Sentences(said) {
		if s.Hits(said[span.From:span.To]) {
			b.WriteString(said[at:span.From] + "[…]")
			at, changed = span.To, true
		}
	}
	b.WriteString(said[at:])
	return b.String(), changed
}

// RedactAll takes what is withheld out of passages. One of which nothing is left still says
// where it stands.
func (s Set) RedactAll(passages []classroom.Passage) []classroom.Passage {
	if s.Empty() {
		return passages
	}
	out := make([]classroom.Passage, 0, len(passages))
	for _, p := range passages {
		p.Text, _ = s.Redact(p.Text)
		out = append(out, p)
	}
	return out
}

// forms returns the forms of a folded word in the languages of the phrases.
func forms(folded string) []string {
	out := []string{folded}
	for _, language := range []string{"en", "de"} {
		out = append(out, text.Forms(folded, language)...)
	}
	return out
}

// stem is the one form by which two words are the same.
func stem(folded string) string { return text.Forms(folded, "en")[0] }

func add(to map[string]bool, folded string) {
	for _, f := range text.Forms(folded, "en")[:1] {
		to[f] = true
	}
	to[folded] = true
}

//go:embed data/*.txt
var data embed.FS

// telling are the words of an instruction that say "do not tell", folded.
var telling = func() map[string]bool {
	content, _ := data.ReadFile("data/telling.txt")
	out := map[string]bool{}
	for _, w := range text.Words(string(content)) {
		out[w.Folded] = true
	}
	return out
}()

// numberWords are the values of numbers in words.
var numberWords = func() map[string]string {
	content, _ := data.ReadFile("data/numbers.txt")
	out := map[string]string{}
	for line := range strings.Lines(string(content)) {
		if pair := strings.Fields(line); len(pair) == 2 {
			out[pair[0]] = pair[1]
		}
	}
	return out
}()

// number returns the value of a folded word that is a number, such as "0.5" for "1/2"; empty
// if it is none.
func number(folded string) string {
	if n, ok := numberWords[folded]; ok {
		return n
	}
	digits := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(folded, "th"), "st"), "nd")
	if !strings.ContainsFunc(digits, unicode.IsDigit) {
		return ""
	}
	value, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", "."), 64)
	if err != nil {
		over := strings.Split(strings.ReplaceAll(digits, "⁄", "/"), "/")
		if len(over) != 2 {
			return ""
		}
		a, errA := strconv.ParseFloat(over[0], 64)
		b, errB := strconv.ParseFloat(over[1], 64)
		if errA != nil || errB != nil || b == 0 {
			return ""
		}
		value = a / b
	}
	return strconv.FormatFloat(math.Abs(value), 'f', -1, 64)
}
