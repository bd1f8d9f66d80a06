package text

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// stemmers are the Snowball stemmers, by language.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"ar": arabic.Stem, "da": danish.Stem, "nl": dutch.Stem, "en": english.Stem, "fi": finnish.Stem, "fr": french.Stem,
	"de": german.Stem, "hu": hungarian.Stem, "ga": irish.Stem, "it": italian.Stem, "no": norwegian.Stem,
	"pt": portuguese.Stem, "ro": romanian.Stem, "ru": russian.Stem, "es": spanish.Stem, "sv": swedish.Stem,
	"ta": tamil.Stem, "tr": turkish.Stem,
}

// Forms returns the forms by which a word is compared in a language: one, or two where
// accents change how it is stemmed. word is as it stands in a text. A language without a
// stemmer leaves words as they are folded.
func Forms(word, language string) []string {
	folded := Fold(word)
	stem := stemmers[language]
	if stem == nil || strings.ContainsFunc(folded, isSign) {
		return []string{folded}
	}
	first := stemFolded(folded, language, stem)
	if isASCII(word) || language == "de" { // German stems lose their umlauts themselves
		return []string{first}
	}
	if second := Fold(runStemmer(strings.ToLower(word), stem)); second != first && second != "" {
		return []string{first, second}
	}
	return []string{first}
}

func stemFolded(folded, language string, stem func(*snowballstem.Env) bool) string {
	if base, ok := irregular[language][folded]; ok {
		folded = base
	}
	if language == "de" {
		folded = withoutSpeltUmlauts(folded)
	}
	if language == "en" {
		folded = spelling(folded)
	}
	if s := runStemmer(folded, stem); s != "" {
		return s
	}
	return folded
}

func runStemmer(word string, stem func(*snowballstem.Env) bool) string {
	env := snowballstem.NewEnv(word)
	stem(env)
	return env.Current()
}

// withoutSpeltUmlauts makes one word of "Gewaesser" and "Gewässer", as Snowball's second
// German stemmer does: ue stays after q and after a vowel.
func withoutSpeltUmlauts(w string) string {
	if !strings.Contains(w, "e") {
		return w
	}
	var b strings.Builder
	for i := range len(w) {
		if w[i] == 'e' && i > 0 && strings.IndexByte("aou", w[i-1]) >= 0 {
			before := byte(0)
			if i > 1 {
				before = w[i-2]
			}
			if w[i-1] != 'u' || strings.IndexByte("aeq", before) < 0 {
				continue
			}
		}
		b.WriteByte(w[i])
	}
	return b.String()
}

// spelling makes one word of the British and the American way to write a verb.
func spelling(w string) string {
	for _, end := range []string{"ise", "ised", "ises", "ising", "isation"} {
		if root, ok := strings.CutSuffix(w, end); ok && len(root) > 3 {
			return root + "iz" + end[2:]
		}
	}
	return w
}
