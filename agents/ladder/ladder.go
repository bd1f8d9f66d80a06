// Package ladder decides how much of an answer a pupil gets where hints come first.
//
// A ladder belongs to a question. It begins at the first rung, goes up by one rung with each
// try and with the second "I don't know" in a row, and never down. Pressing does not move it:
// a repeated message, a question mark, a word that says nothing. A question that leads to
// another section of the materials opens a new ladder.
//
// A try holds a number, or a word of the materials that is neither in the question nor was
// said before on this ladder. Whether it is right, nobody judges here.
//
// The package is pure: what happened before is its input.
package ladder

import (
	"embed"
	"strings"
	"unicode"

	"colloquy/classroom/text"
)

// Rungs is the number of rungs: where to look, a question about the first step, the passage
// with gaps, its beginning, the whole.
const Rungs = 5

// A State is where a pupil stands on a ladder. The zero State is before the first question.
type State struct {
	Question string // the question that opened the ladder; empty if there is none
	Section  string // where its best passage stands
	Rung     int
	Tries    int
}

// A Message is what a pupil says now.
type Message struct {
	Text    string
	Section string   // where the best passage for it stands; empty if there is none
	Words   []string // its words that the materials hold
}

// The reasons of a step.
const (
	Open  = "open"  // a new ladder
	Try   = "try"   // a try moved it
	Stuck = "stuck" // the second "I don't know" in a row moved it
	Press = "press" // nothing moved it
)

// Next returns the state after a message, and why. said is everything that people and agents
// said on the ladder, the question included; before is the pupil's message before this one,
// empty if this is the first on the ladder. Where the message opens no ladder and there is
// none, the state stays zero.
func Next(s State, m Message, before string, said []string) (State, string) {
	opens := m.Section != "" && (s.Question == "" || m.Section != s.Section && isQuestion(m.Text))
	switch {
	case opens && !isStuck(m.Text):
		return State{Question: m.Text, Section: m.Section, Rung: 1}, Open
	case s.Question == "":
		return s, ""
	case isStuck(m.Text):
		if !isStuck(before) {
			return s, Press
		}
		s.Rung = min(s.Rung+1, Rungs)
		return s, Stuck
	case isTry(m, said):
		s.Rung, s.Tries = min(s.Rung+1, Rungs), s.Tries+1
		return s, Try
	}
	return s, Press
}

// isTry reports whether a message holds a number or a word of the materials that nobody said
// before.
func isTry(m Message, said []string) bool {
	known := map[string]bool{}
	for _, s := range said {
		for _, w := range text.Words(s) {
			for _, f := range forms(s[w.From:w.To]) {
				known[f] = true
			}
		}
	}
	isNew := func(word string) bool {
		for _, f := range forms(word) {
			if known[f] {
				return false
			}
		}
		return true
	}
	for _, word := range m.Words {
		if isNew(word) {
			return true
		}
	}
	for _, w := range text.Words(m.Text) {
		if word := m.Text[w.From:w.To]; strings.ContainsFunc(word, unicode.IsDigit) && isNew(word) {
			return true
		}
	}
	return false
}

// forms returns a word's forms in the languages that pupils of these classes write most, so
// that an ending does not make a new word of one that was said.
func forms(word string) []string {
	out := []string{text.Fold(word)}
	for _, language := range []string{"en", "de", "fr", "es"} {
		out = append(out, text.Forms(word, language)...)
	}
	return out
}

//go:embed data/*.txt
var data embed.FS

// stuck are the messages that say "I don't know", folded.
var stuck = func() map[string]bool {
	out := map[string]bool{}
	files, _ := data.ReadDir("data")
	for _, f := range files {
		content, _ := data.ReadFile("data/" + f.Name())
		for phrase := range strings.SplitSeq(strings.TrimSpace(string(content)), " | ") {
			out[text.Plain(phrase)] = true
		}
	}
	return out
}()

func isStuck(message string) bool { return stuck[text.Plain(message)] }

// questionWords begin questions.
var questionWords = map[string]bool{
	"what": true, "why": true, "how": true, "when": true, "where": true, "who": true, "which": true, "whose": true,
	"was": true, "warum": true, "wie": true, "wann": true, "wo": true, "wer": true, "welche": true, "welcher": true,
	"welches": true, "wieso": true, "weshalb": true, "pourquoi": true, "comment": true, "quand": true, "que": true,
	"qui": true, "quel": true, "quelle": true, "por": true, "como": true, "cuando": true, "donde": true, "quien": true,
}

func isQuestion(message string) bool {
	if strings.ContainsAny(message, "?？؟") {
		return true
	}
	first, _, _ := strings.Cut(text.Plain(message), " ")
	return questionWords[first]
}
