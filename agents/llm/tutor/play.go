package tutor

import (
	"cmp"
	"slices"
	"strings"

	"colloquy/agents/llm"
)

// maxWider is how many searches beyond the question's own one turn may make.
const maxWider = 2

// play is the next step of a part: a search as long as one is due, then words.
func (s *scene) play() reply {
	if s.act.Mode == lecture {
		s.found = s.pool // a lecture goes on where the part before it ended
	}
	base, due, ok := s.based()
	switch {
	case ok:
		return reply{query: due}
	case s.found[base-1].failed:
		return reply{text: s.byRole(phrases.failed)}
	}
	l := s.rehearse(base)
	if q, ok := l.wider(len(s.found) - base); ok {
		return reply{query: q}
	}
	return reply{text: l.line()}
}

// based says how many of the results are those for the topic itself, or the
// search that is due for it.
func (s *scene) based() (n int, query string, due bool) {
	upTo := *s
	for n = range len(s.found) + 1 {
		upTo.found = s.found[:n]
		if query, due = upTo.nextQuery(); !due {
			return n, "", false
		}
	}
	return n, query, true
}

// rehearse makes the lesson of all that was found. What the wider searches
// found counts only beside something on the topic.
func (s *scene) rehearse(base int) *lesson {
	topic := *s
	topic.found = s.found[:base]
	f := findings{Passages: topic.usable()}
	l := topic.lesson(f)
	if l.level == nothing && !l.spent || len(s.found) == base {
		return l
	}
	for _, w := range s.found[base:] {
		f.Passages = joint(f.Passages, w.Passages)
	}
	wide := topic.lesson(f)
	wide.barred = l.barred
	wide.walks = s.found[base:]
	return wide
}

// wider is the next search for more than the topic's own passages, if what is
// left of them is too little for the part.
func (l *lesson) wider(made int) (string, bool) {
	if l.barred || l.level == nothing && !l.spent {
		return "", false
	}
	if l.act.Mode == lecture {
		return l.walk()
	}
	near, beside := l.open()
	switch {
	case l.act.Mode == discussion && l.act.Round <= 1, l.act.StageRole == llm.StageModerator, l.act.StageRole == llm.StageSummary, made == maxWider:
	case made == 0 && (len(near) == 0 || l.role == assistantRole && len(l.newTerms()) == 0):
		return l.nextTo(), true
	case made == 1 && len(near)+len(beside) == 0:
		return title(l.home()), true
	}
	return "", false
}

// nextTo is a search for what the best passage speaks of besides the topic.
func (l *lesson) nextTo() string {
	best, ok := l.best()
	if !ok {
		return l.question.query()
	}
	var more []term
	for _, w := range best.words {
		if !stopWords[w.fold] && !lightWords[w.fold] && !slices.ContainsFunc(l.question.terms, func(t term) bool { return t.stem == w.stem }) {
			more = append(more, term{word: w})
		}
	}
	query := title(l.home())
	for _, t := range longest(more, 2) {
		query += " " + t.text
	}
	return query
}

// line is what the speaker says in the part.
func (l *lesson) line() string {
	switch {
	case l.act.Mode == lecture && l.act.StageRole == llm.StageSummary:
		return l.recap()
	case l.act.Mode == lecture:
		return l.lecture()
	case l.act.Mode == debate && l.act.StageRole != "":
		return l.debate()
	}
	return l.discuss()
}

// best is what says most on the topic, whether it was said or not.
func (l *lesson) best() (match, bool) {
	all := byScore(slices.Concat(l.ranked, l.heard))
	if len(all) == 0 {
		return match{}, false
	}
	return all[0], true
}

func byScore(ms []match) []match {
	slices.SortStableFunc(ms, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	return ms
}

// home is the material that speaks of the topic best.
func (l *lesson) home() string {
	if best, ok := l.best(); ok {
		return best.from.Material
	}
	return ""
}

// news is what may be read out and nobody has yet: what is on the topic first,
// then what its material says beside it, nearest to the best passage first.
func (l *lesson) news() []match {
	near, beside := l.open()
	return append(near, beside...)
}

func (l *lesson) open() (near, beside []match) {
	home := l.home()
	for _, m := range l.ranked {
		switch {
		case m.kind != sentence && m.kind != point, len(m.lines) > 1, m.dangles(), m.from.worked(), len(m.words) < 6, l.givesAway(m), l.saidIn(m):
		case !strings.HasSuffix(m.lines[0], ".") || strings.HasSuffix(m.lines[0], ":"):
		case m.cover >= atLeast && l.onTopic(m):
			near = append(near, m)
		case m.from.Material == home:
			beside = append(beside, m)
		}
	}
	best, _ := l.best()
	slices.SortStableFunc(beside, func(a, b match) int { return cmp.Compare(shared(b.unit, best.unit), shared(a.unit, best.unit)) })
	return near, beside
}

// shared counts the words that mean something and that both units have.
func shared(a, b *unit) int {
	n := 0
	for s := range a.stems {
		n += int(truth(b.stems[s] && !stopWords[s]))
	}
	return n
}

// onTopic reports whether m is from the material that speaks of the topic best,
// or may be compared with it: a single word stands in many texts.
func (l *lesson) onTopic(m match) bool {
	return m.from.Material == l.home() || len(l.question.own()) > 1
}

// saidIn reports whether a part of m, or a whole that it is part of, was said.
func (l *lesson) saidIn(m match) bool {
	if m.cut && strings.Contains(l.said, keyOf(m.lines[len(m.lines)-1])) {
		return true
	}
	for _, u := range m.from.units {
		if u != m.unit && u.block == m.block && u.kind != sentence && len(u.key) > 20 && strings.Contains(l.said, u.key) && (u.kind == wholeList || m.kind == wholeList) {
			return true
		}
	}
	return false
}

// givesAway reports whether m is what the class is to find out by hints: the
// best on the topic, and what is nearly as good.
func (l *lesson) givesAway(m match) bool {
	best, ok := l.best()
	return ok && l.stance == hints && m.cover >= enough && m.score >= 0.85*best.score
}

// shown is the text of m, or its beginning where the rest is to be found out.
func (l *lesson) shown(m match) string {
	if l.givesAway(m) {
		return beginning(m.lines[0]) + " …"
	}
	return m.text()
}

// topic is the question as it was asked, in quotation marks.
func (l *lesson) topic() string {
	return "“" + label(first(clean(l.asked, nil), 240)) + "”"
}

// joint is both lists, each passage once.
func joint(first, second []*passage) []*passage {
	out := slices.Clone(first)
	for _, p := range second {
		if !slices.ContainsFunc(out, func(o *passage) bool { return o.Material == p.Material && o.Text == p.Text }) {
			out = append(out, p)
		}
	}
	return out
}
