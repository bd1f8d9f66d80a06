package tutor

import (
	"slices"
	"strings"
)

// tell answers as well as the classmate or the assistant can, who was asked by name.
func (l *lesson) tell() (string, bool) {
	if l.rounds > 0 || l.level == nothing {
		return "", false
	}
	ms := l.ranked
	if len(l.heard) > 0 && (len(ms) == 0 || l.heard[0].score > ms[0].score) {
		ms = l.heard
	}
	if len(ms) == 0 || len(ms[0].lines) > 1 && ms[0].kind == sentence {
		return "", false
	}
	if r, ok := l.toldBy(ms[0]); ok {
		return l.besides(r, ms[0]), true
	}
	lead := "I would say it with our materials:"
	if l.level == near {
		lead = "I am not sure, but this comes closest in our materials:"
	}
	return lead + "\n\n" + quotation(ms[0].text(), ms[0].from.source()), true
}

// toldBy is who of those asked by name has read m out already.
func (l *lesson) toldBy(m match) (remark, bool) {
	for _, r := range l.peers {
		if strings.Contains(r.key, m.key) && r.name != "" {
			return r, true
		}
	}
	return remark{}, false
}

// besides adds the next passage to what r has read, or agrees with it.
func (l *lesson) besides(r remark, m match) string {
	name := label(r.name)
	if next, ok := l.nextBest(m); ok {
		return name + " has read the sentence that I would have read. I would add this:\n\n" + quotation(next.text(), next.from.source())
	}
	return "I agree with " + name + ": I find nothing in our materials that says it better."
}

// nextBest is what may stand beside m and nobody has read yet.
func (l *lesson) nextBest(m match) (match, bool) {
	at := slices.IndexFunc(l.ranked, func(o match) bool {
		read := slices.ContainsFunc(l.peers, func(r remark) bool { return strings.Contains(r.key, o.key) })
		return o.unit != m.unit && !read && !l.saidIn(o) && o.from.Material == m.from.Material && o.kind == sentence && len(o.lines) == 1 && o.cover >= enough && !o.dangles() && !o.from.aside() && !o.from.worked() && !alike(o.unit, m.unit)
	})
	if at < 0 {
		return match{}, false
	}
	return l.ranked[at], true
}

// confirmed is the teacher's word where somebody asked by name has read out what
// answers the question: who it was, and what goes with it.
func (l *lesson) confirmed() (string, bool) {
	if l.stance == hints || l.stance == socratic || l.level < direct || l.rounds > 0 || len(l.peers) == 0 || l.act.Mode != "" {
		return "", false
	}
	best := l.ranked[0]
	r, ok := l.toldBy(best)
	if !ok || r.asks() != "" {
		return "", false
	}
	text := label(r.name) + " has read the passage that answers it (" + best.from.source() + ")."
	if next, ok := l.nextBest(best); ok {
		return text + " " + phrases.more[l.answers%len(phrases.more)] + "\n\n" + quotation(next.text(), next.from.source()), true
	}
	return text, true
}
