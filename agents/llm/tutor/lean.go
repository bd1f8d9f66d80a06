package tutor

import (
	"regexp"
	"strings"
)

// Words that mostly stand in sentences that limit a claim, and in those that
// support one. They say nothing of the claim itself.
var (
	limitCue   = regexp.MustCompile(`\b(but|however|although|though|only|not|no|never|cannot|nobody|depends?|disadvantages?|drawbacks?|costs?|limits?|limited|slow|slows|worst|shortages?|surplus|harms?|harmful|dangers?|dangerous|risks?|damages?|problems?|fails?|failed|unfair|wrong|mistakes?|errors?|unless|without|little|unpopular|whereas|while|less|lowers?|disagree|executed|died)\b`)
	supportCue = regexp.MustCompile(`\b(because|therefore|thus|so|important|importance|useful|needed|necessary|advantages?|benefits?|better|best|helps?|protects?|supplies|saves?|faster|easy|easier|free|equal|affordable|worth while|good reasons?|makes? it possible|almost all|nearly all|always)\b`)
	errorCue   = regexp.MustCompile(`(?i)\b(it is a mistake|it is wrong|there is no evidence|a common mistake)\b`)
	openCue    = regexp.MustCompile(`(?i)\b(disagree|depends? on|debated?|disputed|not (?:yet )?known|unclear|controversial|open question|opinions? differ)\b`)
)

// Leanings are what one side of a debate looks for.
type leanings struct{ pro bool }

// weight says how much m limits (above 0) or supports (below 0) a claim.
func (s leanings) weight(m match) float64 {
	lower := strings.ToLower(plainEmphasis(m.lines[0]))
	limits := len(limitCue.FindAllString(lower, -1))
	supports := len(supportCue.FindAllString(lower, -1))
	w := float64(min(limits, 3) - min(supports, 3))
	if errorCue.MatchString(lower) {
		w += 3
	}
	return w
}

// sort keeps what serves the side, the strongest first. A side without such a
// sentence may weigh in with a figure, but not with one that serves the other.
func (s leanings) sort(ms []match) []match {
	var own, figures []match
	for _, m := range ms {
		w := s.weight(m)
		switch {
		case openCue.MatchString(m.lines[0]): // it is nobody's: the moderator has it
		case s.pro && w < 0, !s.pro && w > 0:
			m.score += 0.15 * min(3, max(w, -w))
			own = append(own, m)
		case !s.pro && w == 0 && s.figureOnly(m):
			figures = append(figures, m)
		}
	}
	return append(byScore(own), figures...)
}

// figureOnly reports whether m speaks by a number alone.
func (s leanings) figureOnly(m match) bool {
	return !s.pro && s.weight(m) == 0 && numberCue.MatchString(dateCue.ReplaceAllString(m.lines[0], ""))
}

// leads come before the passage.
func (s leanings) leads() []string {
	if s.pro {
		return []string{"For the motion I read from our materials:", "What speaks for the motion is also this:", "And there is one more thing for it:"}
	}
	return []string{"But our materials also say:", "That has its limits, as our materials show:", "There is one more thing to set against it:"}
}
