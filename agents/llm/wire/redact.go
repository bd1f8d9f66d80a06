package wire

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// maxReason bounds how much of a provider's own words operators are shown.
const maxDetail = 500

var keyPattern = regexp.MustCompile(`(?i)\b(sk|pk|gsk|key|xai|hf|aiza)[-_][A-Za-z0-9_*.-]{4,}|\bAIza[A-Za-z0-9_-]{8,}|\bbearer +[^\s"]+`)

// clean makes foreign text fit for a log: no key, one line, not long.
func (p *Provider) redact(text string) string {
	if p.Key != "" {
		text = strings.ReplaceAll(text, p.Key, "[key]")
	}
	text = keyPattern.ReplaceAllString(text, "[key]")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if runes := []rune(text); len(runes) > maxDetail {
		text = string(runes[:maxDetail]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}

// hide returns err with a text that is clean, still the same to errors.Is.
func (p *Provider) redactError(err error) error {
	if err == nil {
		return nil
	}
	return redactedError{p.redact(err.Error()), err}
}

type redactedError struct {
	text string
	err  error
}

func (h redactedError) Error() string { return h.text }
func (h redactedError) Unwrap() error { return h.err }

// retryAfter reads how long a provider asks to wait; 0 where it does not say.
func retryAfter(h http.Header) time.Duration {
	if d, ok := parseNumber(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	after := h.Get("Retry-After")
	if d, ok := parseNumber(after, time.Second); ok {
		return d
	}
	if t, err := http.ParseTime(after); err == nil {
		return max(0, time.Until(t))
	}
	if d, ok := parseNumber(h.Get("X-Ratelimit-Reset-After"), time.Second); ok {
		return d
	}
	if d := parseReset(h.Get("X-Ratelimit-Reset")); d > 0 {
		return d
	}
	var wait time.Duration
	for _, what := range []string{"Requests", "Tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+what) == "0" {
			wait = max(wait, parseReset(h.Get("X-Ratelimit-Reset-"+what)))
		}
	}
	return wait
}

// until reads when a limit ends, in any of the forms that providers use: "6m0s",
// seconds from now, or a point in time in seconds or milliseconds since 1970.
func parseReset(s string) time.Duration {
	if d, err := time.ParseDuration(s); err == nil {
		return min(max(0, d), 24*time.Hour)
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case err != nil || !(f > 0):
		return 0
	case f > 1e11:
		f = f/1000 - unixSeconds(time.Now())
	case f > 1e9:
		f -= unixSeconds(time.Now())
	}
	return time.Duration(min(max(f, 0), 86400) * float64(time.Second))
}

func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

func parseNumber(s string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(f >= 0) {
		return 0, false
	}
	return time.Duration(min(f, 86400*float64(time.Second)/float64(unit)) * float64(unit)), true
}
