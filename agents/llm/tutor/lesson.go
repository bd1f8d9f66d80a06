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
	left     int // passages that are withheld
	ranked   []match
	level    level
	missing  []string // words of the question that no passage holds
	spent    bool     // there was something, and all of it has been said
}

const (
	enough  = 0.6
	atLeast = 0.4
)

// weigh ranks the units, drops what was said before, and judges the best.
func (l *lesson) weigh() {
	all := l.question.rank(l.passages)
	l.ranked = slices.DeleteFunc(slices.Clone(all), func(m match) bool {
		return m.key == "" || strings.Contains(l.said, m.key) || l.source(m.from)
	})
	l.level = l.judge(l.ranked)
	l.spent = l.level == nothing && l.judge(all) > nothing
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
	named := l.question.kind == define && len(own) > 1 // "a black hole" is no hole that is black
	switch {
	case len(own) == 0:
		return near
	case best.cover < atLeast || named && best.cover < 0.75:
		return nothing
	case best.cover < enough || named && !best.phrase:
		return near
	case l.question.kind.needsFit() && !best.fits && best.from.head.kind != l.question.kind:
		return near
	}
	return direct
}

// needsFit reports whether a sentence can miss what such a question asks for
// even though it speaks of the same things.
func (k kind) needsFit() bool { return k == why || k == amount || k == when || k == who }

// absent lists the strong words of the question that no passage holds.
func (l *lesson) absent() []string {
	var out []string
	for _, t := range l.question.own() {
		held := false
		for _, p := range l.passages {
			held = held || inWords(p.above, t) > 0 || inWords(wordsOf(p.Text), t) > 0
		}
		if !held && t.own && t.strong {
			out = append(out, t.text)
		}
	}
	return out
}
