package withheld

import (
	"strings"

	"colloquy/classroom"
	"colloquy/classroom/text"
)

// Omitted stands in the place of a sentence that is left out.
const Omitted = "[…]"

// Redact returns a text without the sentences that give anything away, and whether any did.
// An answer that two neighbouring sentences give together is left out too.
func (s Set) Redact(said string) (string, bool) {
	if s.Empty() {
		return said, false
	}
	spans := units(said)
	out := make([]bool, len(spans))
	for i, span := range spans {
		if s.Holds(said[span.From:span.To]) {
			out[i] = true
		} else if i > 0 && !out[i-1] && s.any("", said[spans[i-1].From:span.To], sentence.pairIn) {
			out[i-1], out[i] = true, true
		}
	}
	var b strings.Builder
	at, changed := 0, false
	for i, span := range spans {
		if out[i] {
			b.WriteString(said[at:span.From] + Omitted)
			at, changed = span.To, true
		}
	}
	b.WriteString(said[at:])
	return b.String(), changed
}

// RedactAll takes what is withheld out of passages and their headings. A passage of which
// nothing is left still says where it stands.
func (s Set) RedactAll(passages []classroom.Passage) []classroom.Passage {
	if s.Empty() {
		return passages
	}
	out := make([]classroom.Passage, 0, len(passages))
	for _, p := range passages {
		p.Text, _ = s.Redact(p.Text)
		if s.Holds(p.Section) {
			p.Section = ""
		}
		out = append(out, p)
	}
	return out
}

// pairIn reports whether two sentences give the numbers of the sentence together.
func (x sentence) pairIn(p part, r reading) bool { return p.about(r) > 0 && x.hasAllNumbers(r) }

// units returns the sentences of a text. A line that a sentence goes on in does not end it.
func units(said string) []text.Span {
	var out []text.Span
	for _, span := range text.Sentences(said) {
		if n := len(out) - 1; n >= 0 {
			last := out[n]
			if goesOn(said[last.From:last.To], said[last.To:span.From], said[span.From:]) {
				out[n].To = span.To
				continue
			}
		}
		out = append(out, span)
	}
	return out
}

// goesOn reports whether a line that ended without a point goes on in the next.
func goesOn(before, between, after string) bool {
	last := strings.TrimRight(before, "*_\"'”’»)] ")
	if last == "" || strings.ContainsAny(last[len(last)-1:], ".!?:|$#") || strings.Count(between, "\n") != 1 {
		return false
	}
	for _, mark := range []string{"- ", "* ", "+ ", "#", "|", ">"} {
		if strings.HasPrefix(after, mark) || strings.HasPrefix(before, mark) {
			return false
		}
	}
	return !point.MatchString(after[:min(len(after), 8)])
}
