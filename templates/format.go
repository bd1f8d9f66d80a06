package templates

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
)

// maxLineBytes bounds a text that is shown on one line.
const maxLineBytes = 160

// formatTime shows the time of day of a stamp, or "" for none.
func formatTime(s classroom.Stamp) string {
	if s == 0 {
		return ""
	}
	return s.Time().In(Zone).Format("15:04")
}

// formatDate shows the date of a stamp, or "" for none.
func formatDate(s classroom.Stamp) string {
	if s == 0 {
		return ""
	}
	return s.Time().In(Zone).Format("2 January 2006")
}

// formatDuration shows a duration in milliseconds.
func formatDuration(ms int64) string {
	switch {
	case ms < 0:
		return "0 s"
	case ms < 950:
		return strconv.FormatInt(ms, 10) + " ms"
	case ms < 9_950:
		return strings.TrimSuffix(strconv.FormatFloat(float64(ms)/1000, 'f', 1, 64), ".0") + " s"
	case ms < 60_000:
		return strconv.FormatInt((ms+500)/1000, 10) + " s"
	}
	return fmt.Sprintf("%d min %d s", ms/60_000, ms%60_000/1000)
}

// formatElapsed shows the time from a to b, or "" if one of them is missing.
func formatElapsed(a, b classroom.Stamp) string {
	if a == 0 || b == 0 || b < a {
		return ""
	}
	return formatDuration(int64(b - a))
}

// formatCount shows a count with a thin space between thousands.
func formatCount(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// plural shows a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return formatCount(n) + " " + many
}

// formatSize shows a number of bytes.
func formatSize(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " bytes"
	case n < 1_000_000:
		return strconv.Itoa((n+500)/1000) + " KB"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
}

// truncate cuts s to about n bytes at the start of a character and reports whether
// it cut anything.
func truncate(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}

// shorten puts s on one line and truncates it to about n bytes.
func shorten(s string, n int) string {
	s, cut := truncate(strings.Join(strings.Fields(s), " "), n)
	if cut {
		s += "…"
	}
	return s
}

// joinAnd lists names as a sentence does: "a, b and c".
func joinAnd(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
