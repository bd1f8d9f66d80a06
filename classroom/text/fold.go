package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a word in the form in which words are compared: compatibility forms are
// resolved (NFKC), letters are lower case, and accents, Arabic and Hebrew points, hamzas
// and Indic nuktas are gone. The German ß is ss, the Turkish dotless ı is i.
func Fold(word string) string {
	if isASCII(word) {
		return strings.ToLower(word)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(word) {
		if r = foldRune(r); r == 'ß' {
			b.WriteString("ss")
		} else if r >= 0 {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// foldedLetters are letters that differ by more than case and marks from those that
// people type for them.
var foldedLetters = map[rune]rune{
	'ẞ': 'ß', 'ß': 'ß', 'ς': 'σ', 'ı': 'i', 'ł': 'l', 'ø': 'o', 'đ': 'd', 'ħ': 'h', 'ŋ': 'n',
	'ٱ': 'ا', 'ى': 'ي', 'ة': 'ه', 'ک': 'ك', 'ی': 'ي',
}

// foldRune returns -1 for what is left out.
func foldRune(r rune) rune {
	r = unicode.ToLower(r)
	if to, ok := foldedLetters[r]; ok {
		return to
	}
	switch {
	case r == '\u0640', r == '\u00ad', r == '\u200c', r == '\u200d':
		return -1
	case unicode.Is(unicode.Mn, r) && !isVowelSign(r):
		return -1
	}
	return r
}

// isVowelSign reports whether a mark of an Indic or South-East Asian script is part of
// how a word is spelt. Nuktas, which many leave out, are not.
func isVowelSign(r rune) bool {
	if r < 0x0900 || r > 0x109f {
		return false
	}
	const nukta = 7 // the canonical combining class
	return norm.NFD.PropertiesString(string(r)).CCC() != nukta
}
