package tutor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"colloquy/agents/llm"
)

// debate is a line of a debate.
func (l *lesson) debate() string {
	switch l.act.StageRole {
	case llm.StageModerator:
		return l.motion()
	case llm.StageSummary:
		return l.verdict()
	}
	switch {
	case l.barred:
		return phrases.withheldSide
	case l.level == nothing && !l.spent:
		return l.noText()
	}
	return l.argue()
}

// noText is what a side says where the materials hold nothing on the motion: a
// question first, then a sentence about the other side, none of them twice.
func (l *lesson) noText() string {
	if l.act.Round <= 1 {
		return l.unsaid(phrases.noSide)
	}
	other := cmp.Or(label(l.opponent()), "The other side")
	ways := phrases.stillNoSide
	at := 2*(l.act.Round-2) + int(truth(l.act.StageRole == llm.StageAgainst))
	return upper(strings.Replace(ways[at%len(ways)], "%s", other, 1))
}

// motion opens a debate.
func (l *lesson) motion() string {
	text := openingOf[debate] + strings.TrimPrefix(l.topic(), "“") + "."
	pro, contra := label(l.act.sides.pro), label(l.act.sides.contra)
	if pro != "" {
		text += fmt.Sprintf(" %s speaks for it, %s against it.", pro, contra)
	}
	switch {
	case l.barred:
		return text + "\n\n" + l.pick(phrases.withheld)
	case l.level == nothing && !l.spent:
		return text + "\n\n" + l.noMatter()
	}
	if l.level == near && len(l.missing) > 0 {
		text += " " + l.unmentioned()
	}
	text += "\n\nBoth sides argue from our materials and name the place. Whoever finds nothing there says so."
	if pro != "" {
		text += " " + pro + ", please begin."
	}
	return text
}

// noMatter says at the opening that there is nothing to argue from, and how to
// get something.
func (l *lesson) noMatter() string {
	text := "Our materials hold nothing on this motion: I looked for " + inQuotes(l.lookedFor()) + " and found nothing that fits. Nobody here argues without a text, so this will be short."
	text += "\n\nTo debate it, add a text about it on the page of the class, under Materials, or connect an AI model in the settings."
	if topics := l.offered(6); len(topics) > 0 {
		text += " Our materials do hold something to argue about on " + enumerate(topics) + "."
	}
	return text
}

// opponent is the name of the other side, "" where it is not known.
func (l *lesson) opponent() string {
	if l.act.StageRole == llm.StageFor {
		return l.act.sides.contra
	}
	return l.act.sides.pro
}

// argue is one side's turn: what the other side said last, and a passage that
// stands against it.
func (l *lesson) argue() string {
	side := l.leaning(l.act.StageRole == llm.StageFor)
	ref := l.rebuttal()
	own := side.sort(l.arguments())
	if len(own) == 0 {
		return ref + l.noArgument()
	}
	lead := l.act.way(side.leads())
	if side.figureOnly(own[0]) {
		lead = "I found no sentence against it, but there is a figure that should be weighed:"
	}
	q := quotation(l.shown(own[0]), own[0].from.source())
	if !l.givesAway(own[0]) {
		q = quote{own[0].from, [][]match{grow(own[0], own, map[*unit]bool{})}}.render()
	}
	text := ref + lead + "\n\n" + q
	if l.stance == socratic {
		text += "\n\nWhich words of this would the other side answer first?"
	}
	return text
}

// arguments are the sentences that a side may use: on the motion, and not used yet.
func (l *lesson) arguments() []match {
	return slices.DeleteFunc(l.news(), func(m match) bool { return m.cover < atLeast || defining(m) })
}

// opening is how m begins, long enough to know it again.
func opening(m match) string {
	words := strings.Fields(plainEmphasis(m.lines[0]))
	return balanced(strings.TrimRight(strings.Join(words[:min(len(words), 7)], " "), " ,;:."))
}

// defining reports whether m only says what something is, which is no argument.
func defining(m match) bool {
	return slices.ContainsFunc(termsIn(m), func(t keyTerm) bool { return t.says })
}

// rebuttal names what the other side said last.
func (l *lesson) rebuttal() string {
	r, ok := l.act.latest(l.opponent())
	if !ok || l.act.Round <= 1 && l.act.StageRole == llm.StageFor {
		return ""
	}
	name := label(r.name)
	for _, m := range l.heard {
		if (m.kind == sentence || m.kind == point) && strings.Contains(r.key, m.key) {
			return fmt.Sprintf("%s has read out “%s …”. ", name, opening(m))
		}
	}
	if strings.Contains(r.text, phrases.nothingFound) {
		return fmt.Sprintf("%s had no passage this time. ", name)
	}
	if ask := r.asks(); ask != "" {
		return fmt.Sprintf("%s asks “%s” ", name, label(ask))
	}
	return fmt.Sprintf("I have heard %s. ", name)
}

// noArgument is said honestly by a side for which the materials have nothing
// more, with a question back.
func (l *lesson) noArgument() string {
	spoken := false
	for _, r := range l.act.remarks {
		spoken = spoken || r.own() && strings.Contains(r.text, "\n> ")
	}
	side := "against"
	ways := phrases.noneAgainst
	if l.act.StageRole == llm.StageFor {
		side, ways = "for", phrases.noneFor
	}
	if spoken {
		return phrases.nothingFound + " further in our materials that speaks " + side + " the motion. Is what we have read not enough?"
	}
	for _, w := range ways {
		if !strings.Contains(l.listed, keyOf(w)) {
			return phrases.nothingFound + w
		}
	}
	return phrases.nothingFound + " new in our materials."
}
