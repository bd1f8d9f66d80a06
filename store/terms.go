package store

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxTerms bounds the work of one search.
const maxTerms = 24

// A term is one content word of a query with its other forms. Each form is one
// word, or several that must follow each other.
type term []string

// match returns the term in the index's query language. Forms hold letters,
// digits and spaces only, so nothing in them is syntax.
func (t term) match() string { return `"` + strings.Join(t, `" OR "`) + `"` }

// queryTerms returns the distinct content words of a text. Words of asking
// ("explain", "mean") count only where there is nothing else.
func queryTerms(query string) []term {
	words := words(query)
	stop := stopWords(words)
	var content, asking []term
	seen := map[string]bool{}
	for _, w := range words {
		if seen[w] || stop[w] || len([]rune(w)) == 1 && !unicode.IsDigit(rune(w[0])) {
			continue
		}
		t := append(term{w}, otherForms(w)...)
		for _, form := range t {
			seen[form] = true
		}
		switch {
		case askingWords[w]:
			asking = append(asking, t)
		case len(content) < maxTerms:
			content = append(content, t)
		}
	}
	content = append(content, signTerms(query)...)
	if len(content) == 0 {
		content = asking
	}
	return content[:min(len(content), maxTerms)]
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
			if !slices.ContainsFunc(out, func(o term) bool { return o[0] == t[0] }) {
				out = append(out, t)
			}
		}
	}
	return out
}

func runTerms(run []rune) []term {
	foreign := !slices.ContainsFunc(run, func(r rune) bool { return !unicode.Is(unicode.Katakana, r) && r != 'ー' })
	if foreign || len(run) < 3 {
		return []term{{spaced(run)}}
	}
	var out []term
	for i := range len(run) - 1 {
		out = append(out, term{spaced(run[i : i+2])})
	}
	return out
}

func spaced(run []rune) string {
	return strings.Join(strings.Split(string(run), ""), " ")
}
