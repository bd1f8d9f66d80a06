package tutor

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"colloquy/agents/llm"
)

// plainest is how many sentences say a part again, more simply.
const plainest = 3

// grant answers what was wished at a stop of a lecture. It looks into what the
// lecture itself reads from.
func (s *scene) grant() (reply, bool) {
	if s.act.StageRole != llm.StageReply || s.act.wish == noWish {
		return reply{}, false
	}
	switch s.act.wish {
	case wishOn:
		return reply{text: phrases.sayOn}, true
	case wishEnd:
		return reply{text: phrases.sayEnd}, true
	}
	last, ok := s.act.lastPart()
	if !ok {
		return reply{}, false
	}
	s.question = parse(s.act.topic, nil)
	var f findings
	for _, r := range slices.Concat(s.act.read, s.found) {
		f.Passages = joint(f.Passages, r.Passages)
	}
	l := s.lesson(f)
	from := l.readIn(last)
	switch {
	case len(from) == 0:
		return reply{}, false
	case s.act.wish == wishSimpler:
		return reply{text: l.simpler(last, from)}, true
	case s.mayCall && len(s.found) == 0 && !l.hasWorked(from[0].Material):
		return reply{query: title(from[0].Material) + " worked example"}, true
	}
	return reply{text: l.exampleOf(last, from)}, true
}

func (r remark) quotes() bool { return strings.Contains(r.text, "\n> ") }

// grants reports whether r itself answers such a wish.
func (r remark) grants() bool {
	for _, lead := range slices.Concat(phrases.simpler, phrases.anExample, phrases.exampleAgain, []string{phrases.wordMeans}) {
		if strings.Contains(r.text, lead[1:]) {
			return true
		}
	}
	return false
}

// granted is what such answers have read, as a key.
func (a act) granted() string {
	key := ""
	for _, r := range a.remarks {
		if r.grants() {
			key += r.key
		}
	}
	return key
}

// readIn lists the passages that r quotes.
func (l *lesson) readIn(r remark) []*passage {
	var out []*passage
	for _, p := range l.passages {
		if slices.ContainsFunc(p.units, func(u *unit) bool { return len(u.key) > 20 && strings.Contains(r.key, u.key) }) {
			out = append(out, p)
		}
	}
	return out
}

