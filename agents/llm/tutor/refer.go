package tutor

import (
	"fmt"
	"slices"
	"strings"
)

// takeQuestion refers to the last question of a classmate that nobody took up,
// and takes the passage that comes nearest to it.
func (l *lesson) takeQuestion(news []match) (ref string, m match) {
	r, ask := l.openQuestion()
	if ask == "" {
		return "", news[0]
	}
	ref = fmt.Sprintf("%s asked “%s” ", label(r.name), label(ask))
	q := parse(ask, nil)
	if len(q.strong()) == 0 {
		return ref + "Who can answer that with a sentence from our materials? ", news[0]
	}
	ranked := q.rank(l.passages)
	for _, o := range ranked[:min(3, len(ranked))] {
		at := slices.IndexFunc(news, func(n match) bool { return n.unit == o.unit })
		if at >= 0 && o.cover >= enough && (o.fits || !q.kind.needsFit()) {
			return ref, news[at]
		}
	}
	return ref + "I found no direct answer to that. ", news[0]
}

// openQuestion is the last question that another speaker asked and nobody has
// said again.
func (l *lesson) openQuestion() (remark, string) {
	all := l.act.remarks
	for i := len(all) - 1; i >= 0; i-- {
		ask := all[i].real()
		taken := slices.ContainsFunc(all[i+1:], func(o remark) bool { return strings.Contains(o.key, keyOf(ask)) })
		if ask != "" && !all[i].own() && !taken {
			return all[i], ask
		}
	}
	return remark{}, ""
}

// real is the question that r asks about a sentence: no tail of a temper.
func (r remark) real() string {
	ask := r.asks()
	for _, t := range tempers {
		for _, tail := range t.tails {
			if strings.HasSuffix(tail, ask) {
				return ""
			}
		}
	}
	return upper(strings.TrimPrefix(ask, "And "))
}

// referTo joins m to what the speaker before read out. Nobody does so in the
// first round, where all speak to the same opening.
func (l *lesson) referTo(m match) string {
	r, ok := l.act.latest(l.lastReader())
	if !ok || l.act.Round <= 1 {
		return ""
	}
	name := label(r.name)
	if o, ask := l.openQuestion(); ask != "" && o.name == r.name {
		return fmt.Sprintf("%s asked “%s” I have no answer, but I read on. ", name, label(ask))
	}
	places := l.placesIn(r)
	switch {
	case len(places) == 0:
		return ""
	case slices.Contains(places, m.from.heading()):
		return fmt.Sprintf(l.turn(sameplace), name)
	}
	return fmt.Sprintf(l.turn(otherplace), name, places[0])
}

// Ways to go on from what a peer read, from the same place or another one.
var (
	sameplace  = []string{"I read on where %s was. ", "This stands beside what %s read. ", "%s stopped too early, I think. "}
	otherplace = []string{"%s was at %s; I looked elsewhere. ", "%s took us to %s; this is from another place. ", "To what %s read from %s I would add this. "}
)

// turn takes a way that differs from speaker to speaker and from round to round.
func (l *lesson) turn(ways []string) string {
	return ways[(l.act.Round+len(l.act.remarks))%len(ways)]
}

// lastReader is who of the others read something out last.
func (l *lesson) lastReader() string {
	for _, r := range slices.Backward(l.act.remarks) {
		if !r.own() && len(l.placesIn(r)) > 0 {
			return r.name
		}
	}
	return ""
}

// closed reports whether the teacher has drawn the discussion together.
func (a act) closed() bool {
	return slices.ContainsFunc(a.remarks, func(r remark) bool { return strings.HasPrefix(r.text, closing) })
}

// takeAway is a classmate's word after that: what they keep of what another read.
func (l *lesson) takeAway() string {
	var from []remark
	for _, r := range l.act.remarks {
		if !r.own() && !strings.HasPrefix(r.text, closing) && len(l.placesIn(r)) > 0 {
			from = append(from, r)
		}
	}
	mine := l.act.temper.keeps
	for i := range from {
		r := from[(i+len(mine))%len(from)] // not all the same
		text := fmt.Sprintf(mine, label(r.name), l.placesIn(r)[0])
		if !strings.Contains(l.said, keyOf(text)) {
			return text
		}
	}
	return l.unsaid(phrases.lastSentence)
}

// wordList is the assistant's word after that: the terms, by their names alone.
func (l *lesson) wordList() string {
	var names []string
	for _, m := range l.heard {
		for _, t := range termsIn(m) {
			if name := capital(t.name); t.says && m.kind == sentence && !slices.Contains(names, name) && len(names) < 6 {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return l.unsaid(phrases.noTerms)
	}
	return "The words to keep from today are " + inQuotes(names) + ". Cover their meanings and try to say them."
}
