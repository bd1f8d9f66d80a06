package wire

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxWait limits how long a provider may ask to wait.
const maxWait = 24 * time.Hour

// retryAfter returns how long a provider asks to wait, or 0 if it does not ask.
func retryAfter(h http.Header) time.Duration {
	if d, ok := parseWait(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	for _, name := range []string{"Retry-After", "X-Ratelimit-Reset-After", "X-Ratelimit-Reset"} {
		if d, ok := parseWait(h.Get(name), time.Second); ok {
			return d
		}
	}
	var wait time.Duration
	for _, unit := range []string{"Requests", "Tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+unit) == "0" {
			d, _ := parseWait(h.Get("X-Ratelimit-Reset-"+unit), time.Second)
			wait = max(wait, d)
		}
	}
	return wait
}

// parseWait reads a time to wait. Providers write a number of units, "6m0s", a date, or
// a Unix time in seconds or milliseconds.
func parseWait(s string, unit time.Duration) (wait time.Duration, ok bool) {
	if t, err := http.ParseTime(s); err == nil {
		return max(0, time.Until(t)), true
	}
	if d, err := time.ParseDuration(s); err == nil {
		return min(max(0, d), maxWait), true
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(f >= 0) { // not a number is not at least 0
		return 0, false
	}
	seconds, now := f*unit.Seconds(), float64(time.Now().UnixMilli())/1000
	switch {
	case f > 1e11:
		seconds = f/1000 - now
	case f > 1e9:
		seconds = f - now
	}
	return time.Duration(min(max(seconds, 0), maxWait.Seconds()) * float64(time.Second)), true
}
