package wire

import (
	"encoding/json"
	"regexp"
	"unicode/utf8"
)

// A JSONTextDecoder decodes a text that arrives as JSON strings, one per delta. A
// string may end inside a character: between its bytes or between the two escapes
// of a surrogate pair. Decode returns complete characters only and keeps the rest
// for the next string; a rest at the end of the text is dropped.
type JSONTextDecoder struct {
	rest string // the beginning of a character, as JSON
}

// highSurrogate matches the first escape of a surrogate pair at the end of a string,
// unless its backslash is itself escaped.
var highSurrogate = regexp.MustCompile(`(^|[^\\])(\\\\)*(\\u[dD][89abAB][0-9a-fA-F]{2})$`)

// Decode returns the text of one JSON string, given with its quotes, or "" if raw
// is not a JSON string.
func (d *JSONTextDecoder) Decode(raw string) string {
	if len(raw) < 3 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return ""
	}
	inner := d.rest + raw[1:len(raw)-1]
	n := completeLen(inner)
	d.rest = inner[n:]
	var text string
	if json.Unmarshal([]byte(`"`+inner[:n]+`"`), &text) != nil {
		return ""
	}
	return text
}

// completeLen returns the length of s without an incomplete character at its end.
func completeLen(s string) int {
	if len(s) >= 6 && s[len(s)-6] == '\\' && highSurrogate.MatchString(s) {
		return len(s) - 6
	}
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if tail := s[len(s)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				return len(s) - n
			}
			break
		}
	}
	return len(s)
}
