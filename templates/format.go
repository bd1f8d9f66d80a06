package templates

import (
	"context"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

// maxLineBytes bounds a text that is shown on one line.
const maxLineBytes = 160

// formatTime shows the time of day of a stamp, or "" for none.
func formatTime(ctx context.Context, s classroom.Stamp) string {
	if s == 0 {
		return ""
	}
	return locale.From(ctx).Time(s.Time().In(Zone))
}

// formatDate shows the date of a stamp, or "" for none.
func formatDate(ctx context.Context, s classroom.Stamp) string {
	if s == 0 {
		return ""
	}
	return locale.From(ctx).Date(s.Time().In(Zone))
}

// formatDuration shows a duration in milliseconds.
func formatDuration(ctx context.Context, ms int64) string {
	ms = max(ms, 0)
	switch {
	case ms < 950:
		return t(ctx, "format.milliseconds", "N", ms)
	case ms < 9_950:
		return t(ctx, "format.seconds", "N", locale.From(ctx).Decimal(float64(ms)/1000, 1))
	case ms < 60_000:
		return t(ctx, "format.seconds", "N", (ms+500)/1000)
	}
	return t(ctx, "format.minutes", "Minutes", ms/60_000, "Seconds", ms%60_000/1000)
}

// formatElapsed shows the time from a to b, or "" if one of them is missing.
func formatElapsed(ctx context.Context, a, b classroom.Stamp) string {
	if a == 0 || b == 0 || b < a {
		return ""
	}
	return formatDuration(ctx, int64(b-a))
}

// formatCount shows a count with its thousands grouped.
func formatCount(ctx context.Context, n int) string { return locale.From(ctx).Number(n) }

// formatSize shows a number of bytes.
func formatSize(ctx context.Context, n int) string {
	switch {
	case n < 1000:
		return count(ctx, "format.bytes", n)
	case n < 1_000_000:
		return t(ctx, "format.kilobytes", "N", (n+500)/1000)
	}
	return t(ctx, "format.megabytes", "N", locale.From(ctx).Decimal(float64(n)/1e6, 1))
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
func joinAnd(ctx context.Context, names []string) string { return locale.From(ctx).Join(names) }
