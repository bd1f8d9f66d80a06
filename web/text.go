package web

import (
	"strings"
	"unicode"
)

// plainText drops what no text needs: control characters other than line breaks
// and tabs. A text in which nothing would be seen is empty.
func plainText(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f {
			return -1
		}
		return r
	}, text)
	if strings.IndexFunc(text, seen) < 0 {
		return ""
	}
	return text
}

// plainName is a title or a name on one line, without what would turn the words
// around it or hide in it.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, plainText(name))
	if strings.IndexFunc(name, seen) < 0 {
		return ""
	}
	return strings.Join(strings.Fields(name), " ")
}

// hidden reports whether r turns the direction of a text or has no width.
func hidden(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0x200b && r <= 0x200f || r == 0x2060 || r == 0xfeff
}

func seen(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !hidden(r)
}