// allOf lists all that may be said from a material, in the order of the text as
// far as it is known.
func (l *lesson) allOf(material string) []match {
	var out []match
	for _, p := range l.passages {
		for _, m := range slices.Concat(l.ranked, l.heard) {
			if m.from == p && p.Material == material && !l.givesAway(m) {
				out = append(out, m)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b match) int {
		if a.from != b.from {
			return 0
		}
		return cmp.Compare(a.place, b.place)
	})
	return out
}

// simpler says the last part again in its plainest sentences: first those that
// say what a word means, its own and those that it uses.
func (l *lesson) simpler(last remark, from []*passage) string {
	granted := l.act.granted()
	var own, words []match
	for _, m := range l.allOf(from[0].Material) {
		switch {
		case m.kind != sentence && m.kind != point, len(m.lines) > 1, m.dangles(), strings.Contains(granted, m.key), m.from.aside():
		case strings.Contains(last.key, m.key):
			own = append(own, m)
		case m.kind == sentence && defining(m) && !l.asksAbout(m) && slices.ContainsFunc(from, func(p *passage) bool { return p.uses(m, last) }):
			words = append(words, m)
		}
	}
	if len(own) < 2 {
		own = nil // that one is what was not understood
	}
	byPlainness(own)
	byPlainness(words)
	own, words = own[:min(len(own), plainest)], words[:min(len(words), 1)]
	switch {
	case len(own)+len(words) == 0:
		return phrases.noSimpler
	case len(own) == 0:
		return phrases.wordMeans + "\n\n" + l.inOrder(words)
	case len(words) == 0:
		return l.pick(phrases.simpler) + "\n\n" + l.inOrder(own)
	}
	return l.pick(phrases.simpler) + "\n\n" + l.inOrder(own) + "\n\n" + phrases.wordMeans + "\n\n" + l.inOrder(words)
}

// uses reports whether what r quotes of p holds the term that m defines.
func (p *passage) uses(m match, r remark) bool {
	return slices.ContainsFunc(p.units, func(u *unit) bool {
		return u != m.unit && strings.Contains(r.key, u.key) && slices.ContainsFunc(termsIn(m), func(t keyTerm) bool { return t.says && sideBySide(u.words, termOf(t.name)) })
	})
}

func termOf(name string) []term {
	var out []term
	for _, w := range wordsOf(name) {
		out = append(out, term{word: w})
	}
	return out
}

// byPlainness puts short sentences of short words first; one that defines
// something may be longer.
func byPlainness(ms []match) {
	weight := func(m match) int {
		n := len(m.words) - 8*int(truth(defining(m)))
		for _, w := range m.words {
			n += 2 * int(truth(utf8.RuneCountInString(w.text) >= 10))
		}
		return n
	}
	slices.SortStableFunc(ms, func(a, b match) int { return cmp.Compare(weight(a), weight(b)) })
}

// inOrder quotes ms as they stand in their passages.
func (l *lesson) inOrder(ms []match) string {
	var quotes []quote
	for _, p := range l.passages {
		for _, m := range ms {
			if m.from == p {
				quotes = place(quotes, []match{m})
			}
		}
	}
	var out []string
	for _, q := range quotes {
		out = append(out, q.render())
	}
	return strings.Join(out, "\n\n")
}

// instanceCue is a sentence on one thing with a name of its own: "The San
// Andreas Fault in California is a transform boundary".
var instanceCue = regexp.MustCompile(`^(?:The )?\p{Lu}[\pL-]+ (?:[\pL-]+ ){0,4}?(?:is|was|are|were) an? `)

// named reports whether m is about one thing with a name: more than the word
// that begins the sentence has a capital.
func (m match) named() bool {
	line := plainEmphasis(m.lines[0])
	if !instanceCue.MatchString(line) {
		return false
	}
	subject, ok := subjectOf(m.unit)
	return ok && nameCue.MatchString(". "+phrase(subject)) && len(subject) > 1
}

func (l *lesson) hasWorked(material string) bool {
	return slices.ContainsFunc(l.passages, func(p *passage) bool { return p.Material == material && p.worked() })
}

// exampleOf reads an example from the lecture's own material: from where the
// last part was, then the one that is worked out, then what is nearest to the
// part; what was read before only if there is no other.
func (l *lesson) exampleOf(last remark, from []*passage) string {
	granted, read := l.act.granted(), ""
	for _, r := range l.act.remarks {
		read += r.key
	}
	var here, worked, near, again []match
	for _, m := range l.allOf(from[0].Material) {
		switch {
		case len(m.lines) > 1 && !m.from.worked(), m.kind == wholeList, m.kind == wholeTable, m.from.aside(), strings.Contains(granted, m.key):
		case m.from.worked():
			worked = append(worked, m)
		case !exampleCue.MatchString(m.lines[0]) && !m.named() || m.dangles():
		case strings.Contains(read, m.key):
			again = append(again, m)
		case slices.Contains(from, m.from):
			here = append(here, m)
		default:
			near = append(near, m)
		}
	}
	slices.SortStableFunc(near, func(a, b match) int { return cmp.Compare(akin(b, from), akin(a, from)) })
	for _, ms := range [][]match{here, worked, near} {
		if len(ms) > 0 {
			return l.pick(phrases.anExample) + "\n\n" + l.inOrder(l.oneExample(ms))
		}
	}
	if len(again) > 0 {
		return phrases.exampleAgain[0] + "\n\n" + l.inOrder(again[:1])
	}
	return "I found no further example in *" + label(title(from[0].Material)) + "*."
}

// oneExample is the first of ms, with the sentence before it, which mostly says
// of what it is one; an example worked out is read as a whole.
func (l *lesson) oneExample(ms []match) []match {
	if !ms[0].from.worked() {
		for _, m := range l.allOf(ms[0].from.Material) {
			if m.from == ms[0].from && m.block == ms[0].block && m.place+1 == ms[0].place && m.kind == sentence && len(m.lines) == 1 && !defining(m) {
				return []match{m, ms[0]}
			}
		}
		return ms[:1]
	}
	size := 0
	for i, m := range ms {
		if size += len(m.words); m.from != ms[0].from || i > 0 && size > mostPart {
			return ms[:i]
		}
	}
	return ms
}

// akin counts the words that m shares with those passages.
func akin(m match, with []*passage) int {
	best := 0
	for _, p := range with {
		for _, u := range p.units {
			best = max(best, shared(m.unit, u))
		}
	}
	return best
}
