package tutor

import (
	"regexp"
	"strings"
)

var (
	effectFirst = regexp.MustCompile(`\b(because|since|so that|in order to|due to|caused by|as a result of|(?:happens?|occurs?|arises?|forms?) when)\b`)
	causeFirst  = regexp.MustCompile(`, so\b|\b(therefore|that is why|this is why|which is why)\b`)
)

// reasons says how well u gives the reason of what focus names: the words must
// stand in the part that is explained, and not in the explanation.
func reasons(u *unit, lower string, focus []term) float64 {
	if !reasonCue.MatchString(lower) {
		return 0
	}
	effect := lower
	if at := effectFirst.FindStringIndex(lower); at != nil {
		effect = lower[:at[0]]
		if len(wordsOf(effect)) == 0 {
			_, effect, _ = strings.Cut(lower, ",") // "Because …, …"
		}
	} else if at := causeFirst.FindStringIndex(lower); at != nil {
		effect = lower[at[1]:]
	}
	if u.kind == wholeList {
		effect = u.lines[0]
	}
	words := wordsOf(effect)
	hit, all := 0.0, 0.0
	for _, t := range focus {
		hit, all = hit+t.weight*inWords(words, t), all+t.weight
	}
	if hit < 0.5*all {
		return 0.3
	}
	return 1
}

// compares says how well u sets what focus names side by side.
func compares(u *unit, lower string, focus []term) float64 {
	both, one := 0, 0.0
	for i, t := range focus {
		both += int(truth(u.has(t) > 0))
		one = max(one, 0.5*definition(u, focus[i:i+1]))
	}
	switch {
	case u.kind == wholeList || both < min(2, len(focus)):
		return one
	case u.kind == wholeTable:
		return 1
	case unlikeCue.MatchString(lower):
		return 0.8
	}
	return one
}
