package openai

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// maxReason bounds how much of a provider's own words operators are shown.
const maxReason = 500

var keyLike = regexp.MustCompile(`(?i)\b(sk|pk|gsk|key|xai|hf|aiza)[-_][A-Za-z0-9_*.-]{4,}|\bAIza[A-Za-z0-9_-]{8,}|\bbearer +[^\s"]+`)

// clean makes foreign text fit for a log: no key, one line, not long.
func (m *Model) clean(text string) string {
	if m.key != "" {
		text = strings.ReplaceAll(text, m.key, "[key]")
	}
	text = keyLike.ReplaceAllString(text, "[key]")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if runes := []rune(text); len(runes) > maxReason {
		text = string(runes[:maxReason]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}

// hide returns err with a text that is clean, still the same to errors.Is.
func (m *Model) hide(err error) error {
	if err == nil {
		return nil
	}
	return hidden{m.clean(err.Error()), err}
}

type hidden struct {
	text string
	err  error
}

func (h hidden) Error() string { return h.text }
func (h hidden) Unwrap() error { return h.err }

// retryAfter reads how long a provider asks to wait; 0 where it does not say.
func retryAfter(h http.Header) time.Duration {
	if d, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	after := h.Get("Retry-After")
	if d, ok := number(after, time.Second); ok {
		return d
	}
	if t, err := http.ParseTime(after); err == nil {
		return max(0, time.Until(t))
	}
	d, _ := number(h.Get("X-Ratelimit-Reset-After"), time.Second)
	return d
}

func number(s string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(f >= 0) {
		return 0, false
	}
	return time.Duration(min(f, 86400*float64(time.Second)/float64(unit)) * float64(unit)), true
}
