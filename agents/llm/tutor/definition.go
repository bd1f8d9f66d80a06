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
	switch {
	case found && sideBySide(subject, focus) && extra(subject) <= len(focus):
		return 1
	case found && sideBySide(subject, focus):
		return 0.6
	case found && sideBySide(u.words[len(subject):], focus):
		return 0.5
	case sideBySide(u.words, focus) && namedIn(u):
		return 0.5
	}
	return 0
}

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

// namedIn reports whether u gives something its name: "… are called X".
func namedIn(u *unit) bool {
	for _, w := range u.words {
		if w.fold == "called" || w.fold == "named" || w.fold == "known" {
			return true
		}
	}
	return false
}
