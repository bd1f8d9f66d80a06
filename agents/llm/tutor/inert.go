package tutor

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	blockMark = regexp.MustCompile(`^(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\||~~~|=+\s*$|-+\s*$|\[)`)
	listMark  = regexp.MustCompile(`^(\d{1,9})([.)])(\s|$)`)
)

// inert makes one line of a material safe to stand in an answer: emphasis,
// code and formulas stay, links and images become their words, tags are text,
// and nothing in it opens a block of its own.
func inert(line string) string {
	line = flat(line)
	if blockMark.MatchString(line) {
		return `\` + line
	}
	return listMark.ReplaceAllString(line, `$1\$2$3`)
}

// flat is inert for text that does not stand at the beginning of a line.
func flat(line string) string {
	line = strings.Join(strings.Fields(strings.Map(visible, line)), " ")
	var b strings.Builder
	at := 0
	for _, s := range spansOf(line) {
		b.WriteString(escaped(line[at:s.from]))
		if s.kind == linkSpan {
			b.WriteString(escaped(s.label))
		} else {
			b.WriteString(line[s.from:s.to])
		}
		at = s.to
	}
	b.WriteString(escaped(line[at:]))
	return balanced(b.String())
}

// visible drops control characters and those that turn the writing direction.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return ' '
	case unicode.IsControl(r), '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069', r == '\ufeff', r == unicode.ReplacementChar:
		return -1
	}
	return r
}

// escaped escapes what would open a tag, an autolink, code or an image.
func escaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			b.WriteByte(s[i])
			i++
		case s[i] == '`',
			s[i] == '<' && i+1 < len(s) && s[i+1] != ' ' && s[i+1] != '=',
			s[i] == '!' && i+1 < len(s) && s[i+1] == '[':
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// balanced takes emphasis away whose other half is in another sentence.
func balanced(s string) string {
	for _, mark := range []string{"**", "__", "~~"} {
		if outside(s, mark)%2 != 0 {
			s = without(s, mark)
		}
	}
	plain := without(s, "**")
	if outside(plain, "*")%2 != 0 && !strings.Contains(s, "* ") {
		s = strings.ReplaceAll(without(strings.ReplaceAll(s, "**", "\x00"), "*"), "\x00", "**")
	}
	return s
}

// outside counts mark outside of code and formulas.
func outside(s, mark string) int {
	n := strings.Count(s, mark)
	for _, sp := range spansOf(s) {
		n -= strings.Count(s[sp.from:sp.to], mark)
	}
	return n
}

func without(s, mark string) string {
	var b strings.Builder
	at := 0
	for _, sp := range spansOf(s) {
		b.WriteString(strings.ReplaceAll(s[at:sp.from], mark, ""))
		b.WriteString(s[sp.from:sp.to])
		at = sp.to
	}
	b.WriteString(strings.ReplaceAll(s[at:], mark, ""))
	return b.String()
}

// label makes a name (a material, a section, a topic) plain words: no Markdown
// in it has any effect.
func label(s string) string {
	s = strings.Join(strings.Fields(strings.Map(visible, s)), " ")
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_[]<>~$|", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
