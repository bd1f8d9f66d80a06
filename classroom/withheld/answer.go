package withheld

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/classroom"
	"colloquy/classroom/text"
)

// A candidate is a sentence of a passage that may answer an instruction.
type candidate struct {
	at       int // of its passage
	said     string
	language string
	held     int // words of the instruction, its heading included
	own      int // those in the sentence itself
}

// addPassages adds the sentences that hold most words of the instruction. Where those have
// neither a number nor a term of their own, the answer stands beside them: then the sentences
// of their passages are added that have a word of the instruction and a number.
func (p *part) addPassages(passages []classroom.Passage) {
	var all []candidate
	best := 0
	for i, passage := range passages {
		for _, span := range text.Sentences(passage.Text) {
			said := passage.Text[span.From:span.To]
			c := candidate{i, said, passage.Language, p.held(passage.Section + "\n" + said), p.held(said)}
			all = append(all, c)
			best = max(best, min(c.held, c.own*p.size))
		}
	}
	least := best
	if p.size > 3 {
		least = best - 1
	}
	plain, chosen := true, map[int]bool{}
	for _, c := range all {
		if c.own == 0 || c.held < least || 2*c.held < p.size && c.held < best {
			continue
		}
		x := p.newSentence(c.said, c.language, false)
		plain = plain && len(x.numbers)+len(x.strong) == 0
		chosen[c.at] = true
		p.keep(x)
	}
	for _, c := range all {
		if !plain || !chosen[c.at] {
			continue
		}
		if x := p.newSentence(c.said, c.language, false); len(x.numbers)+len(x.strong) > 0 {
			p.keep(x)
		}
	}
}

// keep adds a sentence once.
func (p *part) keep(x sentence) {
	for _, y := range p.sentences {
		if y.shown == x.shown {
			return
		}
	}
	if len(p.sentences) < mostSentences {
		p.sentences = append(p.sentences, x)
	}
}

// held returns how many words of the instruction a text holds.
func (p part) held(said string) int {
	found := map[string]bool{}
	for _, w := range spoken(joinPowers(said)) {
		if p.isAsked(w.Folded) && !p.letters[w.Folded] {
			found[stem(w.Folded)] = true
		}
	}
	return len(found)
}

var power = regexp.MustCompile(`(\pL*)([\^_])\s*\{?\s*(\d+)\s*\}?`)

// joinPowers joins an exponent or an index to what it belongs to, as in x², so that it is no
// number. A number after a whole word, as in "answer_2", is one.
func joinPowers(s string) string {
	return power.ReplaceAllStringFunc(s, func(m string) string {
		parts := power.FindStringSubmatch(m)
		switch n := utf8.RuneCountInString(parts[1]); {
		case n == 0 && parts[2] == "^":
			return "n" + parts[3]
		case n == 0 || n > 1 && parts[2] == "_":
			return parts[1] + " " + parts[3]
		}
		return parts[1] + parts[3]
	})
}

func (p part) isAsked(folded string) bool {
	if p.asked[folded] {
		return true
	}
	for _, f := range forms(folded) {
		if p.asked[f] {
			return true
		}
	}
	return false
}

// newSentence reads a sentence. whole means that it is an answer and nothing else: each of
// its words stands for it.
func (p part) newSentence(said, language string, whole bool) sentence {
	x := sentence{
		shown: oneLine(said), numbers: map[string]bool{}, terms: map[string]bool{}, strong: map[string]bool{},
	}
	said = joinPowers(said)
	words := spoken(said)
	in := map[int]bool{}
	for _, n := range numbersIn(said, words) {
		if !p.hasNumber(n.value) {
			x.numbers[n.value] = true
		}
		for i := n.from; i < n.to; i++ {
			in[i] = true
		}
	}
	for i, w := range words {
		x.words = append(x.words, w.Folded)
		if p.isAsked(w.Folded) || in[i] || isStop(w.Folded) || !whole && telling[w.Folded] ||
			utf8.RuneCountInString(w.Folded) < 3 {
			continue
		}
		x.terms[stem(w.Folded)] = true
		if whole || isStrong(said, w, i, language) {
			x.strong[w.Folded] = true
		}
	}
	return x
}

// hasNumber reports whether the instruction has a number itself.
func (p part) hasNumber(value string) bool { return p.asked[value] }

// isStrong reports whether a word of a sentence may be the answer by itself: a long word, one
// that the material marks, a name.
func isStrong(said string, w text.Word, i int, language string) bool {
	typed := said[w.From:w.To]
	first, _ := utf8.DecodeRuneInString(typed)
	marked := strings.HasSuffix(said[:w.From], "*") || strings.HasPrefix(said[w.To:], "*")
	name := i > 0 && unicode.IsUpper(first) && language != "de" && utf8.RuneCountInString(typed) > 3
	return marked || name || utf8.RuneCountInString(w.Folded) >= longTerm
}

// spoken returns the words of a text, without the pairs that only a search needs.
func spoken(s string) []text.Word {
	var out []text.Word
	for _, w := range text.Words(s) {
		if !w.Pair {
			out = append(out, w)
		}
	}
	return out
}

// forms returns the forms of a folded word in the languages of the lists.
func forms(folded string) []string {
	out := []string{folded}
	for _, language := range listed {
		out = append(out, text.Forms(folded, language)...)
	}
	return out
}

// listed are the languages of the lists of words.
var listed = []string{"en", "de", "fr", "es"}

// stem is the one form by which two words are the same.
func stem(folded string) string { return text.Forms(folded, "en")[0] }

func isStop(folded string) bool {
	for _, language := range listed {
		if text.IsStop(folded, language) {
			return true
		}
	}
	return false
}

var (
	telling = wordsOf("telling") // that say "do not tell"
	counted = wordsOf("counted") // what a number before them counts
	places  = wordsOf("places")  // what a number after them names
)

func wordsOf(list string) map[string]bool {
	content, _ := data.ReadFile("data/" + list + ".txt")
	out := map[string]bool{}
	for _, w := range text.Words(string(content)) {
		out[w.Folded] = true
	}
	return out
}
