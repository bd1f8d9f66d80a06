package withheld

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/classroom/text"
)

// A reading is a text as it is compared.
type reading struct {
	text   string
	words  []text.Word
	folded []string
	values map[string]bool // of the numbers that are not clearly about something else
	terms  map[string]bool
}

var tags = regexp.MustCompile(`</?[a-zA-Z][^<>]{0,60}>`)

// clean takes out what hides a word: marks inside it, tags, signs without width.
func clean(s string) string {
	s = tags.ReplaceAllString(html.UnescapeString(s), "")
	s = strings.NewReplacer(`{,}`, "", `\,`, "", `\!`, "", `\ `, " ").Replace(s)
	runes := []rune(s)
	out := make([]rune, 0, len(runes))
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if unicode.In(r, unicode.Cf, unicode.Me, unicode.Variation_Selector) {
			continue
		}
		if strings.ContainsRune("*_~`", r) && len(out) > 0 && isWordRune(out[len(out)-1]) {
			end := i
			for end < len(runes) && strings.ContainsRune("*_~`", runes[end]) {
				end++
			}
			if end < len(runes) && isWordRune(runes[end]) {
				i = end - 1
				continue
			}
		}
		out = append(out, r)
	}
	return string(out)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// read reads a text. before is what stands before it.
func read(before, s string) reading {
	s = joinPowers(s)
	r := reading{text: s, words: spoken(s), values: map[string]bool{}, terms: map[string]bool{}}
	for _, n := range numbersIn(s, r.words) {
		if !isElsewhere(r, n, before) {
			r.values[n.value] = true
		}
	}
	for _, w := range r.words {
		r.folded = append(r.folded, w.Folded)
		r.terms[stem(w.Folded)] = true
		if utf8.RuneCountInString(w.Folded) > rowOfWords {
			r.terms[stem(reversed(w.Folded))] = true
		}
	}
	for _, spelled := range spelledWords(s, r.words) {
		r.folded = append(r.folded, spelled)
		r.terms[stem(spelled)] = true
		if v, ok := numberWords[spelled]; ok {
			r.values[strconv.FormatFloat(v, 'g', 9, 64)] = true
		}
	}
	return r
}

// spelledWords returns the words that are spelled letter by letter.
func spelledWords(s string, words []text.Word) []string {
	var out []string
	run, last := "", 0
	for _, w := range append(words[:len(words):len(words)], text.Word{From: len(s)}) {
		if utf8.RuneCountInString(w.Folded) == 1 && (run == "" || w.From-last <= 3) {
			run, last = run+w.Folded, w.To
			continue
		}
		if utf8.RuneCountInString(run) > 2 {
			out = append(out, run)
		}
		run = ""
	}
	return out
}

// Holds reports whether a text of the materials gives away what is withheld.
func (s Set) Holds(said string) bool { return s.any("", said, sentence.heldIn) }

// Gives reports whether a sentence of an agent gives away what is withheld. before is what
// the agent said before it in the same message.
func (s Set) Gives(before, said string) bool {
	return s.any(before, said, sentence.heldIn) || s.any(before, said, sentence.givenIn) ||
		strings.TrimSpace(before) != "" && s.any("", tail(before)+" "+said, sentence.spreadIn)
}

// tail returns the end of a text.
func tail(s string) string {
	const most = 1200
	if len(s) > most {
		s = strings.ToValidUTF8(s[len(s)-most:], "")
	}
	return s
}

func (s Set) any(before, said string, hit func(sentence, part, reading) bool) bool {
	if s.Empty() {
		return false
	}
	readings := []reading{read(before, said)}
	if cleaned := clean(said); cleaned != said {
		readings = append(readings, read(before, cleaned))
	}
	for _, r := range readings {
		for _, p := range s.parts {
			for _, x := range p.sentences {
				if !x.free && hit(x, p, r) {
					return true
				}
			}
		}
	}
	return false
}

