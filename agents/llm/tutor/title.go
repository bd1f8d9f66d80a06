package tutor

import (
	"regexp"
	"slices"
	"strings"
)

// content returns the words that a heading and a question can share: light
// ones too, because "made" is half of "How a law is made".
func content(text string) []word {
	var out []word
	for _, w := range wordsOf(text) {
		if !stopWords[w.fold] && !kindWords[w.fold] && !slices.ContainsFunc(out, func(o word) bool { return o.stem == w.stem }) {
			out = append(out, w)
		}
	}
	return out
}

// same reports whether a heading says nearly the same as the question.
func (q question) same(heading string) bool {
	theirs, mine := content(heading), 0
	both := 0
	for _, t := range q.terms {
		if t.own {
			mine++
			both += int(truth(inWords(theirs, t) > 0))
		}
	}
	return both > 0 && 10*2*both >= 8*(mine+len(theirs))
}

// answeredBy reports whether the material or the section of p is named like the question.
func (q question) answeredBy(p *passage) bool {
	sections := strings.Split(p.Section, "›")
	return q.same(title(p.Material)) || q.same(sections[len(sections)-1])
}

// focused drops what other materials happen to say with one of the words, if
// one material is named like the question.
func (q question) focused(passages []*passage) []*passage {
	meant := map[string]bool{}
	for _, p := range passages {
		if q.answeredBy(p) {
			meant[p.Material] = true
		}
	}
	if len(meant) == 0 || q.kind == compare {
		return passages
	}
	var out []*passage
	for _, p := range passages {
		if meant[p.Material] || q.shared(p) > 1 {
			out = append(out, p)
		}
	}
	return out
}

// shared counts the words of the question that p holds.
func (q question) shared(p *passage) int {
	n := 0
	words := append(wordsOf(p.Text), p.above...)
	for _, t := range q.terms {
		n += int(truth(t.own && inWords(words, t) > 0))
	}
	return n
}

var stepLine = regexp.MustCompile(`^\s*\d+[.)]\s`)

// wantsSteps reports whether a material is named like a question that asks how
// something goes, and nothing that was found takes it step by step.
func (s *scene) wantsSteps() bool {
	if s.question.kind != how || len(s.question.own()) != 1 || len(s.question.terms) < 2 {
		return false
	}
	titled := false
	for _, p := range s.found[0].Passages {
		titled = titled || s.question.same(title(p.Material))
		for line := range strings.Lines(p.Text) {
			if stepLine.MatchString(line) {
				return false
			}
		}
	}
	return titled
}

func (s *scene) stepsQuery() string { return s.question.query() + " steps" }

// together puts the passages of two searches one after the other, each once.
func together(first, second []*passage) []*passage {
	out := joint(first, second)
	return out[:min(len(out), maxPassages)]
}

// addressed reports whether text speaks to name: "@Mina …", "Mina, …", "…, Mina?".
func addressed(text, name string) bool {
	if name == "" {
		return false
	}
	text = strings.TrimSpace(text)
	for _, n := range []string{name, strings.Fields(name + " x")[0]} {
		if at := strings.Index(strings.ToLower(text), "@"+strings.ToLower(n)); at >= 0 {
			rest := text[min(len(text), at+1+len(n)):]
			if len(rest) == 0 || !inWord([]rune(rest)[0]) {
				return true
			}
		}
	}
	_, ok := cutName(text, name)
	return ok
}
