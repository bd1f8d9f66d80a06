package tutor

import (
	"regexp"
	"slices"
	"strings"
)

const maxTries = 3

// nextQuery says what to search for, if a search is due.
func (s *scene) nextQuery() (string, bool) {
	n := len(s.found)
	tries := s.tries()
	switch {
	case n == 0:
	case s.found[n-1].failed:
		n = 0 // once more the same
		if len(s.found) > 1 {
			return "", false
		}
	case n == 1 && s.wantsSteps():
		return s.stepsQuery(), true
	case len(s.usable()) > 0:
		return "", false
	}
	if n >= len(tries) {
		return "", false
	}
	return tries[n], true
}

// tries lists the searches, each for when those before it found nothing: all
// words; the material that the question seems to mean; single words, which
// count only where a passage is about them.
func (s *scene) tries() []string {
	query := s.question.query()
	if query == "" {
		query = strings.Join(strings.Fields(first(s.question.text, maxQuery)), " ")
	}
	out := []string{query}
	if query == "" {
		return nil
	}
	if len(s.found) == 0 || s.found[0].failed {
		return out
	}
	if t := s.meant(s.found[0].Topics); t != "" && !strings.EqualFold(t, query) {
		return append(out, t)
	}
	own := s.question.own()
	if len(own) < 2 || s.question.kind == define {
		return out
	}
	if s.subjectFirst() {
		out = append(out, own[0].text)
	}
	for _, t := range longest(own, 2) {
		if !slices.Contains(out, t.text) && len(out) < maxTries {
			out = append(out, t.text)
		}
	}
	return out
}

var hasSubject = regexp.MustCompile(`(?i)\b(?:why|how|where|when) (?:do|does|did|is|are|was|were|can|could|will|has|have|had)\b`)

// subjectFirst reports whether the first strong word is what the question is
// about: "Why do volcanoes erupt?"
func (s *scene) subjectFirst() bool {
	return hasSubject.MatchString(s.question.text) && len(s.question.own()[0].fold) >= 4
}

// usable returns the passages of the last search. A search for a single word
// finds much that has nothing to do with the question, so there only passages
// about that word count, unless it is the question's subject.
func (s *scene) usable() []*passage {
	n := len(s.found)
	last := s.found[n-1]
	if n == 2 && strings.EqualFold(last.Query, s.stepsQuery()) {
		return together(last.Passages, s.found[0].Passages)
	}
	if n == 1 || s.found[0].failed || s.subjectFirst() && n == 2 && strings.EqualFold(last.Query, s.question.own()[0].text) {
		return last.Passages
	}
	return last.about()
}

// longest returns up to n terms of at least four letters, the longest first.
func longest(terms []term, n int) []term {
	out := slices.DeleteFunc(slices.Clone(terms), func(t term) bool { return len(t.fold) < 4 })
	slices.SortStableFunc(out, func(a, b term) int { return len(b.fold) - len(a.fold) })
	return out[:min(n, len(out))]
}

// about returns the passages whose heading or material is about what was
// searched for, and about nothing else.
func (f findings) about() []*passage {
	var out []*passage
	words := wordsOf(f.Query)
	for _, p := range f.Passages {
		sections := strings.Split(p.Section, "›")
		if onlyOf(sections[len(sections)-1], words) || onlyOf(title(p.Material), words) {
			out = append(out, p)
		}
	}
	return out
}

// onlyOf reports whether all strong words of a heading are among words.
func onlyOf(heading string, words []word) bool {
	strong := parse(heading, nil).strong()
	for _, t := range strong {
		if inWords(words, t) == 0 {
			return false
		}
	}
	return len(strong) > 0
}
