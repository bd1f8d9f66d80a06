package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unclosed returns the marks that close the emphasis and code open at the end of a
// text, so that "*Forces and" is shown without its asterisk. It reads the last
// paragraph only, and none with formulas or escapes. A mark that is never closed is
// shown again once the paragraph ends.
func unclosed(text string) string {
	if at := strings.LastIndex(text, "\n\n"); at >= 0 {
		text = text[at+2:]
	}
	if strings.ContainsAny(text, `$\<|`) {
		return ""
	}
	var open []string
	for i := 0; i < len(text); {
		n := 1
		for i+n < len(text) && text[i+n] == text[i] {
			n++
		}
		switch mark := text[i : i+n]; {
		case text[i] == '`':
			end := strings.Index(text[i+n:], mark)
			if end < 0 {
				return closerOfCode(text[i+n:], mark) + closersOf(open)
			}
			n += end + n
		case text[i] != '*' || n > 3:
		case len(open) > 0 && open[len(open)-1] == mark && !unicode.IsSpace(rune(text[i-1])):
			open = open[:len(open)-1]
		case opens(text[:i], text[i+n:]):
			open = append(open, mark)
		}
		i += n
	}
	return closersOf(open)
}

// closerOfCode returns the mark that closes a code span, if the span has any text.
func closerOfCode(code, mark string) string {
	if strings.TrimSpace(code) == "" || len(mark) > 2 {
		return ""
	}
	return mark
}

func closersOf(open []string) string {
	out := ""
	for i := len(open) - 1; i >= 0; i-- {
		out += open[i]
	}
	return out
}

// opens reports whether a mark between before and after is at the start of a word
// and so opens emphasis.
func opens(before, after string) bool {
	l, _ := utf8.DecodeLastRuneInString(before)
	r, _ := utf8.DecodeRuneInString(after)
	starts := before == "" || unicode.IsSpace(l) || unicode.IsPunct(l)
	return starts && after != "" && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
