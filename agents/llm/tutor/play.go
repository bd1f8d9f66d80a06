package tutor

import (
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
	if made >= maxWider || len(l.news()) > 0 || l.act.Part == llm.Moderates || l.act.Part == llm.SumsUp {
		return "", false
	}
	return []string{title(l.home()), l.latestTerm()}[made], true
}

// latestTerm is the word that was explained last, or the topic's longest.
func (l *lesson) latestTerm() string {
	for i := len(l.heard) - 1; i >= 0; i-- {
		for _, t := range termsIn(l.heard[i]) {
			if t.says {
				return t.name
			}
		}
	}
	for _, t := range longest(l.question.own(), 1) {
		return t.text
	}
	return title(l.home())
}

// line is what the speaker says in the part.
func (l *lesson) line() string {
	switch {
	case l.act.Mode == lecture && l.act.Part == llm.SumsUp:
		return l.recap()
	case l.act.Mode == lecture:
		return l.lecture()
	case l.act.Mode == debate && l.act.Part != "":
		return l.debate()
	}
	return l.discuss()
}

// home is the material that speaks of the topic best.
func (l *lesson) home() string {
	best := match{score: -1}
	for _, m := range slices.Concat(l.ranked, l.heard) {
		if m.score > best.score {
			best = m
		}
	}
	if best.from == nil {
		return ""
	}
	return best.from.Material
}

// news is what may be read out and nobody has yet: what is on the topic first,
// then what its material says beside it.
func (l *lesson) news() []match {
	var near, beside []match
	home := l.home()
	for _, m := range l.ranked {
		switch {
		case m.kind != sentence && m.kind != point, len(m.lines) > 1, m.dangles(), m.from.worked(), len(m.words) < 6, l.givesAway(m), l.saidIn(m):
		case !strings.HasSuffix(m.lines[0], ".") || strings.HasSuffix(m.lines[0], ":"):
		case m.cover >= atLeast:
			near = append(near, m)
		case m.from.Material == home:
			beside = append(beside, m)
		}
	}
	return append(near, beside...)
}

// saidIn reports whether a part of m, or a whole that it is part of, was said.
func (l *lesson) saidIn(m match) bool {
	for _, u := range m.from.units {
		if u != m.unit && u.block == m.block && u.kind != sentence && len(u.key) > 20 && strings.Contains(l.said, u.key) && (u.kind == wholeList || m.kind == wholeList) {
			return true
		}
	}
	return false
}

// givesAway reports whether m is what the class is to find out by hints.
func (l *lesson) givesAway(m match) bool {
	return l.stance == hints && m.cover >= enough && (m.fits || m.headed) && m.kind != wholeTable
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
