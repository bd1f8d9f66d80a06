package wire

import "strconv"

// maxTokens bounds one count of a usage: no answer comes near it, and sums of
// such counts stay far from what an int holds.
const maxTokens = 1_000_000_000

// Tokens reads one count of a provider's usage, given as JSON, held between 0
// and a thousand million; ok is false where there is no number.
func ParseTokens(raw string) (n int, ok bool) {
	if raw == "" || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil && f == 0 { // not so for a number out of range: that is infinite
		return 0, false
	}
	return int(max(0, min(f, maxTokens))), true
}
