package store

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTerms bounds the work of one search.
const maxTerms = 24

// A term is a content word of a query with its other forms, the query's own
// first. Each form is one word, or several that must follow each other.
type term struct {
	forms  []string
	asking bool // says something of the question rather than of its subject
	name   int  // words of the same name, from 1, count only together; 0 is none
}

// match returns the term in the index's query language. Forms hold letters,
// digits and spaces only, so nothing in them is syntax.
func (t term) match() string { return `"` + strings.Join(t.forms, `" OR "`) + `"` }

// queryTerms returns the distinct content words of a text. Words of asking
// ("explain", "mean") are subjects where there is nothing else.
func queryTerms(query string) []term {
	all := words(query)
	stop := stopWords(all)
	var terms []term
	seen := map[string]bool{}
	for _, w := range all {
		if seen[w] || stop[w] || !content(w) {
			continue
		}
		t := term{forms: append([]string{w}, otherForms(w)...), asking: askingWords[w]}
		for _, form := range t.forms {
			seen[form] = true
		}
		terms = append(terms, t)
	}
	markNames(terms, query)
	terms = append(terms, signTerms(query)...)
	terms = terms[:min(len(terms), maxTerms)]
	if subjects(terms) == 0 {
		for i := range terms {
			terms[i].asking = false
		}
	}
	return terms
}

// content reports whether w can be a content word: a single letter is not, a
// digit may be.
func content(w string) bool {
	return len(w) > 1 && utf8.RuneCountInString(w) > 1 || '0' <= w[0] && w[0] <= '9'
}

func subjects(terms []term) int {
	n := 0
	for _, t := range terms {
		if !t.asking {
			n++
		}
	}
	return n
}

// words returns the words of a text in lower case and without accents, those
// of scripts without spaces apart.
func words(text string) []string {
	return strings.FieldsFunc(fold(text), func(r rune) bool { return !inWord(r) || isSign(r) })
}

// fold does what the index does to letters.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isSign reports whether r belongs to a script that puts no spaces between
// words.
func isSign(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー'
}

// spread puts spaces between signs, so that the index takes each for a word.
func spread(text string) string {
	if !strings.ContainsFunc(text, isSign) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isSign(r) {
			b.WriteString(" " + string(r) + " ")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// functionSigns are the most frequent signs of Chinese that carry grammar.
const functionSigns = "的是了么什吗呢在和有我你他她它这那哪谁何为怎样如把被请"

// signTerms returns the terms of runs of signs: each pair of neighbours, and
// katakana runs, which are one foreign word, whole. Hiragana carry grammar.
func signTerms(query string) []term {
	var out []term
	for _, run := range strings.FieldsFunc(norm.NFC.String(query), func(r rune) bool {
		return !isSign(r) || unicode.Is(unicode.Hiragana, r) || strings.ContainsRune(functionSigns, r)
	}) {
		for _, t := range runTerms([]rune(run)) {
			if !slices.ContainsFunc(out, func(o term) bool { return o.forms[0] == t.forms[0] }) {
				out = append(out, t)
			}
		}
	}
	return out
}

func runTerms(run []rune) []term {
	foreign := !slices.ContainsFunc(run, func(r rune) bool { return !unicode.Is(unicode.Katakana, r) && r != 'ー' })
	if foreign || len(run) < 3 {
		return []term{{forms: []string{spaced(run)}}}
	}
	var out []term
	for i := range len(run) - 1 {
		out = append(out, term{forms: []string{spaced(run[i : i+2])}})
	}
	return out
}

func spaced(run []rune) string {
	return strings.Join(strings.Split(string(run), ""), " ")
}
