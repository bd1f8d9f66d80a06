package tutor

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	converse  = regexp.MustCompile(`^(An?) ([^,;:]{2,60}?) is an? ([^;:]{8,140})\.$`)
	confines  = regexp.MustCompile(`\b(that|which|who|whose|with|in which|for which)\b`)
	mostlyCue = regexp.MustCompile(`\b(usually|often|mostly|mainly|most|normally|sometimes)\b`)
	alwaysCue = regexp.MustCompile(`\b(always|never|every|exactly|must)\b`)
)

// wonder is the classmate's question about a passage.
func (l *lesson) wonder() string {
	switch {
	case l.barred:
		return l.byRole(phrases.withheldShort)
	case l.level == nothing && !l.spent:
		return l.toAdd()
	case l.named && l.mayTell():
		if text, ok := l.tell(); ok {
			return text
		}
	}
	m, ask := l.puzzle()
	if ask == "" {
		return l.thank()
	}
	return "I read this in *" + label(title(m.from.Material)) + "*: “" + plainEmphasis(m.lines[0]) + "” " + ask
}

// mayTell reports whether an answer takes nothing away from those who learn.
func (l *lesson) mayTell() bool { return l.stance != hints && l.stance != socratic }

// thank closes with what was learned.
func (l *lesson) thank() string {
	if strings.Contains(l.listed, keyOf(phrases.spentShort[2])) {
		return "I have it now, thank you."
	}
	for _, m := range l.fromTeacher() {
		line := plainEmphasis(m.lines[0])
		if at := strings.Index(line, " because "); at > 0 && m.fits && l.question.kind == why {
			return "So that is why " + l.midway(line[:at]) + ". " + phrases.spentShort[2]
		}
		subject, ok := subjectOf(m.unit)
		name := phrase(subject)
		if ok && m.kind == sentence && m.cover >= enough && nounPhrase(name) && l.level == direct && l.question.kind == define {
			return "So that is what " + l.midway(name) + " " + m.words[len(subject)].fold + ". " + phrases.spentShort[2]
		}
	}
	if subject := longest(l.question.own(), 1); l.level == direct && len(subject) > 0 {
		return "So that is what our materials say about " + inQuotes([]string{subject[0].text}) + ". " + phrases.spentShort[2]
	}
	return phrases.spentShort[2]
}

// midway writes the first word of a sentence as it stands inside one.
func (l *lesson) midway(text string) string {
	head, _, _ := strings.Cut(text, " ")
	lower := strings.ToLower(head)
	if stopWords[lower] {
		return lower + text[len(head):]
	}
	for _, p := range l.passages {
		for _, u := range p.units {
			for i, w := range u.words {
				if i > 0 && w.text == lower {
					return lower + text[len(head):]
				}
			}
		}
	}
	return text
}

// puzzle finds the sentence to ask about. What the teacher quoted comes first:
// a term in it that a passage explains and nobody has yet, then a question that
// fits the sentence; after that the same with other sentences about the question.
func (l *lesson) puzzle() (match, string) {
	terms := l.strangeTerms()
	for _, candidates := range [][]match{l.candidates(l.fromTeacher()), l.candidates(l.ranked), l.candidates(l.heard)} {
		for _, m := range candidates {
			if t := unknownIn(m, terms); t != "" {
				if q := "What exactly does “" + label(t) + "” mean here?"; l.fresh(q) {
					return m, q
				}
			}
		}
		for _, m := range candidates {
			if q := l.wondering(m); q != "" && l.fresh(q) && !strings.Contains(l.listed, m.key) {
				return m, q
			}
		}
	}
	return match{}, ""
}

// fromTeacher is what a teacher has quoted.
func (l *lesson) fromTeacher() []match {
	return slices.DeleteFunc(slices.Clone(l.heard), func(m match) bool { return !strings.Contains(l.taught, m.key) })
}

// fresh reports whether nobody has asked this yet.
func (l *lesson) fresh(ask string) bool { return !strings.Contains(l.said, keyOf(ask)) }

// candidates are the sentences short and clear enough to ask about.
func (l *lesson) candidates(from []match) []match {
	var out []match
	for i, m := range from {
		if len(out) == 10 || m.score < 0.4*from[0].score {
			break
		}
		if l.stance == hints && i == 0 && !strings.Contains(l.said, m.key) {
			continue // that would be the answer
		}
		if m.cover >= atLeast && (m.kind == sentence || m.kind == point) && len(m.lines) == 1 && strings.HasSuffix(m.lines[0], ".") && !m.dangles() && len(m.words) <= 40 && !m.from.aside() && !m.from.worked() {
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

// wondering asks about a sentence with its own words, or not at all.
func (l *lesson) wondering(m match) string {
	line := plainEmphasis(m.lines[0])
	lower := strings.ToLower(line)
	if c := converse.FindStringSubmatch(line); c != nil && confines.MatchString(c[3]) {
		return "Does that mean every " + c[3] + " is " + strings.ToLower(c[1]) + " " + c[2] + "?"
	}
	if at := strings.Index(lower, " because "); at > 0 && len(lower) == len(line) {
		if rest := strings.TrimSuffix(line[at+len(" because "):], "."); !strings.Contains(rest, "because") && len(wordsOf(rest)) >= 4 && len(rest) <= 140 && !pointers[wordsOf(rest)[0].fold] {
			return "And why is it that " + rest + "?"
		}
	}
	switch {
	case mostlyCue.MatchString(lower) && !strings.Contains(lower, " because "):
		return "Does that mean there are exceptions?"
	case alwaysCue.MatchString(lower):
		return "Does that mean there is no exception at all?"
	case strings.ContainsFunc(dateCue.ReplaceAllString(line, ""), unicode.IsDigit):
		return "How do people know that number?"
	case dateCue.MatchString(line):
		return "What had happened just before?"
	}
	return l.aboutSubject(m)
}

// aboutSubject asks about the thing that a sentence defines.
func (l *lesson) aboutSubject(m match) string {
	subject, ok := subjectOf(m.unit)
	if name := phrase(subject); ok && nounPhrase(name) && len(subject) > 0 && definesAs(m.unit, len(subject)) {
		if head := subject[0].fold; head == "a" || head == "an" {
			return "What would be an example of " + l.midway(name) + "?"
		}
		return "What would be different without " + l.midway(name) + "?"
	}
	return ""
}

// toAdd is the classmate's sentence where nothing was found: what is missing.
func (l *lesson) toAdd() string {
	return "A page about " + inQuotes(l.lookedFor()[:1]) + ", added under Materials, would help us here."
}
