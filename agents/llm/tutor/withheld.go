package tutor

import (
	"regexp"
	"slices"
	"strings"
)

// Withheld is what the class's rules keep back.
type withheld []secret

// A secret is one phrase of the rule. A paragraph gives it away when it holds
// all its words. A solution may stand apart from the exercise that it is named
// after, so there the whole passage counts.
type secret struct {
	stems []string
	wide  bool
}

var (
	breaks = regexp.MustCompile(`[,;\n]|\.\s|\.$`)
	joints = regexp.MustCompile(`(?i)\s+(?:and|or)\s+`)
	inside = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|«([^»]+)»`)
)

// instructing are the words of the rule itself: "never give away the answer to …".
var instructing = setOf(`give gives giving away never say mention reveal tell show answer answers solution solutions result results
	word words term terms name names formula definition explanation explain meaning value proof example examples directly
	yet pupils students pupil student class keep secret withhold hide don't please`)

var wideWords = setOf(`answer answers solution solutions result results proof value`)

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
	var stems []string
	wide := false
	for _, x := range wordsOf(phrase) {
		switch {
		case stopWords[x.fold]:
		case instructing[x.fold]:
			wide = wide || wideWords[x.fold]
		default:
			stems = append(stems, x.stem)
		}
	}
	if len(stems) == 0 {
		return w
	}
	return append(w, secret{stems, wide})
}

// in reports whether the words give something away.
func (w withheld) in(words []word) bool {
	for _, s := range w {
		if holdsAll(words, s.stems) {
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

// hide marks the units of p that give something away.
func (w withheld) hide(p *passage) {
	if len(w) == 0 {
		return
	}
	blocks := map[int][]word{}
	for _, u := range p.units {
		blocks[u.block] = append(blocks[u.block], u.words...)
	}
	all := append(wordsOf(p.Text), p.above...)
	for _, s := range w {
		for _, u := range p.units {
			near := append(slices.Clone(p.above), blocks[u.block]...)
			u.hidden = u.hidden || holdsAll(near, s.stems) || s.wide && holdsAll(all, s.stems)
		}
	}
}

// guards reports whether a line of text gives something away.
func (w withheld) guards(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if w.in(wordsOf(line)) {
			return true
		}
	}
	return false
}