// heldIn reports whether a text says the sentence again, in its words, or by its numbers or
// terms together with words of the instruction.
func (x sentence) heldIn(p part, r reading) bool {
	about := p.about(r)
	if x.typed {
		about = p.count + 1 // the teacher's own answer needs nothing beside it
	}
	for n := range x.numbers {
		if r.values[n] && about > 0 && (len(n) >= longNumber || 2*about > p.count) {
			return true
		}
	}
	common := 0
	for t := range x.terms {
		if r.terms[t] {
			common++
		}
	}
	return common >= 2 && float64(common) >= mostTerms*float64(len(x.terms)) || x.repeatedIn(p, r) ||
		2*about > p.count && x.names(r) || about > 0 && x.hasAllNumbers(r)
}

// about returns how many words of the instruction a text has. Numbers are in every text: they
// count only where the instruction has nothing else.
func (p part) about(r reading) int {
	found := map[string]bool{}
	for _, w := range r.folded {
		if p.isAsked(w) && (p.count == 0 || len(valuesOf(w)) == 0) {
			found[stem(w)] = true
		}
	}
	return len(found)
}

// hasAllNumbers reports whether a text has all numbers of a sentence that has several.
func (x sentence) hasAllNumbers(r reading) bool {
	for n := range x.numbers {
		if !r.values[n] {
			return false
		}
	}
	return len(x.numbers) > 1
}

// names reports whether a text has a word that stands for the answer.
func (x sentence) names(r reading) bool {
	for t := range x.strong {
		if r.terms[stem(t)] {
			return true
		}
	}
	return false
}

// repeatedIn reports whether words of the sentence stand in a row in a text, of which some
// are not in the instruction.
func (x sentence) repeatedIn(p part, r reading) bool {
	for i := 0; i+rowOfWords <= len(x.words); i++ {
		row := x.words[i : i+rowOfWords]
		own := 0
		for _, w := range row {
			if !p.isAsked(w) && !isStop(w) {
				own++
			}
		}
		if own > 0 && hasRow(r.folded, row) {
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

// spreadIn reports whether a text that was said in several sentences says the sentence.
func (x sentence) spreadIn(p part, r reading) bool {
	common := 0
	for t := range x.terms {
		if r.terms[t] {
			common++
		}
	}
	return len(x.terms) > 2 && common == len(x.terms) || x.repeatedIn(p, r)
}

// givenIn reports whether a sentence of an agent says a number or a term of the answer.
func (x sentence) givenIn(p part, r reading) bool {
	for n := range x.numbers {
		if r.values[n] {
			return true
		}
	}
	if x.names(r) {
		return true
	}
	content, terms, about := 0, 0, 0
	for _, w := range r.folded {
		switch {
		case isStop(w) || utf8.RuneCountInString(w) < 3:
		case p.isAsked(w):
			about++
		default:
			content++
			if x.terms[stem(w)] {
				terms++
			}
		}
	}
	return terms > 0 && 2*terms >= content && (about > 0 || terms == content)
}

// isElsewhere reports whether a number is clearly about something else: it counts something,
// or names a place or a point of a list.
func isElsewhere(r reading, n number, before string) bool {
	from, to := r.words[n.from].From, r.words[n.to-1].To
	if n.to < len(r.words) && counted[r.words[n.to].Folded] &&
		strings.TrimSpace(r.text[to:r.words[n.to].From]) == "" {
		return true
	}
	if n.from > 0 && places[r.words[n.from-1].Folded] && strings.TrimSpace(strings.Trim(
		r.text[r.words[n.from-1].To:from], ". ")) == "" {
		return true
	}
	return n.typed && isPoint(r, n, before)
}

var point = regexp.MustCompile(`(?m)^\s*(\d{1,2})[.)]\s`)

// isPoint reports whether a number is that of a point of a list, after the points before it.
func isPoint(r reading, n number, before string) bool {
	w := r.words[n.from]
	if n.from != 0 || n.to != 1 || len(r.text) == w.To || !strings.ContainsRune(".)", rune(r.text[w.To])) ||
		len(r.words) < rowOfWords {
		return false
	}
	if w.Folded == "1" {
		return true
	}
	points := point.FindAllStringSubmatch(before, -1)
	return len(points) > 0 && isNext(points[len(points)-1][1], w.Folded)
}

func isNext(a, b string) bool {
	x, y := valuesOf(a), valuesOf(b)
	return len(x) > 0 && len(y) > 0 && x[0]+1 == y[0]
}
