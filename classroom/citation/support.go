package citation

import (
	"embed"
	"strings"
	"unicode"

	"colloquy/classroom/text"
)

//go:embed data/*.txt
var data embed.FS

// negations are the words that turn a sentence round, folded.
var negations = func() map[string]bool {
	content, _ := data.ReadFile("data/negation.txt")
	out := map[string]bool{}
	for w := range strings.FieldsSeq(string(content)) {
		out[text.Fold(w)] = true
	}
	return out
}()

// opposites are pairs of words of which one must not stand for the other.
var opposites = func() map[string][]string {
	content, _ := data.ReadFile("data/opposites.txt")
	out := map[string][]string{}
	for line := range strings.Lines(string(content)) {
		if pair := strings.Fields(line); len(pair) == 2 {
			a, b := text.Fold(pair[0]), text.Fold(pair[1])
			out[a], out[b] = append(out[a], b), append(out[b], a)
		}
	}
	return out
}()

// supports reports whether the source says what a sentence does, as far as words tell.
func (s source) supports(sentence string) bool {
	language := s.Language
	content, shared := 0, 0
	negated := false
	for _, w := range text.Words(withoutEmphasis.Replace(sentence)) {
		switch {
		case w.Pair:
			continue
		case negations[w.Folded]:
			negated = true
			continue
		case strings.ContainsFunc(w.Folded, unicode.IsDigit):
			if !s.plain[w.Folded] {
				return false
			}
		}
		if s.contradicts(w.Folded) {
			return false
		}
		if text.IsStop(w.Folded, language) {
			continue
		}
		content++
		if s.has(w.Folded) {
			shared++
		} else if isName(sentence, w, language) {
			return false
		}
	}
	return content > 0 && float64(shared) >= leastShared*float64(content) && negated == s.negatesBest(sentence)
}

func (s source) has(folded string) bool {
	for _, f := range text.Forms(folded, s.Language) {
		if s.forms[f] {
			return true
		}
	}
	return false
}

// isName reports whether a word of a sentence is written like a name, or is the subject with
// which the sentence begins. In German all nouns are.
func isName(sentence string, w text.Word, language string) bool {
	plain := withoutEmphasis.Replace(sentence)
	first := []rune(plain[w.From:w.To])[0]
	return language != "de" && unicode.IsUpper(first)
}

// contradicts reports whether the source has the opposite of a word, and not the word.
func (s source) contradicts(folded string) bool {
	if s.plain[folded] {
		return false
	}
	for _, o := range opposites[folded] {
		if s.plain[o] {
			return true
		}
	}
	return false
}

// negatesBest reports whether the sentence of the source that is most like another one
// holds a negation.
func (s source) negatesBest(sentence string) bool {
	forms := map[string]bool{}
	for _, w := range text.Words(sentence) {
		for _, f := range text.Forms(w.Folded, s.Language) {
			forms[f] = true
		}
	}
	best, most := false, -1
	for _, span := range text.Sentences(s.Text) {
		held, negated := 0, false
		for _, w := range text.Words(s.Text[span.From:span.To]) {
			negated = negated || negations[w.Folded]
			if text.IsStop(w.Folded, s.Language) {
				continue
			}
			for _, f := range text.Forms(w.Folded, s.Language) {
				if forms[f] {
					held++
					break
				}
			}
		}
		if held > most {
			best, most = negated, held
		}
	}
	return best
}
