package wire

import "strconv"

// maxTokens limits one token count. No answer comes near it, and sums of such
// counts do not overflow an int.
const maxTokens = 1_000_000_000

// Tokens is a count of tokens in JSON, limited to between 0 and maxTokens. What is no
// number leaves it as it was.
type Tokens int

// UnmarshalJSON reads a count.
func (t *Tokens) UnmarshalJSON(raw []byte) error {
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err == nil || f != 0 { // a number out of range is infinite
		*t = Tokens(max(0, min(f, maxTokens)))
	}
	return nil
}
