package tutor

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"colloquy/agents/llm"
)

// A search gives passages by how well they fit and not in the order of their
// text. But it also gives what stands around the best of them: so a search for
// words that only one passage has finds the one that follows it.

// maxSteps is how many such searches one lecture may make.
const maxSteps = 24

// route is the order in which the passages are read, as far as it is known:
// from the one that opens the topic on, then the other ones on the topic. It
// ends where a search is needed to know what follows.
func (l *lesson) route() []*passage {
	at := l.start()
	if at == nil {
		return nil
	}
	seen := []*passage{at}
	for {
		next := l.after(at, seen)
		if next == nil && l.walking(at) && len(l.walks) < maxSteps {
			return seen
		}
		if next == nil {
			next = l.apartFrom(seen)
		}
		if next == nil {
			break
		}
		seen, at = append(seen, next), next
	}
	for _, m := range l.ranked {
		if !slices.Contains(seen, m.from) && !m.from.aside() && !m.from.worked() && m.cover >= enough {
			seen = append(seen, m.from)
		}
	}
	return seen
}

// apartFrom is another passage of the same material on the topic, for where
// nothing is known to follow. Examples come last.
func (l *lesson) apartFrom(seen []*passage) *passage {
	home := l.home()
	whole := l.question.same(title(home))
	var example *passage
	for _, m := range l.ranked {
		switch {
		case m.from.Material != home || m.from.aside() || slices.Contains(seen, m.from) || !whole && m.cover < atLeast:
		case !m.from.worked():
			return m.from
		case whole && example == nil:
			example = m.from
		}
	}
	return example
}

// walk is the search that finds the next passage, if the part needs it.
func (l *lesson) walk() (string, bool) {
	if len(l.walks) >= maxSteps || l.act.StageRole != llm.StageLecture {
		return "", false
	}
	if q := l.firstWords(); q != "" {
		return q, true
	}
	route, left := l.route(), 0
	for _, p := range route {
		left += l.wordsLeft(p)
	}
	if len(route) == 0 || left > mostPart || !l.walking(route[len(route)-1]) {
		return "", false // there is more than the part takes, or no more
	}
	return l.mark(route[len(route)-1]), true
}

func (l *lesson) wordsLeft(p *passage) int {
	return sizeOf(l.readable(p))
}

// walking reports whether what follows p was not searched for yet.
func (l *lesson) walking(p *passage) bool {
	mark := l.mark(p)
	return mark != "" && !slices.ContainsFunc(l.walks, func(f findings) bool { return f.Query == mark || l.headedBy(f, p) })
}

// headedBy reports whether p is the best that f found, in a search for what
// stands around it. A search for a word of the title finds other things.
func (l *lesson) headedBy(f findings, p *passage) bool {
	return len(f.Passages) > 0 && l.known(f.Passages[0]) == p && !allIn(wordsOf(f.Query), wordsOf(title(p.Material)))
}

func allIn(words, others []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool { return inWords(others, term{word: w}) == 0 })
}

// start is the passage that opens the topic: the one that is named like it or
// says what it is, or else the best.
func (l *lesson) start() *passage {
	if p := l.firstPassage(); p != nil {
		return p
	}
	for _, m := range byScore(slices.Concat(l.ranked, l.heard)) {
		if m.from.Material == l.home() && !m.from.aside() && !m.from.worked() {
			return m.from
		}
	}
	return nil
}

var whatIs = regexp.MustCompile(`(?i)^what (?:is|are|was|were) `)

// firstPassage is the one that a material seems to begin with, where the topic is
// the whole of it: one without a heading, or one that says what the first word
// of its title is.
func (l *lesson) firstPassage() *passage {
	home := l.home()
	if !l.question.same(title(home)) {
		return nil
	}
	var best *passage
	most := 0.0
	for _, p := range l.passages {
		if worth := p.opens(title(home)); p.Material == home && worth > most {
			best, most = p, worth
		}
	}
	return best
}

// opens says how much p looks like the beginning of a material of that title.
func (p *passage) opens(title string) float64 {
	words := wordsOf(title)
	sections := strings.Split(p.Section, "›")
	heading := strings.TrimSpace(sections[len(sections)-1])
	switch {
	case heading == "" || keyOf(heading) == keyOf(title):
		return 4
	case !whatIs.MatchString(heading) || !onlyOf(heading, words):
		return 0
	}
	subject := p.head.strong()
	at := slices.IndexFunc(words, func(w word) bool { return inWords([]word{w}, subject[0]) > 0 })
	says := slices.ContainsFunc(p.units, func(u *unit) bool { return definition(u, subject) == 1 })
	return 1/float64(1+max(at, 0)) + truth(p.head.same(title)) + 0.1*truth(says)
}

// firstWords are searches for that passage, one after the other.
func (l *lesson) firstWords() string {
	if l.act.Round > 1 || l.firstPassage() != nil || !l.question.same(title(l.home())) {
		return ""
	}
	strong := parse(title(l.home()), nil).strong()
	if len(strong) == 0 || len(l.walks) >= min(2, len(strong)) {
		return ""
	}
	return strong[len(l.walks)*(len(strong)-1)].text
}

// after finds what follows p among what stands around it. Where both
// neighbours are new, the second of them is the one behind.
func (l *lesson) after(p *passage, seen []*passage) *passage {
	for _, f := range l.walks {
		if !l.headedBy(f, p) {
			continue
		}
		var around []*passage
		for _, o := range f.Passages {
			if q := l.known(o); q != nil && q != p && q.Material == p.Material && !q.aside() && !q.answers(f.Query) {
				around = append(around, q)
			}
		}
		around = around[:min(len(around), 2)]
		fresh := slices.DeleteFunc(slices.Clone(around), func(q *passage) bool { return slices.Contains(seen, q) })
		switch {
		case len(fresh) == 0:
			return nil
		case len(fresh) == 2 && p != l.firstPassage():
			return fresh[1]
		}
		return fresh[0]
	}
	return nil
}

// answers reports whether a search for mark finds p by its words.
func (p *passage) answers(mark string) bool {
	n, words, asked := 0, append(wordsOf(p.Text), p.above...), wordsOf(mark)
	for _, w := range asked {
		n += int(truth(inWords(words, term{word: w}) > 0))
	}
	return n >= min(2, len(asked))
}

// known is the passage of the lesson that is the same as o.
func (l *lesson) known(o *passage) *passage {
	for _, p := range l.passages {
		if p.Material == o.Material && strings.TrimSpace(p.Text) == strings.TrimSpace(o.Text) {
			return p
		}
	}
	return nil
}

// mark is a search that only p answers: three of its words that no other known
// passage has.
func (l *lesson) mark(p *passage) string {
	var out []string
	for _, w := range content(p.Text) {
		if utf8.RuneCountInString(w.fold) >= 5 && !lightWords[w.fold] && inWords(p.above, term{word: w}) == 0 && !l.elsewhere(p, w) {
			out = append(out, w.text)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(out[:min(3, len(out))], " ")
}

// elsewhere reports whether another passage has w.
func (l *lesson) elsewhere(p *passage, w word) bool {
	return slices.ContainsFunc(l.passages, func(o *passage) bool {
		return o != p && slices.ContainsFunc(o.units, func(u *unit) bool { return u.has(term{word: w}) > 0 })
	})
}
