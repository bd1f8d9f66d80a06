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
	mostlyCue = regexp.MustCompile(`\b(usually|often|mostly|mainly|most|normally|sometimes)\b`)
	alwaysCue = regexp.MustCompile(`\b(always|never|only|all|every|exactly|must)\b`)
)

// wonder is the classmate's question about a passage.
func (l *lesson) wonder() string {
	switch {
	case l.barred:
		return l.byRole(phrases.withheldShort)
	case l.spent:
		return l.byRole(phrases.spentShort)
	case l.level == nothing:
		return "I found nothing about " + inQuotes(l.lookedFor()) + " in our materials. I would look it up in an encyclopedia next."
	}
	m, ask := l.puzzle()
	if ask == "" {
		return l.byRole(phrases.spentShort)
	}
	return "I read this in *" + label(title(m.from.Material)) + "*: “" + plainEmphasis(m.lines[0]) + "” " + ask
}

// puzzle finds the sentence to ask about: one with a term that nobody has
// explained, or else one that a sharp question fits, or else the best.
func (l *lesson) puzzle() (best match, ask string) {
	terms := l.strangeTerms()
	candidates := l.candidates()
	for _, m := range candidates {
		if t := unknownIn(m, terms); t != "" {
			return m, "What exactly does “" + label(t) + "” mean here?"
		}
	}
	for _, m := range candidates {
		q, sharp := wondering(m)
		if sharp {
			return m, q
		}
		if ask == "" {
			best, ask = m, q
		}
	}
	return best, ask
}

// candidates are the sentences short and clear enough to ask about.
func (l *lesson) candidates() []match {
	var out []match
	for _, m := range l.ranked {
		if len(out) == 10 || m.score < 0.4*l.ranked[0].score {
			break
		}
		if (m.kind == sentence || m.kind == point) && len(m.lines) == 1 && strings.HasSuffix(m.lines[0], ".") && !m.dangles() && len(m.words) <= 40 && !m.from.aside() && !m.from.worked() {
			out = append(out, m)
		}
	}
	return out
}

// strangeTerms are the terms that the passages define and nobody has explained yet.
func (l *lesson) strangeTerms() []keyTerm {
	explained := l.explained()
	var out []keyTerm
	for _, m := range l.ranked {
		if m.kind != sentence {
			continue
		}
		for _, t := range termsIn(m) {
			if !explained[t.key] {
				out = append(out, t)
			}
		}
	}
	return out
}

// unknownIn returns a term that m uses and another sentence defines.
func unknownIn(m match, terms []keyTerm) string {
	for _, t := range terms {
		words := wordsOf(t.name)
		stems := make([]term, len(words))
		for i, w := range words {
			stems[i] = term{word: w}
		}
		if t.from.unit != m.unit && sideBySide(m.words, stems) {
			return t.name
		}
	}
	return ""
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
		return "What would be different if that were not so?", true
	case mostlyCue.MatchString(lower):
		return "Does that mean there are exceptions?", true
	case alwaysCue.MatchString(lower):
		return "Does that mean there is no exception at all?", true
	case orderCue.MatchString(lower):
		return "Does that mean the order matters?", true
	case strings.ContainsFunc(dateCue.ReplaceAllString(line, ""), unicode.IsDigit):
		return "How do people know that number?", true
	case dateCue.MatchString(line):
		return "What had happened just before?", true
	}
	return "Does that mean it is the same in every case?", false
}
