package tutor

import (
	"strconv"
	"strings"
	"unicode"

	"colloquy/agents/llm"
	"colloquy/classroom/text"
)

// onLadder reports whether the class gets hints before answers.
func (t turn) onLadder() bool {
	return t.rules.Manner == hintsManner || t.rules.Manner == socraticManner
}

// The rungs of the ladder of hints.
const (
	rungPlace = 1 + iota
	rungQuestion
	rungGaps
	rungBeginning
	rungWhole
)

// hint says as much of the best passage as the rung allows.
func (t turn) hint() string {
	p := t.Passages[0]
	rung := min(max(t.rules.HintRung, rungPlace), rungWhole)
	if isKeptBack(p) {
		rung = min(rung, rungQuestion)
	}
	said := t.opening(t.hintPhrase(rung, p))
	switch t.rules.HintReason {
	case "try":
		said = t.phrases.say("hint.tried", t.rules.Asked) + " " + said
	case "stuck":
		said = t.phrases.say("hint.stuck", t.rules.Asked) + " " + said
	case "press":
		said = t.phrases.say("hint.press", t.rules.Asked) + " " + said
	}
	switch rung {
	case rungGaps:
		return said + "\n\n> " + t.gaps(t.bestSentence(p), p.Language)
	case rungBeginning:
		return said + "\n\n> " + firstSentence(p.Text)
	case rungWhole:
		return said + "\n\n" + t.quote(p)
	}
	return said
}

func (t turn) hintPhrase(rung int, p llm.Passage) string {
	words := wordList(t.Mentioned)
	if words == "" {
		words = "*" + placeName(p) + "*"
	}
	key := strconv.Itoa(rung)
	if said := t.phrases.say("ask."+key, 0, "source", sourceOf(p), "words", words); said != "" &&
		t.rules.Manner == socraticManner {
		return said
	}
	return t.phrases.say("hint."+key, 0, "source", sourceOf(p), "words", words)
}

func firstSentence(s string) string {
	spans := text.Sentences(s)
	if len(spans) == 0 {
		return s
	}
	return oneLine(s[spans[0].From:spans[0].To])
}

// bestSentence returns the sentence of a passage that holds most of the words that were
// looked for.
func (t turn) bestSentence(p llm.Passage) string {
	sought := t.sought(p.Language)
	best, most := firstSentence(p.Text), -1
	for _, span := range text.Sentences(p.Text) {
		sentence := p.Text[span.From:span.To]
		words, held := text.Words(sentence), 0
		for _, w := range words {
			if sought.has(sentence[w.From:w.To], p.Language) {
				held++
			}
		}
		if len(words) >= 4 && held > most {
			best, most = oneLine(sentence), held
		}
	}
	return best
}

const (
	gap     = "\\_\\_\\_\\_\\_"
	maxGaps = 3
)

// gaps leaves the words out of a sentence that say most: its numbers and its longest words
// that were not asked for.
func (t turn) gaps(sentence, language string) string {
	sought := t.sought(language)
	longest := ""
	words := text.Words(sentence)
	var out []text.Word
	for _, w := range words {
		typed := sentence[w.From:w.To]
		switch {
		case w.Pair || sought.has(typed, language) || text.IsStop(w.Folded, language):
		case strings.ContainsFunc(typed, unicode.IsDigit) && len(out) < maxGaps:
			out = append(out, w)
		case len(typed) > len(longest):
			longest = typed
		}
	}
	for _, w := range words {
		if longest != "" && sentence[w.From:w.To] == longest {
			out = append(out, w)
		}
	}
	return leaveOut(sentence, out)
}

func leaveOut(sentence string, words []text.Word) string {
	left := map[int]int{}
	for _, w := range words {
		left[w.From] = w.To
	}
	var b strings.Builder
	for i := 0; i < len(sentence); {
		if to := left[i]; to > i {
			b.WriteString(gap)
			i = to
			continue
		}
		b.WriteByte(sentence[i])
		i++
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
