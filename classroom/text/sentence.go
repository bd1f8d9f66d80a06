package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Span is a part of a text by its bytes.
type Span struct{ From, To int }

// Sentences returns the sentences of a text, without the space around them. A line break
// before an empty line, a list item or a row of a table ends a sentence too.
func Sentences(s string) []Span {
	var out []Span
	from := 0
	add := func(to int) {
		part := s[from:to]
		left := len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
		if trimmed := strings.TrimSpace(part); trimmed != "" {
			out = append(out, Span{from + left, from + left + len(trimmed)})
		}
		from = to
	}
	for at, r := range s {
		if at < from {
			continue
		}
		switch {
		case r == '\n' && endsLine(s[at+1:]):
			add(at)
		case strings.ContainsRune(".!?…", r):
			if end := closing(s, at+utf8.RuneLen(r)); endsSentence(s, from, at, end) {
				add(end)
			}
		case strings.ContainsRune("。！？", r):
			add(closing(s, at+utf8.RuneLen(r)))
		}
	}
	add(len(s))
	return out
}

// closing skips the marks that close a sentence: quotation marks, brackets, more points.
func closing(s string, at int) int {
	return runEnd(s, at, func(r rune) bool { return strings.ContainsRune(`.!?…"'”’»«“)]*_`, r) })
}

// endsLine reports whether a line break that rest follows ends a sentence.
func endsLine(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	line = strings.TrimSpace(line)
	if line == "" || strings.ContainsRune("-*+#>|", rune(line[0])) {
		return true
	}
	digits := strings.TrimLeft(line, "0123456789")
	return len(digits) < len(line) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") "))
}

// endsSentence reports whether the point at a byte of s ends the sentence that begins at
// from; end is where what follows begins. A point after one letter or a short number may
// belong to an abbreviation or a date.
func endsSentence(s string, from, at, end int) bool {
	next, _ := utf8.DecodeRuneInString(s[end:])
	if end < len(s) && !unicode.IsSpace(next) {
		return false
	}
	if s[at] != '.' || end > at+1 {
		return true
	}
	before := s[from:at]
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return !inWord(r) })+1:]
	if abbreviations[strings.ToLower(word)] || utf8.RuneCountInString(word) == 1 && unicode.IsLetter([]rune(word)[0]) {
		return end >= len(s)
	}
	if len(word) <= 2 && word != "" && strings.Trim(word, "0123456789") == "" {
		return end >= len(s) || strings.HasPrefix(s[end:], "\n\n")
	}
	after := strings.TrimLeftFunc(s[end:], unicode.IsSpace)
	first, _ := utf8.DecodeRuneInString(after)
	return !unicode.IsLower(first)
}

var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "prof": true, "st": true, "vs": true, "etc": true, "ca": true,
	"bzw": true, "usw": true, "vgl": true, "nr": true, "no": true, "fig": true, "art": true, "abs": true, "cf": true,
	"approx": true, "evtl": true, "inkl": true, "sog": true, "jh": true,
}
