package tutor

import (
	"slices"
	"strings"
)

// A level says how well the passages answer the question.
type level int

const (
	nothing level = iota // no passage speaks of it
	near                 // a passage speaks of it, and does not give what was asked
	direct
)

// A lesson is what a scene has to speak from.
type lesson struct {
	*scene
	passages []*passage
	barred   bool    // what answers the question is withheld
	partly   bool    // something that belongs to the answer is withheld
	ranked   []match // what may be said and is news
	heard    []match // what was said already
	level    level
	missing  []string   // words of the question that no passage holds
	walks    []findings // what was searched beyond the topic
	spent    bool       // there was something, and all of it has been said
}

const (
	enough  = 0.6
	atLeast = 0.4
)

// weigh ranks the units, drops what is withheld and what was said before, and
// judges the best. What the teacher has quoted is no news, but tells the others
// that there is an answer.
func (l *lesson) weigh() {
	all := slices.DeleteFunc(l.question.rank(l.passages), func(m match) bool { return m.key == "" || l.source(m.from) })
	allowed := slices.DeleteFunc(slices.Clone(all), func(m match) bool { return m.hidden })
	for _, m := range allowed {
		if strings.Contains(l.said, m.key) {
			l.heard = append(l.heard, m)
		} else {
			l.ranked = append(l.ranked, m)
		}
	}
	l.barred = l.judge(allowed) < l.judge(all)
	l.partly = slices.ContainsFunc(all, func(m match) bool { return m.hidden && m.cover >= enough && m.score >= 0.62*all[0].score })
	l.level = l.judge(l.ranked)
	l.spent = l.level == nothing && l.judge(allowed) > nothing
	if l.role != teacherRole {
		l.level = l.judge(allowed)
	}
	l.missing = l.absent()
}

// source reports whether p lists where the material comes from.
func (l *lesson) source(p *passage) bool {
	s := strings.ToLower(p.Section)
	for _, w := range []string{"sources", "references", "bibliography", "further reading"} {
		if strings.HasSuffix(s, w) {
			return !strings.Contains(strings.ToLower(l.question.text), strings.TrimSuffix(w, "s"))
		}
	}
	return false
}

func (l *lesson) judge(ranked []match) level {
	if len(ranked) == 0 {
		return nothing
	}
	best, own := ranked[0], l.question.own()
	named := l.question.kind == define && len(own) > 1 && adjacent(wordsOf(l.question.text), own) // "a black hole" is no hole that is black
	switch {
	case len(own) == 0:
		return near
	case best.cover < atLeast || named && best.cover < 0.75:
		if len(l.found) > 1 && best.cover > 0 {
			return near // the passages are about one of the words
		}
		return nothing
	case best.cover < enough || named && !best.phrase:
		return near
	case best.headed:
		return direct
	case l.question.kind.needsFit() && !best.fits, l.question.kind == why && l.question.inherits():
		return near
	}
	return direct
}

// needsFit reports whether a sentence can miss what such a question asks for
// even though it speaks of the same things.
func (k kind) needsFit() bool {
	return k == why || k == amount || k == when || k == who || k == define || k == example
}

// absent lists the strong words of the question that no passage holds.
func (l *lesson) absent() []string {
	var out []string
	for _, t := range l.question.own() {
		held := false
		for _, p := range l.passages {
			held = held || inWords(p.above, t) > 0 || inWords(wordsOf(p.Text), t) > 0
		}
		if !held && t.own && t.strong && !comparing[t.fold] {
			out = append(out, t.text)
		}
	}
	return out
}
