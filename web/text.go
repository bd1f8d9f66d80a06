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
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x2800, 0x3164, 0xffa0: // fillers, which look like spaces
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf) && !unicode.IsSpace(r)
}

func isVisible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !isHidden(r)
}
