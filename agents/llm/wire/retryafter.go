package wire

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryAfter returns how long a provider asks to wait, or 0 if it does not ask.
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
	for _, unit := range []string{"Requests", "Tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+unit) == "0" {
			wait = max(wait, parseReset(h.Get("X-Ratelimit-Reset-"+unit)))
		}
	}
	return wait
}

// parseReset returns the time until a rate limit resets. Providers write "6m0s",
// seconds from now, or a Unix time in seconds or milliseconds.
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
