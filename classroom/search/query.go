package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/classroom/text"
)

const (
	maxWords = 32       // of a question; what follows is not read
	maxQuery = 20 << 10 // bytes that are read of a question
)

// A word is a content word of a question.
type word struct {
	typed  string // as it was typed
	folded string
	forms  []string // in the languages of the index
	weight float64  // 1, or less for a word of the asking or of the question before
	known  bool     // some passage holds it
	before bool     // it comes from the question before
	name   bool     // it is written like a name
}

// leastStopWords is how many words a question has that is looked for although none of them
// is a content word, such as "to be or not to be".
const leastStopWords = 4

// wordsOf returns the content words of a question, each once. A question that has none is
// taken word by word.
func (x *Index) wordsOf(question string) []word {
	if len(question) > maxQuery {
		question = question[:maxQuery]
	}
	all := text.Words(question)
	languages := x.questionLanguages(question)
	words := x.pick(question, all, languages, true)
	if len(words) == 0 {
		words = x.pick(question, all, languages, false)
		if len(words) < leastStopWords {
			return nil
		}
	}
	subject := false
	for _, w := range words {
		subject = subject || w.weight == 1
	}
	for i := range words {
		if !subject {
			words[i].weight = 1
		}
	}
	return words
}

// questionLanguages returns the languages whose stop words a question may have.
func (x *Index) questionLanguages(question string) []string {
	if l := text.Language(question); l != "" {
		return []string{l}
	}
	if len(x.languages) == 0 {
		return []string{"en"}
	}
	return x.languages[:1]
}

const askingWeight = 0.15

func (x *Index) pick(question string, all []text.Word, languages []string, content bool) []word {
	var out []word
	seen := map[string]bool{}
	paired := map[int]bool{} // where a pair of signs begins or ends
	for _, w := range all {
		if w.Pair {
			paired[w.From] = true
			_, size := utf8.DecodeRuneInString(question[w.From:])
			paired[w.From+size] = true
		}
	}
	for _, w := range all {
		if seen[w.Folded] || len(out) == maxWords || !w.Pair && paired[w.From] {
			continue
		}
		typed := question[w.From:w.To]
		if content && isStop(w.Folded, typed, languages) {
			continue
		}
		seen[w.Folded] = true
		next := word{typed: typed, folded: w.Folded, weight: 1, forms: x.formsOf(typed)}
		next.name = w.From > 0 && isName(typed) && !slices.Contains(languages, "de")
		for _, l := range languages {
			if text.IsAsking(w.Folded, l) {
				next.weight = askingWeight
			}
		}
		out = append(out, next)
	}
	return out
}

// isName reports whether a word is written like a name: with a capital and small letters.
func isName(typed string) bool {
	first, size := utf8.DecodeRuneInString(typed)
	return unicode.IsUpper(first) && strings.ContainsFunc(typed[size:], unicode.IsLower)
}

func isStop(folded, typed string, languages []string) bool {
	for _, l := range languages {
		if text.IsStop(folded, l) {
			return true
		}
	}
	return utf8.RuneCountInString(folded) == 1 && strings.ToLower(typed) == typed && folded[0] < utf8.RuneSelf &&
		(folded[0] < '0' || folded[0] > '9')
}

// formsOf returns the forms of a word in each language of the index.
func (x *Index) formsOf(typed string) []string {
	var out []string
	seen := map[string]bool{}
	for _, l := range x.languages {
		for _, f := range text.Forms(typed, l) {
			if !seen[f] {
				seen[f] = true
				out = append(out, f)
			}
		}
	}
	return out
}

// allForms returns the forms of all words of a question, also of those that are not looked
// for.
func (x *Index) allForms(question string) map[string]bool {
	out := map[string]bool{}
	for _, w := range text.Words(question[:min(len(question), maxQuery)]) {
		for _, f := range x.formsOf(question[w.From:w.To]) {
			out[f] = true
		}
	}
	return out
}

// isKnown reports whether a passage that the searcher may read holds one of the forms.
func (x *Index) isKnown(forms []string, staff bool) bool {
	for _, f := range forms {
		for _, p := range x.postings[f] {
			if staff || !x.passages[p.passage].Staff {
				return true
			}
		}
	}
	return false
}
