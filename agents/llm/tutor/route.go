package tutor

import (
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
// from the one that opens the topic on, then the other ones on the topic.
func (l *lesson) route() []*passage {
	at := l.start()
	if at == nil {
		return nil
	}
	seen := []*passage{at}
	for {
		next := l.after(at, seen)
		if next == nil {
			break
		}
		seen = append(seen, next)
		at = next
	}
	if l.walking(at) {
		return seen
	}
	for _, m := range l.ranked {
		if !slices.Contains(seen, m.from) && !m.from.aside() && !m.from.worked() && (m.from.Material == l.home() && m.cover >= atLeast || m.cover >= enough) {
			seen = append(seen, m.from)
		}
	}
	return seen
}

// walk is the search that finds the next passage, if the part needs it.
func (l *lesson) walk() (string, bool) {
	at := l.start()
	if at == nil || len(l.walks) >= maxSteps || l.act.Part != llm.Lectures {
		return "", false
	}
	seen, left := []*passage{}, 0
	for at != nil {
		seen = append(seen, at)
		left += l.wordsLeft(at)
		if left >= leastPart {
			return "", false
		}
		if l.walking(at) {
			return l.mark(at), true
		}
		at = l.after(at, seen)
	}
	return "", false
}

func (l *lesson) wordsLeft(p *passage) int {
	n := 0
	for _, m := range l.readable(p) {
		n += len(m.words)
	}
	return n
}

// walking reports whether what follows p was not searched for yet.
func (l *lesson) walking(p *passage) bool {
	mark := l.mark(p)
	return mark != "" && !slices.ContainsFunc(l.walks, func(f findings) bool { return f.Query == mark || l.headedBy(f, p) })
}

// headedBy reports whether p is the best that f found.
func (l *lesson) headedBy(f findings, p *passage) bool {
	return len(f.Passages) > 0 && l.known(f.Passages[0]) == p
}

// start is the passage that opens the topic: the one that is named like it or
// says what it is, or else the best.
func (l *lesson) start() *passage {
	home := l.home()
	var best *passage
	for _, m := range byScore(slices.Concat(l.ranked, l.heard)) {
		if m.from.Material != home || m.from.aside() || m.from.worked() {
			continue
		}
		if best == nil {
			best = m.from
		}
		if l.question.same(title(home)) && m.from.opening() {
			return m.from
		}
	}
	return best
}

// opening reports whether p seems to be the first of its material.
func (p *passage) opening() bool {
	sections := strings.Split(p.Section, "›")
	if len(sections) < 2 {
		return true
	}
	return p.head.kind == define && p.head.same(title(p.Material))
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
		case len(fresh) == 2 && !p.opening():
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
