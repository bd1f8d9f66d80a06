package wire

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Letters reads a text that comes as JSON strings, one a delta, whose
// characters may be cut anywhere: between the bytes of one, or between the two
// escapes of one. It gives whole characters only and keeps the rest for the
// next delta; what is still kept at the end is dropped.
type JSONTextDecoder struct {
	highSurrogate rune   // the first half of a pair of escapes, or 0
	partialRune   []byte // the first bytes of a character
}

// Read returns the text of one JSON string, given with its quotes. Of what is
// no JSON string it returns nothing.
func (l *JSONTextDecoder) Decode(raw string) string {
	if len(raw) < 3 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return ""
	}
	raw = raw[1 : len(raw)-1]
	out := append(make([]byte, 0, len(l.partialRune)+len(raw)), l.partialRune...)
	l.partialRune = nil
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(l.flushSurrogate(out), raw[i])
			i++
			continue
		}
		var n int
		out, n = l.decodeEscape(out, raw[i:])
		i += n
	}
	return l.completeRunes(out)
}

// escape appends what the escape at the start of s stands for, and returns its length.
func (l *JSONTextDecoder) decodeEscape(out []byte, s string) ([]byte, int) {
	if len(s) < 2 {
		return out, len(s)
	}
	if s[1] != 'u' {
		return append(l.flushSurrogate(out), unescape(s[1])), 2
	}
	if len(s) < 6 {
		return out, len(s)
	}
	v, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return append(l.flushSurrogate(out), string(utf8.RuneError)...), 6
	}
	r := rune(v)
	switch {
	case !utf16.IsSurrogate(r):
		out = utf8.AppendRune(l.flushSurrogate(out), r)
	case r < 0xdc00:
		out = l.flushSurrogate(out)
		l.highSurrogate = r
	default:
		out = utf8.AppendRune(out, utf16.DecodeRune(l.highSurrogate, r))
		l.highSurrogate = 0
	}
	return out, 6
}

// broken gives up on a first half that no second half followed.
func (l *JSONTextDecoder) flushSurrogate(out []byte) []byte {
	if l.highSurrogate == 0 {
		return out
	}
	l.highSurrogate = 0
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

// whole keeps a character's first bytes at the end of out, and makes the rest valid.
func (l *JSONTextDecoder) completeRunes(out []byte) string {
	for i := 1; i < utf8.UTFMax && i <= len(out); i++ {
		c := out[len(out)-i]
		if !utf8.RuneStart(c) {
			continue
		}
		if end := out[len(out)-i:]; !utf8.FullRune(end) {
			l.partialRune = append([]byte(nil), end...)
			out = out[:len(out)-i]
		}
		break
	}
	if utf8.Valid(out) {
		return string(out)
	}
	return string([]rune(string(out)))
}
