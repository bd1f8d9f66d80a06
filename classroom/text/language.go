package text

import (
	"embed"
	"maps"
	"slices"
	"strings"
	"unicode"
)

//go:embed data/*.txt
var data embed.FS

// stopWords are the words of each language that say nothing of a subject, folded.
var stopWords = readLists("stop")

// irregular holds, for each language, the base of words whose forms no stemmer knows to
// be one word.
var irregular = readIrregular()

// readLists reads the files data/KIND.LANGUAGE.txt.
func readLists(kind string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for language, content := range readData(kind) {
		set := map[string]bool{}
		for _, w := range strings.Fields(content) {
			set[Fold(w)] = true
		}
		out[language] = set
	}
	return out
}

func readIrregular() map[string]map[string]string {
	out := map[string]map[string]string{}
	for language, content := range readData("irregular") {
		base := map[string]string{}
		for line := range strings.Lines(content) {
			words := strings.Fields(line)
			for _, w := range words {
				base[Fold(w)] = Fold(words[0])
			}
		}
		out[language] = base
	}
	return out
}

func readData(kind string) map[string]string {
	out := map[string]string{}
	files, _ := data.ReadDir("data")
	for _, f := range files {
		if rest, ok := strings.CutPrefix(f.Name(), kind+"."); ok {
			content, _ := data.ReadFile("data/" + f.Name())
			out[strings.TrimSuffix(rest, ".txt")] = string(content)
		}
	}
	return out
}

// IsStop reports whether a folded word of a language says nothing of a subject. Of a
// language without a list no word does.
func IsStop(folded, language string) bool { return stopWords[language][folded] }

// languages are those with a list of stop words, in a fixed order.
var languages = slices.Sorted(maps.Keys(stopWords))

const languageSample = 8 << 10 // bytes of a text that are read to tell its language

// scripts tell the language of a text that is written in one of them.
var scripts = []struct {
	table    *unicode.RangeTable
	language string
}{
	{unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hangul, "ko"}, {unicode.Han, "zh"},
	{unicode.Thai, "th"}, {unicode.Greek, "el"}, {unicode.Hebrew, "he"}, {unicode.Tamil, "ta"},
	{unicode.Devanagari, "hi"}, {unicode.Arabic, "ar"}, {unicode.Cyrillic, "ru"},
}

// Language returns the language of a text (ISO 639-1), or "" where the text does not tell:
// it has too few of the words by which languages differ.
func Language(s string) string {
	if len(s) > languageSample {
		s = strings.ToValidUTF8(s[:languageSample], "")
	}
	if l := languageOfScript(s); l != "" {
		return l
	}
	count := map[string]int{}
	for _, w := range Words(s) {
		for _, l := range languages {
			if stopWords[l][w.Folded] {
				count[l]++
			}
		}
	}
	best, second := "", 0
	for _, l := range languages {
		switch n := count[l]; {
		case best == "" || n > count[best]:
			second = count[best]
			best = l
		case n > second:
			second = n
		}
	}
	if count[best] == 0 || count[best] == second {
		return ""
	}
	return best
}

// languageOfScript returns the language of a text most of whose letters are of a script
// other than Latin.
func languageOfScript(s string) string {
	count := map[string]int{}
	letters := 0
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		if r < 0x0370 {
			continue
		}
		for _, sc := range scripts {
			if unicode.Is(sc.table, r) {
				count[sc.language]++
				break
			}
		}
	}
	if count["ja"] > 0 && 10*count["ja"] > count["zh"] { // Japanese is written with Chinese signs too
		count["ja"] += count["zh"]
	}
	for _, sc := range scripts {
		if n := count[sc.language]; n > 0 && 2*n > letters {
			return sc.language
		}
	}
	return ""
}

// askingWords are what a question says of itself rather than of its subject, folded.
var askingWords = readLists("asking")

// IsAsking reports whether a folded word of a language may belong to the asking rather
// than to the subject, such as "explain". It may be a subject where there is no other.
func IsAsking(folded, language string) bool { return askingWords[language][folded] }

// pronouns stand for something that was said before; openers continue what was said.
var pronouns, openers = readLists("pronoun"), readLists("opener")

// RefersBack reports whether a folded word of a language refers to what was said before;
// first says that it begins a question.
func RefersBack(folded, language string, first bool) bool {
	return pronouns[language][folded] || first && openers[language][folded]
}
