package store

import (
	"slices"
	"strings"
	"unicode"
)

// markNames finds names of several words ("Calvin Cycle", "First World War"):
// what is told of the first war is no answer to a question about that one. A
// query all in capitals has no names, nor has one in a language that writes
// its nouns with them.
func markNames(terms []term, query string) {
	fields := strings.Fields(query)
	if !slices.ContainsFunc(fields, startsSmall) || isGerman(words(query)) {
		return
	}
	next := 1
	var run []int
	end := func() {
		if len(run) > 1 {
			for _, i := range run {
				terms[i].name = next
			}
			next++
		}
		run = nil
	}
	for _, field := range fields {
		at := termOf(terms, field)
		if at < 0 || terms[at].asking || !startsCapital(field) || slices.Contains(run, at) {
			end()
			continue
		}
		run = append(run, at)
		if last := []rune(field)[len([]rune(field))-1]; !inWord(last) {
			end() // a comma or a full stop
		}
	}
	end()
}

// termOf returns the place of the term that a field of the query begins with,
// or -1.
func termOf(terms []term, field string) int {
	in := words(field)
	if len(in) == 0 {
		return -1
	}
	return slices.IndexFunc(terms, func(t term) bool { return t.forms[0] == in[0] && t.name == 0 })
}

func startsSmall(field string) bool { return unicode.IsLower([]rune(field)[0]) }

func startsCapital(field string) bool {
	r := []rune(strings.TrimLeftFunc(field, func(r rune) bool { return !inWord(r) }))
	return len(r) > 0 && unicode.IsUpper(r[0])
}
