package tutor

import "strings"

// offered lists up to n topics, as names, without those that are withheld.
func (s *scene) offered(n int) []string {
	var out []string
	seen := map[string]bool{}
	topics := s.topics
	if len(topics) == 0 { // no result told them, but some had passages beside the question
		for _, f := range s.found {
			for _, p := range f.Passages {
				topics = append(topics, p.Material)
			}
		}
	}
	for _, t := range topics {
		name := title(t)
		if strings.TrimSpace(t) == "" || seen[name] || s.withheld.in(wordsOf(name)) {
			continue
		}
		seen[name] = true
		if len(out) == n {
			return append(out, "more")
		}
		out = append(out, "*"+label(name)+"*")
	}
	return out
}

// meant finds the topic that a question without a result seems to mean: one
// whose words all stand in it, or one that it misspells.
func (s *scene) meant(topics []string) string {
	own := s.question.own()
	for _, t := range topics {
		var want []string
		for _, w := range wordsOf(title(t)) {
			if !stopWords[w.fold] && !lightWords[w.fold] {
				want = append(want, w.text)
			}
		}
		if len(want) > 0 && s.holds(own, want) {
			return strings.Join(want, " ")
		}
	}
	return ""
}

func (s *scene) holds(own []term, want []string) bool {
	if s.question.kind == define && len(own) != len(want) {
		return false // "a black hole" is not about holes
	}
	for _, w := range want {
		held := false
		for _, t := range own {
			held = held || slip(t.fold, foldOf(w)) || likeness(t.stem, stemOf(foldOf(w))) > 0
		}
		if !held {
			return false
		}
	}
	return true
}

// slip reports whether a is b with a slip of the pen: up to two letters
// wrong, missing, extra or swapped in a long word, one in a shorter one.
func slip(a, b string) bool {
	x, y := []rune(a), []rune(b)
	allowed := 0
	switch n := min(len(x), len(y)); {
	case n > 40:
	case n >= 9:
		allowed = 2
	case n >= 5:
		allowed = 1
	}
	if allowed == 0 || max(len(x), len(y))-min(len(x), len(y)) > allowed {
		return a == b
	}
	return slips(x, y) <= allowed
}

// slips counts the slips between two words.
func slips(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// correct puts the words of a second search in place of those that are a slip of the pen.
func (q question) correct(query string) (corrected question, meaning string) {
	terms := append([]term(nil), q.terms...)
	for _, w := range wordsOf(query) {
		for i, t := range terms {
			if t.fold != w.fold && slip(t.fold, w.fold) {
				terms[i].word, meaning = w, w.text
			}
		}
	}
	q.terms = terms
	return q, meaning
}
