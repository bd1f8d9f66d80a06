package store

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"colloquy/classroom"
)

const (
	// lookedAt is how many candidates beyond the limit have their text looked
	// at for the last word on their order.
	lookedAt = 24
	// askingWeight is what a word of asking counts beside a subject.
	askingWeight = 0.25
	// A passage must hold this share of a question's weight, or less of a long
	// one: a question about something else shares a common word or two with
	// any text.
	leastShare  = 0.4
	sharedTerms = 2
)

// A candidate is a passage with what speaks for it.
type candidate struct {
	no       int64
	subjects int
	share    float64 // of the weight of all subjects
	score    float64
	passage  classroom.Passage
}

// rank returns the passages that answer the terms, best first as far as the
// index knows.
func rank(hits []hit, terms []term, total int) []candidate {
	r := newRanking(hits, terms, total)
	byPassage := map[int64][]hit{}
	for _, h := range hits {
		byPassage[h.passage] = append(byPassage[h.passage], h)
	}
	var out []candidate
	for no, hits := range byPassage {
		c := r.candidate(no, hits)
		if c.subjects >= min(2, r.subjects) && c.share >= r.least {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, better)
	return out
}

// A ranking is what one question's candidates have in common.
type ranking struct {
	terms    []term
	names    map[int]int // how many words each name has
	subjects int
	rarity   []float64
	best     []float64
	sum      float64 // the weight of all subjects
	least    float64
}

func newRanking(hits []hit, terms []term, total int) ranking {
	r := ranking{terms: terms, names: map[int]int{}, subjects: subjects(terms)}
	r.rarity, r.best = rarities(hits, len(terms), total)
	r.least = min(leastShare, sharedTerms/float64(max(r.subjects, 1)))
	for i, t := range terms {
		r.names[t.name]++
		if !t.asking {
			r.sum += 1 + r.rarity[i]
		}
	}
	return r
}

func (r ranking) candidate(no int64, hits []hit) candidate {
	c := candidate{no: no}
	named := map[int]int{}
	for _, h := range hits {
		named[r.terms[h.term].name]++
	}
	for _, h := range hits {
		t, weight := r.terms[h.term], 0.1+r.rarity[h.term]
		if t.asking {
			weight *= askingWeight
		} else if t.name == 0 || named[t.name] == r.names[t.name] {
			c.subjects++
			c.share += (1 + r.rarity[h.term]) / r.sum
		}
		if r.best[h.term] < 0 {
			c.score += weight * h.score / r.best[h.term]
		}
	}
	return c
}

func better(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.no, b.no))
}

// rarities returns for each term how rare it is in the class, from 0 (in every
// passage) to 1 (in none), and its best score. SQLite's own weights know the
// whole file only, and are nothing for a word in more than half of it.
func rarities(hits []hit, terms, total int) (rarity, best []float64) {
	found := make([]float64, terms)
	rarity, best = make([]float64, terms), make([]float64, terms)
	for _, h := range hits {
		found[h.term]++
		best[h.term] = min(best[h.term], h.score)
	}
	n := float64(total)
	for i, f := range found {
		rarity[i] = math.Log(1+(n-f+0.5)/(f+0.5)) / math.Log(1+(n+0.5)/0.5)
	}
	return rarity, best
}

// choose orders candidates by what their text says too, and returns the best,
// each text once.
func choose(ranked []candidate, terms []term, limit int) []classroom.Passage {
	for i := range ranked {
		ranked[i].score *= fitness(ranked[i].passage, terms)
	}
	slices.SortFunc(ranked, better)
	var out []classroom.Passage
	seen := map[string]bool{"": true}
	for _, c := range ranked {
		if !seen[c.passage.Text] && len(out) < limit {
			seen[c.passage.Text] = true
			out = append(out, c.passage)
		}
	}
	return out
}

// references are headings of what a text was made from, which answers nothing.
var references = wordSet(`sources references bibliography quellen literatur bibliographie fuentes bibliografia fonti bronnen`)

// fitness is more than 1 for a passage whose own heading is about the terms,
// and for one that sets a term in bold, as texts do where they explain it.
func fitness(p classroom.Passage, terms []term) float64 {
	heading := words(p.Section[strings.LastIndex(p.Section, "›")+1:])
	if len(heading) == 1 && references[heading[0]] {
		return 0.3
	}
	fit, text := 1.0, fold(p.Text)
	named, said := 0, 0
	stop := stopWords(heading)
	for _, w := range heading {
		if stop[w] || askingWords[w] {
			continue
		}
		said++
		if slices.ContainsFunc(terms, func(t term) bool { return t.is(w) }) {
			named++
		}
	}
	if said > 0 {
		fit += 0.6 * float64(named) / float64(said)
	}
	for _, t := range terms {
		if !t.asking && t.boldIn(text) {
			fit += 0.4 / float64(subjects(terms))
		}
	}
	return fit
}

// is reports whether w is the term but for its ending.
func (t term) is(w string) bool {
	return slices.ContainsFunc(t.forms, func(form string) bool {
		short, long := form, w
		if len(short) > len(long) {
			short, long = long, short
		}
		return short == long || len(short) >= 4 && len(long)-len(short) <= 3 && strings.HasPrefix(long, short[:len(short)-1])
	})
}

// boldIn reports whether folded text begins something bold with the term.
func (t term) boldIn(text string) bool {
	return slices.ContainsFunc(t.forms, func(form string) bool {
		return strings.Contains(text, "**"+form) || strings.Contains(text, "**the "+form)
	})
}
