package tutor

import (
	"fmt"
	"slices"
	"strings"

	"colloquy/agents/llm"
)

// discuss is a line of a discussion.
func (l *lesson) discuss() string {
	first := l.act.Round <= 1
	switch {
	case l.role == teacherRole && first:
		return l.openTopic()
	case l.role == teacherRole && (l.act.last() || l.act.Part == llm.SumsUp):
		return l.drawTogether()
	case l.barred:
		return l.byRole(phrases.withheldShort)
	case l.level == nothing && !l.spent:
		return l.nothingHere(first)
	case l.role == teacherRole:
		return l.lead()
	case l.role == assistantRole:
		return l.collect()
	}
	return l.react()
}

// nothingHere is said when the materials hold nothing on the topic.
func (l *lesson) nothingHere(first bool) string {
	ways := phrases.missShort[1:]
	switch {
	case !first:
		ways = phrases.stillNothing
	case l.role == assistantRole:
		return phrases.missShort[0]
	}
	return l.unsaid(ways)
}

// openTopic is how the teacher opens a discussion.
func (l *lesson) openTopic() string {
	body := l.teach()
	if l.level > nothing && !l.barred && l.stance != socratic {
		body += l.toTheClass()
	}
	return openingOf[discussion] + strings.TrimPrefix(l.topic(), "“") + ".\n\n" + body
}

// toTheClass is a question to everybody about the best passage, if it is not
// one for them to complete.
func (l *lesson) toTheClass() string {
	if len(l.ranked) == 0 || l.stance == hints && l.level == direct {
		return ""
	}
	ask := l.wondering(l.ranked[0])
	if ask == "" || !l.fresh(ask) {
		_, ask = l.promptings()
	}
	return "\n\nA question to you all: " + ask
}

// lead is how the teacher goes on: with a classmate's question, if there is
// one, and with the next passage.
func (l *lesson) lead() string {
	news := l.news()
	if len(news) == 0 {
		return l.unsaid(phrases.lastPassage)
	}
	ref, m := l.answering(news)
	if l.stance == socratic {
		return ref + "Before you read on: what do you expect our materials to say next?\n\n" + l.read(m) + "\n\nWhich words of the text did you not expect?"
	}
	text := ref + l.pickFor(m) + "\n\n" + l.read(m)
	if ask := l.wondering(m); ask != "" && l.fresh(ask) {
		text += "\n\nA question to you all: " + ask
	}
	return text
}

// pickFor leads over to m.
func (l *lesson) pickFor(m match) string {
	if m.cover >= enough {
		return l.act.way(phrases.onTopic)
	}
	return l.act.way(phrases.besideTopic)
}

// read quotes m with the sentences behind it that go on with it.
func (l *lesson) read(m match) string {
	if l.givesAway(m) {
		return quotation(l.shown(m), m.from.source())
	}
	open := slices.DeleteFunc(slices.Clone(l.ranked), func(o match) bool { return l.givesAway(o) || l.saidIn(o) })
	return quote{m.from, [][]match{grow(m, open, map[*unit]bool{})}}.render()
}

// collect is the assistant's part: terms that nobody has explained yet.
func (l *lesson) collect() string {
	terms := slices.DeleteFunc(l.keyTerms(), func(t keyTerm) bool { return l.givesAway(t.from) || l.saidIn(t.from) })
	if len(terms) == 0 {
		return l.readOnly()
	}
	lead := phrases.terms[0]
	if l.level == near {
		lead = phrases.termsNear[0]
	}
	if r, ok := l.act.latest(""); ok && l.act.Round > 1 {
		lead = fmt.Sprintf("After what %s said, these words are worth keeping:", label(r.name))
	}
	return lead + "\n\n" + asList(terms[:min(len(terms), 2+int(truth(l.act.Round <= 1)))])
}

// readOnly names a place to read on and quotes nothing.
func (l *lesson) readOnly() string {
	for _, m := range l.ranked {
		if at := m.from.source(); !m.from.aside() && !strings.Contains(l.said, keyOf(at)) {
			return "I found no further terms. There is more to read in " + at + "."
		}
	}
	return l.unsaid(phrases.noTerms)
}

// react is a classmate's part: a sentence that nobody read out yet, and what
// one of that temper says to it.
func (l *lesson) react() string {
	news := l.news()
	if len(news) == 0 {
		return l.unsaid(phrases.lastSentence)
	}
	ref := ""
	m, wanted := l.act.temper.choose(news)
	if l.act.Round > 1 {
		answer, best := l.answering(news)
		if ref = answer; strings.Contains(ref, "?”") && best.cover > 0 {
			m, wanted = best, false
		}
	}
	leads := l.act.temper.lesser
	if wanted {
		leads = l.act.temper.leads
	}
	text := ref + l.act.way(leads) + " " + m.from.source() + ": “" + plainEmphasis(l.shown(m)) + "”"
	tail := l.act.way(l.act.temper.tails)
	if l.act.temper.tails == nil {
		tail = l.wondering(m)
	}
	if tail == "" || strings.HasSuffix(tail, "?") && !l.fresh(tail) {
		return text
	}
	return text + " " + tail
}

// choose takes the first of the nearest that t prefers.
func (t temper) choose(news []match) (m match, wanted bool) {
	if t.prefers == nil {
		return news[0], true
	}
	for _, m := range news[:min(len(news), 6)] {
		if t.prefers.MatchString(m.lines[0]) {
			return m, true
		}
	}
	return news[0], false
}

// answering refers to who spoke last, and takes the passage that comes nearest
// to the question they asked, if they asked one.
func (l *lesson) answering(news []match) (ref string, m match) {
	r, ok := l.act.latest("")
	if !ok {
		return "", news[0]
	}
	name, ask := label(r.name), r.asks()
	if ask == "" {
		return "", news[0]
	}
	q := parse(ask, nil)
	ranked := q.rank(l.passages)
	for _, n := range news {
		for _, o := range ranked[:min(3, len(ranked))] {
			if n.unit == o.unit && o.cover >= enough && (o.fits || !q.kind.needsFit()) {
				return fmt.Sprintf("%s asked “%s” ", name, label(ask)), n
			}
		}
	}
	return fmt.Sprintf("%s asked “%s” Our materials hold no direct answer to that. ", name, label(ask)), news[0]
}

// unsaid takes the first of several ways that nobody has said yet.
func (l *lesson) unsaid(ways []string) string {
	for _, w := range ways {
		if !strings.Contains(l.said, keyOf(w)) {
			return w
		}
	}
	return ways[len(ways)-1]
}
