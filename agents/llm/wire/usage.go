package wire

import "strconv"

// maxTokens limits one token count. No answer comes near it, and sums of such
// counts do not overflow an int.
const maxTokens = 1_000_000_000

// ParseTokens reads one token count, given as JSON, and limits it to between 0 and
// maxTokens. ok is false if raw is not a number.
func ParseTokens(raw string) (n int, ok bool) {
	if raw == "" || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil && f == 0 { // a number out of range is infinite
		return 0, false
	}
	return int(max(0, min(f, maxTokens))), true
}
