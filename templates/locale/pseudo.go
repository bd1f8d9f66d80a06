package locale

import (
	"regexp"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

const pseudoTag = "en-XA" // "pseudo-accents", as CLDR and Chromium use it

// Pseudo returns English with accents and at least 40 % longer, under the tag en-XA. A
// word that stands unchanged beside it is in no file, and a layout that it breaks is
// too tight. A browser that asks for en-XA gets it; it is not in [Languages].
func Pseudo() *Language { return loaded().pseudo }

// value finds what stands for a value in a text.
var value = regexp.MustCompile(`\{\{[^}]*\}\}`)

var accents = strings.NewReplacer(
	"a", "å", "b", "ƀ", "c", "ç", "d", "ð", "e", "é", "f", "ƒ", "g", "ĝ", "h", "ĥ", "i", "î", "j", "ĵ", "k", "ķ",
	"l", "ļ", "m", "ɱ", "n", "ñ", "o", "ö", "p", "þ", "q", "ǫ", "r", "ŕ", "s", "š", "t", "ţ", "u", "û", "v", "ṽ",
	"w", "ŵ", "x", "ẋ", "y", "ý", "z", "ž",
	"A", "Å", "B", "Ɓ", "C", "Ç", "D", "Ð", "E", "É", "F", "Ƒ", "G", "Ĝ", "H", "Ĥ", "I", "Î", "J", "Ĵ", "K", "Ķ",
	"L", "Ļ", "M", "Ṁ", "N", "Ñ", "O", "Ö", "P", "Þ", "Q", "Ǫ", "R", "Ŕ", "S", "Š", "T", "Ţ", "U", "Û", "V", "Ṽ",
	"W", "Ŵ", "X", "Ẋ", "Y", "Ý", "Z", "Ž")

func pseudoMessages(english []*i18n.Message) []*i18n.Message {
	out := make([]*i18n.Message, len(english))
	for i, m := range english {
		out[i] = &i18n.Message{ID: m.ID, One: pseudoText(m.One), Other: pseudoText(m.Other)}
	}
	return out
}

// pseudoText puts accents on the letters of text outside its values, and adds words
// of 40 % of its length. A text without letters, such as a decimal point, stays.
func pseudoText(text string) string {
	var out strings.Builder
	letters, rest := 0, text
	add := func(words string) {
		accented := accents.Replace(words)
		if accented != words {
			letters += len(words)
		}
		out.WriteString(accented)
	}
	for at := value.FindStringIndex(rest); at != nil; at = value.FindStringIndex(rest) {
		add(rest[:at[0]])
		out.WriteString(rest[at[0]:at[1]])
		rest = rest[at[1]:]
	}
	add(rest)
	for padding := (letters*2 + 4) / 5; padding > 0; padding -= 5 {
		out.WriteString(" " + strings.Repeat("ø", min(padding, 4)))
	}
	return out.String()
}
