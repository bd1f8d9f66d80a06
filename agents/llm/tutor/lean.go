package tutor

import (
	"regexp"
	"slices"
	"strings"
)

// Words that mostly stand in sentences that speak against something, in those
// that limit what they say, and in those that support it. They say nothing of
// the claim itself.
var (
	harmCue    = regexp.MustCompile(`\b(disadvantages?|drawbacks?|costs?|slow|slows|worst|shortages?|surplus|harms?|harmful|dangers?|dangerous|risks?|damages?|problems?|fails?|failed|unfair|wrong|errors?|unpopular|died|destroys?)\b`)
	limitCue   = regexp.MustCompile(`\b(but|however|although|though|only|not|no|never|cannot|nobody|depends?|limits?|limited|unless|without|little|whereas|while|less|lowers?|mistakes?)\b`)
	supportCue = regexp.MustCompile(`\b(because|therefore|thus|so|important|importance|useful|needed|necessary|advantages?|benefits?|better|helps?|protects?|supplies|saves?|faster|easy|easier|free|equal|affordable|worth while|good reasons?|makes? it possible|almost all|nearly all|always)\b`)
	errorCue   = regexp.MustCompile(`(?i)\b(?:it is (?:a (?:common )?mistake|wrong) to (?:say|think|believe)|there is no evidence) that\b`)
	adviceCue  = regexp.MustCompile(`(?i)\bmistakes? (?:is )?to\b`)
	negated    = regexp.MustCompile(`(?i)\b(?:not|no|never|\pL+n['’]t)\b`)
	openCue    = regexp.MustCompile(`(?i)\b(disagree|depends? on|debated?|disputed|not (?:yet )?known|unclear|controversial|open question|opinions? differ)\b`)
)

// Leanings are what one side of a debate looks for.
type leanings struct {
	pro    bool
	motion []term
	denies bool // the motion itself says that something is not so
}

// weight says how much m speaks against the motion (above 0) or for it (below
// 0). A "but" or a "because" counts only where m speaks of the motion itself,
// and not its heading alone.
func (s leanings) weight(m match) float64 {
	lower := strings.ToLower(plainEmphasis(m.lines[0]))
	w, held := count(harmCue, lower), s.held(m)
	if held >= 0.5 {
		w += count(limitCue, lower) - count(supportCue, lower)
	}
	if s.denied(m) {
		return map[bool]float64{false: 4, true: -4}[s.denies]
	}
	return w
}

// comparing are words of a motion that a passage need not have to speak of it.
var comparing = setOf(`better worse best worst good bad right wrong should`)

// leaning is what one side looks for in the motion of this debate.
func (l *lesson) leaning(pro bool) leanings {
	motion := slices.DeleteFunc(slices.Clone(l.question.own()), func(t term) bool { return comparing[t.fold] })
	return leanings{pro, motion, negated.MatchString(l.asked)}
}

// held is the share of the motion's words that m itself has.
func (s leanings) held(m match) float64 {
	n := 0.0
	for _, t := range s.motion {
		n += truth(m.has(t) > 0)
	}
	return n / float64(max(len(s.motion), 1))
}

// denied reports whether m calls a mistake what the motion claims.
func (s leanings) denied(m match) bool {
	return errorCue.MatchString(m.lines[0]) && len(s.motion) > 1 && s.held(m) == 1
}

func count(cue *regexp.Regexp, text string) float64 {
	return float64(min(3, len(cue.FindAllString(text, -1))))
}

// sort keeps what serves the side, the strongest first. A side without such a
// sentence may weigh in with a figure, but not with one that serves the other.
func (s leanings) sort(ms []match) []match {
	var own, figures []match
	for _, m := range ms {
		w := s.weight(m)
		switch {
		case openCue.MatchString(m.lines[0]): // it is nobody's: the moderator has it
		case adviceCue.MatchString(m.lines[0]) && !s.denied(m): // that mistake is another one
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
	return []string{"Against the motion our materials say:", "Our materials also set a limit:", "There is one more thing to set against it:"}
}
