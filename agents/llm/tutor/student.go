package tutor

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	converse  = regexp.MustCompile(`^(An?) ([^,;:]{2,60}?) is an? ([^;:]{8,140})\.$`)
	confines  = regexp.MustCompile(`\b(that|which|who|whose|with|in which|for which)\b`)
	orderCue  = regexp.MustCompile(`\b(first|then|next|finally|after|before)\b`)
	mostlyCue = regexp.MustCompile(`\b(usually|often|mostly|mainly|most|nearly|almost|normally|sometimes|about)\b`)
	alwaysCue = regexp.MustCompile(`\b(always|never|only|all|every|exactly|must)\b`)
)

// wonder is the classmate's question about a passage.
func (l *lesson) wonder() string {
	switch {
	case l.level == nothing && l.left > 0:
		return l.byRole(phrases.withheldShort)
	case l.spent:
		return l.byRole(phrases.spentShort)
	case l.level == nothing:
		return "I found nothing about " + inQuotes(l.lookedFor()) + " in our materials. I would look it up in an encyclopedia next."
	}
	best, ask := match{}, ""
	for i, m := range l.ranked {
		if i == 12 || m.score < 0.4*l.ranked[0].score {
			break
		}
		if m.kind != sentence && m.kind != point || len(m.lines) > 1 || m.dangles() || len(m.words) > 40 {
			continue
		}
		if q, sharp := wondering(m); ask == "" || sharp && !strings.Contains(ask, "Does that mean") {
			best, ask = m, q
			if sharp {
				break
			}
		}
	}
	if ask == "" {
		return l.byRole(phrases.spentShort)
	}
	return "I read in " + best.from.source() + ": “" + plainEmphasis(best.lines[0]) + "” " + ask
}

// wondering asks about a sentence with its own words. Sharp ones fit what the
// sentence says; the others fit any sentence.
func wondering(m match) (ask string, sharp bool) {
	line := plainEmphasis(m.lines[0])
	lower := strings.ToLower(line)
	if c := converse.FindStringSubmatch(line); c != nil && confines.MatchString(c[3]) {
		return "Does that mean every " + c[3] + " is " + strings.ToLower(c[1]) + " " + c[2] + "?", true
	}
	switch {
	case strings.Contains(lower, " because "):
		return "Does that mean it would be different without that reason?", true
	case mostlyCue.MatchString(lower):
		return "Does that mean there are exceptions? Which ones?", true
	case alwaysCue.MatchString(lower):
		return "Does that mean there is no exception at all?", true
	case orderCue.MatchString(lower):
		return "Does that mean the order matters?", true
	case strings.ContainsFunc(line, unicode.IsDigit):
		return "How do people know that number?", true
	}
	return "Does that mean it is the same in every case?", false
}
