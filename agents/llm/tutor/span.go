package tutor

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A spanKind says what a stretch inside a line of Markdown is.
type spanKind int

const (
	codeSpan spanKind = iota
	mathSpan
	linkSpan // a link or an image; label is what it shows
)

// A span is a stretch of a line that is never cut in two.
type span struct {
	from, to int
	kind     spanKind
	label    string
}

var linkText = regexp.MustCompile(`^!?\[([^\[\]]*)\]\(\s*(?:<[^<>]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`)

// spansOf finds the code, the formulas and the links of a line, in order.
func spansOf(line string) []span {
	var out []span
	for i := 0; i < len(line); {
		s, ok := spanAt(line, i)
		if !ok {
			i += step(line, i)
			continue
		}
		out = append(out, s)
		i = s.to
	}
	return out
}

// step is the length of the character at i, with the backslash before it.
func step(line string, i int) int {
	_, n := utf8.DecodeRuneInString(line[i:])
	if line[i] == '\\' && i+1 < len(line) {
		_, m := utf8.DecodeRuneInString(line[i+1:])
		return 1 + m
	}
	if line[i] == '`' {
		return runOf(line[i:], '`')
	}
	return n
}

func runOf(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

func spanAt(line string, i int) (span, bool) {
	rest := line[i:]
	switch {
	case rest[0] == '`':
		if n := codeLength(rest); n > 0 {
			return span{from: i, to: i + n, kind: codeSpan}, true
		}
	case rest[0] == '$', strings.HasPrefix(rest, `\(`), strings.HasPrefix(rest, `\[`):
		if n := mathLength(rest); n > 0 {
			return span{from: i, to: i + n, kind: mathSpan}, true
		}
	case rest[0] == '[', strings.HasPrefix(rest, "!["):
		if m := linkText.FindStringSubmatch(rest); m != nil {
			return span{from: i, to: i + len(m[0]), kind: linkSpan, label: m[1]}, true
		}
	}
	return span{}, false
}

func codeLength(s string) int {
	n := runOf(s, '`')
	for at := n; at < len(s); at++ {
		if s[at] != '`' {
			continue
		}
		m := runOf(s[at:], '`')
		if m == n {
			return at + m
		}
		at += m
	}
	return 0
}

// mathLength is the length of the formula that s begins with, 0 if it is none:
// "$5 and $6" are prices.
func mathLength(s string) int {
	for _, m := range [][2]string{{"$$", "$$"}, {`\(`, `\)`}, {`\[`, `\]`}} {
		if !strings.HasPrefix(s, m[0]) {
			continue
		}
		if n := strings.Index(s[2:], m[1]); n > 0 {
			return n + 4
		}
		return 0
	}
	if len(s) < 3 || s[1] == ' ' {
		return 0
	}
	for at := 1; at < len(s); at++ {
		switch {
		case s[at] == '\\':
			at++
		case s[at] == '$' && at > 1:
			next, _ := utf8.DecodeRuneInString(s[at+1:])
			if s[at-1] == ' ' || unicode.IsDigit(next) {
				return 0
			}
			return at + 1
		}
	}
	return 0
}
