package tutor

import (
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom/text"
)

// quote returns whole passages, each as a quotation below its source, with the words of the
// question marked. Neighbours of one section share its name.
func (t turn) quote(passages ...llm.Passage) string {
	var parts []string
	last := ""
	for _, p := range passages {
		if source := sourceOf(p); source != last {
			parts = append(parts, t.phrases.say("from", 0, "source", source))
			last = source
		}
		var b strings.Builder
		for line := range strings.Lines(t.marked(p)) {
			b.WriteString("> " + strings.TrimRight(line, "\r\n") + "\n")
		}
		parts = append(parts, strings.TrimRight(b.String(), "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// sourceOf names where a passage stands.
func sourceOf(p llm.Passage) string {
	name := "**" + clip(p.Material) + "**"
	headings := strings.Split(p.Heading, " › ")
	if len(headings) > 1 && text.Same(headings[0], p.Material) {
		headings = headings[1:]
	}
	if place := headingName(strings.Join(headings, " › ")); place != "" && !text.Same(place, p.Material) {
		name += ", " + place
	}
	return name
}

// headingName returns a heading as a part of a sentence.
func headingName(s string) string { return strings.TrimRight(clip(s), "?!.: ") }

// placeName returns the innermost heading of a passage, or the name of its material.
func placeName(p llm.Passage) string {
	headings := strings.Split(p.Heading, " › ")
	if last := headingName(headings[len(headings)-1]); last != "" {
		return last
	}
	return clip(p.Material)
}

// marked returns the text of a passage in which the words that were looked for are bold.
// A text with formulas, code, links, tables or bold words of its own stays as it is.
func (t turn) marked(p llm.Passage) string {
	if strings.ContainsAny(p.Text, "$`[|<*_\\") {
		return p.Text
	}
	sought := t.sought(p.Language)
	var b strings.Builder
	at := 0
	for _, w := range text.Words(p.Text) {
		if w.From < at || w.Pair || !sought.has(p.Text[w.From:w.To], p.Language) {
			continue
		}
		b.WriteString(p.Text[at:w.From] + "**" + p.Text[w.From:w.To] + "**")
		at = w.To
	}
	return b.String() + p.Text[at:]
}

// A wordSet holds the forms of words.
type wordSet map[string]bool

func (s wordSet) add(word, language string) {
	for _, f := range text.Forms(word, language) {
		s[f] = true
	}
}

func (s wordSet) has(word, language string) bool {
	for _, f := range text.Forms(word, language) {
		if s[f] {
			return true
		}
	}
	return false
}

// sought returns the words that were looked for.
func (t turn) sought(language string) wordSet {
	out := wordSet{}
	for _, list := range [][]string{t.Mentioned, t.Subject} {
		for _, w := range list {
			out.add(w, language)
		}
	}
	for _, r := range t.Repairs {
		out.add(r.Read, language)
	}
	return out
}
