package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unclosed gives the marks that close what the end of an open text has begun:
// "*Forces and" is shown as it will be, without its asterisk. It looks at the
// last paragraph only, and leaves alone what has formulas or escapes in it. A
// mark that never comes to its end is a mark again once the paragraph is closed.
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
				return begunIn(text[i+n:], mark) + closersOf(open)
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

// begunIn closes code that has begun, where it has anything in it.
func begunIn(code, mark string) string {
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

// opens reports whether a mark between before and after begins something: it
// stands at the start of a word.
func opens(before, after string) bool {
	l, _ := utf8.DecodeLastRuneInString(before)
	r, _ := utf8.DecodeRuneInString(after)
	starts := before == "" || unicode.IsSpace(l) || unicode.IsPunct(l)
	return starts && after != "" && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
