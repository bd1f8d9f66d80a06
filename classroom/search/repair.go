package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"colloquy/classroom/text"
)

// A Repair says how a word that no passage holds was read.
type Repair struct {
	Typed string `json:"typed"`
	Read  string `json:"read"`
}

// A shortWord has fewer letters. Many words differ from another in one letter, so that one is
// repaired only where a letter was left out or swapped.
const shortWord = 6

const (
	leastRepaired  = 5   // letters of the shortest word that is repaired
	mostRepaired   = 40  // and of the longest
	repairedWeight = 0.9 // of a repaired word
)

// repair reads the words of a question that no passage holds as words of the class that
// are spelt alike. A question in another language than the passages is not misspelt.
func (x *Index) repair(question string, words []word, staff bool) []Repair {
	var out []Repair
	if l := text.Language(question); l != "" && !slices.Contains(x.languages, l) && len(x.languages) > 0 {
		return nil
	}
	for i := range words {
		w := &words[i]
		if w.known || w.before || w.weight < 1 {
			continue
		}
		read, ok := x.nearest(w.folded)
		if !ok {
			continue
		}
		forms := x.formsOf(read)
		if !x.isKnown(forms, staff) {
			continue
		}
		w.forms, w.known, w.weight = forms, true, repairedWeight
		out = append(out, Repair{Typed: w.typed, Read: read})
	}
	return out
}

// nearest returns the word of the class that is spelt most like another, and false if
// none is like it.
func (x *Index) nearest(folded string) (string, bool) {
	n := utf8.RuneCountInString(folded)
	if n < leastRepaired || n > mostRepaired || strings.ContainsAny(folded, "0123456789") {
		return "", false
	}
	letters := []rune(folded)
	shared := map[string]int{}
	for _, t := range trigrams(folded) {
		for _, w := range x.read()[t] {
			shared[w]++
		}
	}
	best, bestEdits, bestCount := "", allowedEdits(n)+1, 0
	short := n < shortWord
	for w, common := range shared {
		other := []rune(w)
		unlike := common < 2 && n > 5 || other[0] != letters[0] && n < 7
		unlike = unlike || short && len(other) <= n && !sameLetters(letters, other)
		if unlike || abs(len(other)-n) > bestEdits {
			continue
		}
		edits, count := distance(letters, other), x.words()[w]
		more := count > bestCount || count == bestCount && w < best
		if edits < bestEdits || edits == bestEdits && best != "" && more {
			best, bestEdits, bestCount = w, edits, count
		}
	}
	return best, best != ""
}

func sameLetters(a, b []rune) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// allowedEdits is how many letters of a word with n letters may be wrong.
func allowedEdits(n int) int {
	switch {
	case n < 8:
		return 1
	case n < 12:
		return 2
	}
	return 3
}

// trigrams returns the groups of three letters of a word, with its beginning and its end.
func trigrams(w string) []string {
	letters := []rune("^" + w + "$")
	var out []string
	for i := range len(letters) - 2 {
		t := string(letters[i : i+3])
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func byTrigram(words map[string]int) map[string][]string {
	out := map[string][]string{}
	for w := range words {
		if n := utf8.RuneCountInString(w); n < leastRepaired-1 || n > mostRepaired {
			continue
		}
		for _, t := range trigrams(w) {
			out[t] = append(out[t], w)
		}
	}
	return out
}

// distance returns the number of letters that are added, left out, replaced or swapped
// with their neighbour between two words (optimal string alignment).
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func abs(n int) int { return max(n, -n) }
