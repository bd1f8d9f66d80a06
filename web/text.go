package web

import (
	"strings"
	"unicode"
)

// plainText removes control characters other than line breaks and tabs. It returns the
// empty text if no visible character is left.
func plainText(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f {
			return -1
		}
		return r
	}, text)
	if strings.IndexFunc(text, isVisible) < 0 {
		return ""
	}
	return text
}

// plainName returns a title or a name on one line, without invisible characters and
// those that change the direction of the text around it.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if isHidden(r) {
			return -1
		}
		return r
	}, plainText(name))
	if strings.IndexFunc(name, isVisible) < 0 {
		return ""
	}
	return strings.Join(strings.Fields(name), " ")
}

// isHidden reports whether r changes the direction of a text or has no width.
func isHidden(r rune) bool {
	between := func(first, last rune) bool { return first <= r && r <= last }
	return between(0x202a, 0x202e) || between(0x2066, 0x2069) || between(0x200b, 0x200f) || r == 0x2060 || r == 0xfeff
}

func isVisible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !isHidden(r)
}
