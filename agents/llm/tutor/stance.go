package tutor

import (
	"regexp"
	"strings"
)

// The stances of a class's rules that do not simply explain.
const (
	hints    = "hints"
	socratic = "socratic"
)

// These say that the whole answer is wanted after a hint.
var givingUp = regexp.MustCompile(`(?i)\b(whole|full|show|tell|give up|don['’]?t know|do not know|no idea|answer|solution|can['’]?t|cannot|rest)\b`)

// wantsAll reports whether a hint came before and the person asks for the rest.
func (l *lesson) wantsAll() bool {
	return l.hinted && !l.attempted && (givingUp.MatchString(l.asked) || l.question.more)
}

// endsInHint reports whether an answer was a hint.
func endsInHint(text string) bool {
	for _, h := range phrases.hintAsk {
		if strings.Contains(text, h) {
			return true
		}
	}
	return false
}

// hint gives the beginning of the sentence and its place.
func (l *lesson) hint() string {
	best := l.ranked[0]
	return l.pick(phrases.hint) + "\n\n" + quotation(beginning(best.lines[0])+" …", best.from.source()) + "\n\n" + l.pick(phrases.hintAsk)
}

// beginning is the first third of a sentence, with formulas and code whole.
func beginning(line string) string {
	if at := effectFirst.FindStringIndex(line); at != nil && at[0] > 0 && len(line) > at[1]+20 {
		return balanced(line[:at[1]]) // the reason is what is looked for
	}
	words := strings.Fields(line)
	spans := spansOf(line)
	end, n := 0, 0
	for n < min(max(len(words)/3, 3), 9) && end < len(line) {
		next := strings.IndexByte(line[min(end+1, len(line)):], ' ')
		if next < 0 {
			return strings.Join(words[:(len(words)+1)/2], " ")
		}
		end += 1 + next
		n++
		for _, s := range spans {
			if s.from < end && end < s.to {
				end = s.to
			}
		}
	}
	return balanced(strings.TrimRight(line[:end], " ,;:"))
}

// compare answers an attempt with the text itself.
func (l *lesson) compare() string {
	q := l.question.pick(l.ranked, 1)[0]
	return l.pick(phrases.compare) + "\n\n" + q.render()
}

// ask puts a question before the quote and one behind it.
func (l *lesson) ask() string {
	q := l.question.pick(l.ranked, 1)[0]
	before, behind := l.promptings()
	lead := "Now read:"
	if l.level == near {
		lead = l.pick(l.nearWays())
	}
	return before + "\n\n" + lead + "\n\n" + q.render() + "\n\n" + behind
}

// promptings are the questions for a kind of question.
func (l *lesson) promptings() (before, behind string) {
	best := l.ranked[0]
	switch {
	case best.kind == wholeList && best.order:
		return "Before you read on: what would you do first?", "Which step could not be left out, and why?"
	case best.kind == wholeTable:
		return "Before you read on: what would you set side by side to answer this?", "Which line of the table answers your question?"
	}
	switch l.question.kind {
	case define, overview:
		return "Before you read on: how would you explain it in one sentence?", "Which words of the text did your sentence not have?"
	case why:
		return "Before you read on: what do you think is the reason?", "Which words of the text give the reason?"
	case how:
		return "Before you read on: how do you think it goes?", "Which words of the text tell you how?"
	case amount, when:
		return "Before you read on: what would you estimate?", "How near was your estimate?"
	case compare:
		return "Before you read on: what do you expect both to share, and what not?", "Which words of the text mark the difference?"
	case example:
		return "Before you read on: can you think of an example of your own?", "What does your example share with this one?"
	}
	return "Before you read on: what do you expect the text to say?", "How would you say this in your own words?"
}
