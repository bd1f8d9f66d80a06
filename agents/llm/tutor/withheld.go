package tutor

import (
	"regexp"
	"strings"
)

// Withheld is what the class's rules keep back: each entry holds the stems of
// one phrase. A text gives it away when it holds all of them.
type withheld [][]string

var (
	breaks = regexp.MustCompile(`[,;\n]|\.\s|\.$`)
	joints = regexp.MustCompile(`(?i)\s+(?:and|or)\s+`)
	inside = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|«([^»]+)»`)
)

// instructing are the words of the rule itself: "never give away the answer to …".
var instructing = setOf(`give gives giving away never say mention reveal tell show answer answers solution solutions result results
	word words term terms name names formula definition explanation explain meaning value proof example examples directly
	yet pupils students pupil student class keep secret withhold hide don't please`)

func readWithheld(rule string) withheld {
	var out withheld
	for _, m := range inside.FindAllStringSubmatch(rule, -1) {
		out = out.add(m[1] + m[2] + m[3])
	}
	for _, part := range breaks.Split(inside.ReplaceAllString(rule, ","), -1) {
		if len(strings.Fields(part)) > 8 {
			out = out.add(part)
			continue
		}
		for _, p := range joints.Split(part, -1) {
			out = out.add(p)
		}
	}
	return out
}

func (w withheld) add(phrase string) withheld {
	var stems, rest []string
	for _, x := range wordsOf(phrase) {
		switch {
		case stopWords[x.fold]:
		case instructing[x.fold]:
			rest = append(rest, x.stem)
		default:
			stems = append(stems, x.stem)
		}
	}
	if len(stems) == 0 && len(rest) == 1 {
		stems = rest // a rule of one word, "solutions", means that word
	}
	if len(stems) == 0 {
		return w
	}
	return append(w, stems)
}

// in reports whether the words give something away.
func (w withheld) in(words ...word) bool {
	for _, phrase := range w {
		if holdsAll(words, phrase) {
			return true
		}
	}
	return false
}

func holdsAll(words []word, stems []string) bool {
	for _, s := range stems {
		found := false
		for _, x := range words {
			if found = likeness(x.stem, s) > 0; found {
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// split parts the passages that may be quoted from those that give something away.
func (w withheld) split(passages []*passage) (kept []*passage, left int) {
	for _, p := range passages {
		if w.in(append(wordsOf(p.Text), p.above...)...) {
			left++
			continue
		}
		kept = append(kept, p)
	}
	return kept, left
}

// guards reports whether a line of text gives something away.
func (w withheld) guards(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if w.in(wordsOf(line)...) {
			return true
		}
	}
	return false
}
