package tutor

import (
	"fmt"
	"strings"
)

// teach is the teacher's answer.
func (l *lesson) teach() string {
	switch {
	case l.barred:
		return l.pick(phrases.withheld)
	case l.spent, l.level == nothing && l.rounds > 0:
		return l.pick(phrases.spent)
	case l.level == nothing:
		return l.miss()
	case l.toPeer != "" && l.level == near:
		name, _, _ := strings.Cut(l.toPeer, ",")
		return fmt.Sprintf("To %s’s question: I found no direct answer in our materials.", label(name))
	}
	if text, ok := l.confirmed(); ok && !l.attempted && !l.partly {
		return text
	}
	var body string
	switch {
	case l.attempted:
		body = l.compare()
	case l.stance == hints && l.level == direct && !l.wantsAll():
		body = l.hint()
	case l.stance == socratic:
		body = l.ask()
	default:
		body = l.explain()
	}
	if l.partly {
		body += "\n\n" + l.pick(phrases.leftOut)
	}
	return body
}

// explain quotes what answers the question.
func (l *lesson) explain() string {
	if l.level == near && l.question.kind == example && !l.apart() {
		return l.pick(phrases.noExample) // anything else would look like one
	}
	quotes := l.question.pick(l.ranked, l.count())
	parts := []string{l.opening(quotes), quotes[0].render()}
	if l.meaning != "" {
		parts[0] = "I take it that you mean “" + label(l.meaning) + "”. " + parts[0]
	}
	for i, q := range quotes[1:] {
		parts = append(parts, phrases.more[(l.answers+i)%len(phrases.more)], q.render())
	}
	if len(l.missing) > 0 && !l.apart() {
		parts = append(parts, l.unmentioned())
	}
	return strings.Join(parts, "\n\n")
}

// count says how many thoughts to quote.
func (l *lesson) count() int {
	switch {
	case l.question.brief || l.level == near && !l.apart() || l.rounds > 0:
		return 1
	case l.question.kind == when || l.question.kind == who || l.question.kind == amount:
		return 1
	case l.question.kind == overview:
		return 3
	}
	return 2
}

// opening says no more than what the first quote shows.
func (l *lesson) opening(quotes []quote) string {
	best := l.ranked[0]
	switch {
	case l.apart():
		return "I found nothing about " + inQuotes(l.missing) + ". About " + inQuotes(l.present()) + " our materials say:"
	case l.level == near:
		return l.pick(l.nearWays())
	case l.toPeer != "":
		name, _, _ := strings.Cut(l.toPeer, ",")
		return fmt.Sprintf("To %s’s question:", label(name))
	case l.rounds > 0 || l.question.more:
		return l.pick(phrases.further)
	case l.question.kind == why && best.fits:
		return l.pick(phrases.reason)
	case best.kind == wholeList && best.order:
		return l.pick(phrases.steps)
	}
	return l.pick(phrases.say)
}

func (l *lesson) nearWays() []string {
	best := l.ranked[0]
	switch {
	case best.cover < enough || best.fits:
	case l.question.kind == why:
		return phrases.noReason
	case l.question.kind == define:
		return phrases.noDefinition
	case l.question.kind == amount:
		return phrases.noFigure
	case l.question.kind == when:
		return phrases.noDate
	case l.question.kind == who:
		return phrases.noName
	}
	return phrases.closest
}

// apart reports whether the materials speak of one thing that was asked about
// and not of another.
func (l *lesson) apart() bool {
	return l.level == near && len(l.missing) > 0 && len(l.missing) <= 3 && len(l.present()) > 0 && len(l.present()) <= 3
}

// present lists the strong words of the question that the best passage holds.
func (l *lesson) present() []string {
	var out []string
	for _, t := range l.question.own() {
		if l.ranked[0].has(t) > 0 || inWords(l.ranked[0].from.above, t) > 0 {
			out = append(out, t.text)
		}
	}
	return out
}

func (l *lesson) unmentioned() string {
	return "I found nothing about " + inQuotes(l.missing[:min(3, len(l.missing))]) + " in our materials."
}

// miss says that there is nothing, what was looked for, and what helps.
func (l *lesson) miss() string {
	text := "I looked for " + inQuotes(l.lookedFor()) + " in our materials and found nothing that fits. I answer only from the materials, so I will not guess."
	text += "\n\nWhat helps: ask with other words, add a text about it to the class’s materials, or connect an AI model in the settings."
	if topics := l.offered(6); len(topics) > 0 {
		text += "\n\nOur materials can answer questions about " + enumerate(topics) + "."
	}
	return text
}

// lookedFor lists the words of the search; words that stand side by side in
// the question make one phrase.
func (s *scene) lookedFor() []string {
	var out []string
	joined := false
	terms := map[string]bool{}
	for _, t := range s.question.own() {
		terms[t.stem] = true
	}
	for _, w := range wordsOf(s.question.text) {
		in := terms[w.stem] && !stopWords[w.fold]
		switch {
		case in && joined:
			out[len(out)-1] += " " + w.text
		case in:
			out = append(out, w.text)
		}
		joined = in
	}
	if len(out) == 0 {
		out = strings.Fields(first(s.question.query(), 60))
	}
	if len(out) == 0 {
		out = []string{strings.ToValidUTF8(first(s.question.text, 60), "")}
	}
	return out[:min(4, len(out))]
}
