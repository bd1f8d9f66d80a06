package tutor

import "strings"

// copulas join what is defined with what it is.
var copulas = setOf(`is are was were means mean says refers describes consists`)

// definition says how well u defines what focus names: 1 if u is "X is …".
func definition(u *unit, focus []term) float64 {
	if len(focus) == 0 {
		return 0
	}
	subject, found := subjectOf(u)
	if inPassing(u, focus) {
		return 0.7
	}
	if found && u.kind != point && tells(u, len(subject)) {
		return 0.2 * truth(sideBySide(subject, focus))
	}
	switch {
	case found && sideBySide(subject, focus) && extra(subject) <= len(focus):
		return 1
	case found && sideBySide(subject, focus):
		return 0.6
	case found && instance(u, len(subject)) && sideBySide(follows(u, len(subject), len(focus)), focus): // "A mule is a hybrid"
		return 0.3
	case found && sideBySide(follows(u, len(subject), len(focus)), focus): // "Paris is the capital of France"
		return 0.5
	case names(u, focus):
		return 0.5
	}
	return 0
}

// inPassing reports whether u says what focus is beside something else: "a
// tsunami, which is a long wave".
func inPassing(u *unit, focus []term) bool {
	for i := len(focus); i+2 < len(u.words); i++ {
		next := u.words[i+2].fold
		if u.words[i].fold == "which" && copulas[u.words[i+1].fold] && (next == "a" || next == "an" || next == "the") {
			return sideBySide(u.words[i-len(focus):i], focus)
		}
	}
	return false
}

// instance reports whether the verb at place n goes on with "a": the sentence
// names one of a kind, and does not say what the kind is.
func instance(u *unit, n int) bool {
	return n+1 < len(u.words) && (u.words[n+1].fold == "a" || u.words[n+1].fold == "an")
}

// defines is definition for a question that names several things at once too:
// an overview of acids and bases begins with what an acid is.
func defines(u *unit, focus []term, k kind) float64 {
	best := definition(u, focus)
	if k == overview && len(focus) > 1 {
		for i := range focus {
			best = max(best, 0.8*definition(u, focus[i:i+1]))
		}
	}
	return best
}

// follows returns the words right behind the verb at place n, as many as m
// words with two small ones between them take.
func follows(u *unit, n, m int) []word {
	from := min(n+1, len(u.words))
	return u.words[from:min(from+m+2, len(u.words))]
}

// tells reports whether the verb at place n only tells what happens to a thing
// or how it is: "is published", "is not", "is important".
func tells(u *unit, n int) bool {
	if n+1 >= len(u.words) {
		return true
	}
	next := u.words[n+1].fold
	return telling[next] || strings.HasSuffix(next, "ed")
}

var telling = setOf(`not also important always never only often usually really made given found shown taken slow still
	good bad easy hard possible impossible true false`)

// subjectOf returns the words before the verb of "X is …", or before the colon
// of "X: …".
func subjectOf(u *unit) ([]word, bool) {
	if head, _, ok := strings.Cut(strings.ReplaceAll(u.lines[0], "*", ""), ":"); ok && u.kind == point {
		if words := wordsOf(head); len(words) > 0 && len(words) <= 5 {
			return words, true
		}
	}
	for i, w := range u.words {
		if copulas[w.fold] && i > 0 {
			return u.words[:i], true
		}
		if i > 8 {
			break
		}
	}
	return nil, false
}

// extra counts the words that mean something.
func extra(words []word) int {
	n := 0
	for _, w := range words {
		if !stopWords[w.fold] {
			n++
		}
	}
	return n
}

// names reports whether u gives what focus says as a name: "… are called X".
func names(u *unit, focus []term) bool {
	for i, w := range u.words {
		if naming[w.fold] && sideBySide(follows(u, i, len(focus)), focus) {
			return true
		}
	}
	return false
}

var naming = setOf(`called named known`)
