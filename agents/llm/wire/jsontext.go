package wire

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A JSONTextDecoder decodes a text that arrives as JSON strings, one per delta. A
// string may end inside a character: between its bytes or between the two escapes
// of a surrogate pair. Decode returns complete characters only and keeps the rest
// for the next string; a rest at the end of the text is dropped.
type JSONTextDecoder struct {
	highSurrogate rune   // the first escape of a surrogate pair, or 0
	partialRune   []byte // the first bytes of a character
}

// Decode returns the text of one JSON string, given with its quotes, or "" if raw
// is not a JSON string.
func (d *JSONTextDecoder) Decode(raw string) string {
	if len(raw) < 3 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return ""
	}
	raw = raw[1 : len(raw)-1]
	out := append(make([]byte, 0, len(d.partialRune)+len(raw)), d.partialRune...)
	d.partialRune = nil
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(d.flushSurrogate(out), raw[i])
			i++
			continue
		}
		var n int
		out, n = d.decodeEscape(out, raw[i:])
		i += n
	}
	return d.completeRunes(out)
}

// decodeEscape appends the value of the escape at the start of s and returns the
// escape's length.
func (d *JSONTextDecoder) decodeEscape(out []byte, s string) ([]byte, int) {
	if len(s) < 2 {
		return out, len(s)
	}
	if s[1] != 'u' {
		return append(d.flushSurrogate(out), unescape(s[1])), 2
	}
	if len(s) < 6 {
		return out, len(s)
	}
	v, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return append(d.flushSurrogate(out), string(utf8.RuneError)...), 6
	}
	r := rune(v)
	switch {
	case !utf16.IsSurrogate(r):
		out = utf8.AppendRune(d.flushSurrogate(out), r)
	case r < 0xdc00:
		out = d.flushSurrogate(out)
		d.highSurrogate = r
	default:
		out = utf8.AppendRune(out, utf16.DecodeRune(d.highSurrogate, r))
		d.highSurrogate = 0
	}
	return out, 6
}

// flushSurrogate replaces a high surrogate that no low surrogate followed.
func (d *JSONTextDecoder) flushSurrogate(out []byte) []byte {
	if d.highSurrogate == 0 {
		return out
	}
	d.highSurrogate = 0
	return utf8.AppendRune(out, utf8.RuneError)
}

func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// completeRunes keeps the first bytes of an incomplete character at the end of out
// and returns the rest as valid UTF-8.
func (d *JSONTextDecoder) completeRunes(out []byte) string {
	for i := 1; i < utf8.UTFMax && i <= len(out); i++ {
		c := out[len(out)-i]
		if !utf8.RuneStart(c) {
			continue
		}
		if end := out[len(out)-i:]; !utf8.FullRune(end) {
			d.partialRune = append([]byte(nil), end...)
			out = out[:len(out)-i]
		}
		break
	}
	if utf8.Valid(out) {
		return string(out)
	}
	return string([]rune(string(out)))
}
