package prose

import (
	"strings"
	"unicode/utf8"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escape escapes text for content and for quoted attributes.
func escape(s string) string { return escaper.Replace(s) }

var textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;")

// escapeText makes any text inert in content only, with fewer bytes.
func escapeText(s string) string { return textEscaper.Replace(s) }

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD")

// tidy returns valid UTF-8 with LF line ends and no NUL. Lines are independent, so parts may be tidied separately.
func tidy(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.ContainsAny(s, "\r\x00") {
		s = lineEnds.Replace(s)
	}
	return s
}

// wholeRunes drops an incomplete character at the end.
func wholeRunes(s string) string {
	for back := 1; back <= utf8.UTFMax && back <= len(s); back++ {
		c := s[len(s)-back]
		if !utf8.RuneStart(c) {
			continue
		}
		if c >= utf8.RuneSelf && !utf8.FullRuneInString(s[len(s)-back:]) {
			return s[:len(s)-back]
		}
		break
	}
	return s
}

// runeStart moves an index back to the start of the character that it is in.
func runeStart(s string, cut int) int {
	for back := 0; back < utf8.UTFMax && cut-back > 0; back++ {
		if cut-back == len(s) || utf8.RuneStart(s[cut-back]) {
			return cut - back
		}
	}
	return cut
}

// nextLine returns the length of the first line of s with its line end, or 0 if the line is not complete. A CR at the
// end of s does not complete a line, because an LF may follow.
func nextLine(s string) int {
	at := strings.IndexAny(s, "\r\n")
	switch {
	case at < 0:
		return 0
	case s[at] == '\n':
		return at + 1
	case at+1 == len(s):
		return 0
	case s[at+1] == '\n':
		return at + 2
	}
	return at + 1
}

// lineOrPart is nextLine, but splits a line longer than room, at a space if there is one.
func lineOrPart(s string, room int) int {
	if n := nextLine(s[:min(len(s), room)]); n > 0 || len(s) <= room {
		return n
	}
	if at := strings.LastIndexByte(s[:room], ' '); at > room/2 {
		return at + 1
	}
	return runeStart(s, room)
}

// undecided reports whether an unfinished line may still become another block: only marks, the number of a list item,
// or the opening of a fence, whose language may be incomplete.
func undecided(line string) bool {
	line = strings.Trim(line, " \t>")
	if marks := strings.Trim(line, "#-*+=_~`|:$\\[]( \t"); marks == "" {
		return true
	}
	backticks := strings.HasPrefix(line, "```") && !strings.Contains(strings.TrimLeft(line, "`"), "`")
	if backticks || strings.HasPrefix(line, "~~~") {
		return true
	}
	digits := strings.TrimRight(line, ".)")
	return len(digits) <= 9 && len(line)-len(digits) <= 1 && strings.Trim(digits, "0123456789") == ""
}
