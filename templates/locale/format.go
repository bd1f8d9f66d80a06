package locale

import (
	"strconv"
	"strings"
	"time"
)

// Number returns n with its thousands grouped as the language does.
func (l *Language) Number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	group := l.Text("format.group")
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + group + digits[i:]
	}
	return sign + digits
}

// Decimal returns n with the given number of decimals, without zeros at its end.
func (l *Language) Decimal(n float64, decimals int) string {
	s := strconv.FormatFloat(n, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return strings.Replace(s, ".", l.Text("format.point"), 1)
}

// Date returns the day of t, such as 2 January 2006.
func (l *Language) Date(t time.Time) string {
	month := l.Text("format.month_" + strconv.Itoa(int(t.Month())))
	return l.Text("format.date", "Day", t.Day(), "Month", month, "Year", t.Year())
}

// Time returns the time of day of t, such as 15:04.
func (l *Language) Time(t time.Time) string { return t.Format("15:04") }

// Join lists names as a sentence does: "a, b and c".
func (l *Language) Join(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return l.Text("format.and", "First", strings.Join(names[:n-1], l.Text("format.comma")), "Last", names[n-1])
	}
}
