package tutor

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/agents/llm"
)

// discuss is a line of a discussion.
func (l *lesson) discuss() string {
	first := l.act.Round <= 1
	switch {
	case l.act.StageRole == llm.StageSummary, l.role == teacherRole && l.act.last():
		return l.drawTogether()
	case l.role == teacherRole && first:
		return l.openTopic()
	case l.barred && l.role == teacherRole:
		return l.pick(phrases.withheld)
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
		return l.helpful()
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
	best := l.ranked[0]
	ask := l.wondering(best)
	if ask == "" || best.kind != sentence || !l.fresh(ask) {
		_, ask = l.promptings()
	}
	return toAll + upper(strings.TrimPrefix(ask, "And "))
}

// lead is how the teacher goes on: with a classmate's question, if there is
// one, and with the next passage.
func (l *lesson) lead() string {
	news := l.news()
	if len(news) == 0 {
		return l.unsaid(phrases.lastPassage)
	}
	ref, m := l.takeQuestion(news)
	if l.stance == socratic {
		return ref + "Before you read on: what do you expect our materials to say next?\n\n" + l.read(m) + "\n\nWhich words of the text did you not expect?"
	}
	text := ref + l.pickFor(m) + "\n\n" + l.read(m)
	if ask := l.wondering(m); ask != "" && l.fresh(ask) {
		text += toAll + upper(strings.TrimPrefix(ask, "And "))
	}
	return text
}

const toAll = "\n\nA question to you all: "

func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
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
	if l.act.closed() {
		return l.wordList()
	}
	terms := slices.DeleteFunc(l.keyTerms(), func(t keyTerm) bool { return l.givesAway(t.from) || l.saidIn(t.from) })
	if asked := l.askedAndRead(); len(asked) > 0 && l.act.Round <= 1 {
		if terms = slices.DeleteFunc(terms, func(t keyTerm) bool { return !l.belongs(t) }); len(terms) == 0 {
			return "The first words for our list are " + inQuotes(asked) + ". What they mean was just read out: write it down in your own words."
		}
	}
	if len(terms) == 0 {
		terms = l.newTerms()
	}
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

// newTerms are terms that stand a little further from the topic.
func (l *lesson) newTerms() []keyTerm {
	var out []keyTerm
	explained := l.explained()
	for _, m := range l.news() {
		for _, t := range termsIn(m) {
			if t.says && !explained[t.key] && !named(out, t.key) && l.fromSource(m) {
				out = append(out, t)
			}
		}
	}
	return oneEach(out, maxKeyTerms)
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
	if l.act.closed() {
		return l.takeAway()
	}
	news := l.news()
	if len(news) == 0 {
		return l.unsaid(phrases.lastSentence)
	}
	t := l.act.temper
	m, wanted := t.choose(news)
	leads := t.leads
	if !wanted && t.lesser != nil {
		leads = t.lesser
	}
	text := l.referTo(m) + l.act.way(leads) + " “" + plainEmphasis(l.shown(m)) + "” (" + m.from.source() + ")"
	tail := l.act.way(t.tails)
	if ask := l.wondering(m); ask != "" && (t.prefers == nil || tail == "") {
		tail = ask
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

// unsaid takes the first of several ways that nobody has said yet, or any.
func (l *lesson) unsaid(ways []string) string {
	for _, w := range ways {
		if !strings.Contains(l.said, keyOf(w)) {
			return w
		}
	}
	return ways[len(l.act.remarks)%len(ways)]
}
