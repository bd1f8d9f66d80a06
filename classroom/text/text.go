// Package text cuts texts into words and gives each word the forms by which it is
// compared: one function for an index and for a query, so that what is typed exactly is
// always found.
//
// [Fold] removes what people leave out when they type: case, accents, points. [Forms]
// stems a folded word by the rules of a language (the Snowball stemmers). Scripts without
// spaces between words, such as Chinese or Thai, are cut into single signs and pairs of
// neighbours.
//
// The package imports nothing of ours, does no I/O, and may be used from many goroutines.
// It does not rank, and it does not know materials.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord bounds the length of a word in bytes. What follows of a longer one is left out.
const maxWord = 96

// A Word is a word of a text. From and To are its bytes in the text.
type Word struct {
	From, To int
	Folded   string
	Pair     bool // two neighbouring signs of a script without spaces; both are words too
}

// Words returns the words of s in order. A number with a point or a comma in it is one
// word.
func Words(s string) []Word {
	var out []Word
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case !inWord(r):
			at += size
		case isSign(r):
			end := runEnd(s, at, isSign)
			out = appendSigns(out, s, at, end)
			at = end
		default:
			end := wordEnd(s, at)
			if folded := Fold(s[at:min(end, at+maxWord)]); folded != "" {
				out = append(out, Word{From: at, To: end, Folded: folded})
			}
			at = end
		}
	}
	return out
}

// appendSigns appends the signs of s[from:to], and each pair of neighbours.
func appendSigns(out []Word, s string, from, to int) []Word {
	before := -1
	for at := from; at < to; {
		_, size := utf8.DecodeRuneInString(s[at:])
		if before >= 0 {
			out = append(out, Word{From: before, To: at + size, Folded: Fold(s[before : at+size]), Pair: true})
		}
		out = append(out, Word{From: at, To: at + size, Folded: Fold(s[at : at+size])})
		before, at = at, at+size
	}
	return out
}

func runEnd(s string, at int, in func(rune) bool) int {
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if !in(r) {
			break
		}
		at += size
	}
	return at
}

// wordEnd returns the end of the word that begins at a byte of s.
func wordEnd(s string, at int) int {
	digit := false
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if digit && (r == '.' || r == ',') && at+1 < len(s) && '0' <= s[at+1] && s[at+1] <= '9' {
			at++
			continue
		}
		if !inWord(r) || isSign(r) {
			break
		}
		digit = unicode.IsDigit(r)
		at += size
	}
	return at
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '\u0640' || r == '\u00ad'
}

var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer,
	unicode.Myanmar,
}

// isSign reports whether r belongs to a script that is not cut into words by spaces.
func isSign(r rune) bool { return r >= 0x0e00 && (unicode.In(r, unspaced...) || r == 'ー') }

// Same reports whether two texts have the same words, whatever their case, accents and
// punctuation.
func Same(a, b string) bool { return Plain(a) == Plain(b) }

// Plain returns the folded words of s with a space between them.
func Plain(s string) string {
	var b strings.Builder
	for _, w := range Words(s) {
		if w.Pair {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Folded)
	}
	return b.String()
}
