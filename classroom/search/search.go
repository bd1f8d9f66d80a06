package search

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"colloquy/classroom/text"
)

// A Query is what somebody looks for. Any text is a question.
type Query struct {
	Question string
	Before   string // the question of the exchange before; empty if there is none
	Limit    int    // of hits; 0 means 3
	Staff    bool   // whoever asks may read what is for teachers only
	Topic    bool   // a topic to talk about and not a question: a part of it is enough
}

// A Hit is a passage that was found.
type Hit struct {
	Passage int     // its place in the index
	Score   float64 // the greater the better, within one search
	Share   float64 // of the question's words by their rarity, from 0 to 1
}

// A Result is the answer to a query. Hits are empty if no passage holds enough of the
// question; Near are then those that hold some of it.
type Result struct {
	Hits      []Hit
	Near      []Hit
	Repairs   []Repair
	Subject   []string // words of the question before that were looked for too
	Mentioned []string // the rare words of the question that some passage holds, as typed
	Unknown   []string // those that none does
	Languages []string // of the passages of the index, the most frequent first
}

const (
	defaultLimit = 3
	// leastShare is the share of a question's words by their rarity that the best passage
	// must hold. It was measured: see docs/decisions.
	leastShare = 0.52
	// nextShare is what a further passage must hold of what the best one does.
	nextShare = 0.6

	saturation    = 1.2 // k1 of BM25
	lengthPart    = 0.4 // b of BM25
	headingWeight = 2
	beforeWeight  = 0.5 // of a word of the question before
	nameWeight    = 1.6 // of a name that no passage holds
	fewUnknown    = 0.6 // of another such word, where most words of the question are known
)

// Search returns the passages that answer a question, best first.
func (x *Index) Search(q Query) Result {
	words := x.wordsOf(q.Question)
	own := x.search(q, words)
	if q.Before == "" || !refersBack(q.Question, words) && len(own.Hits) > 0 {
		return own
	}
	joined := x.withSubject(words, q.Before)
	if len(joined) == len(words) {
		return own
	}
	both := x.search(q, joined)
	for _, w := range joined[len(words):] {
		both.Subject = append(both.Subject, w.typed)
	}
	if len(both.Hits) == 0 {
		return own
	}
	return both
}

// withSubject adds the subject of the question before to the words of a question.
func (x *Index) withSubject(words []word, before string) []word {
	out := words[:len(words):len(words)]
	has := map[string]bool{}
	for _, w := range words {
		has[w.folded] = true
	}
	for _, w := range x.wordsOf(before) {
		if !has[w.folded] && w.weight == 1 && len(out) < maxWords {
			w.weight, w.before = beforeWeight, true
			out = append(out, w)
		}
	}
	return out
}

func (x *Index) search(q Query, words []word) Result {
	words = append([]word(nil), words...)
	for i := range words {
		words[i].known = x.isKnown(words[i].forms, q.Staff)
	}
	res := Result{Languages: x.languages}
	res.Repairs = x.repair(q.Question, words, q.Staff)
	hits := x.rank(words, x.allForms(q.Question), q.Staff)
	for _, w := range words {
		switch {
		case w.before || w.weight < repairedWeight:
		case w.known:
			res.Mentioned = append(res.Mentioned, w.typed)
		default:
			res.Unknown = append(res.Unknown, w.typed)
		}
	}
	limit := q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	hits = hits[:min(len(hits), limit)]
	if len(hits) == 0 || hits[0].Share < leastShare && !(q.Topic && isTopic(words)) {
		res.Near = hits
		return res
	}
	for _, h := range hits {
		if h.Share >= nextShare*hits[0].Share {
			res.Hits = append(res.Hits, h)
		}
	}
	return res
}

// rank returns the passages that hold any of the words, best first.
func (x *Index) rank(words []word, asked map[string]bool, staff bool) []Hit {
	all := make([]held, len(x.passages))
	elsewhere := unknownWeight(words)
	total, absent := 0.0, map[int64]float64{} // what the words weigh; and those that a material lacks
	for _, w := range words {
		found := x.frequencies(w.forms, staff)
		rarity := w.weight * x.rarity(max(len(found), 1)) // a word that is nowhere is as rare as one that is once
		if w.name && len(found) == 0 {
			rarity *= nameWeight
		}
		total += rarity
		last := int64(anyMaterial)
		for _, f := range found {
			norm := 1 - lengthPart + lengthPart*float64(x.lengths[f.passage])/x.mean
			h := &all[f.passage]
			h.score += rarity * f.weight * (saturation + 1) / (f.weight + saturation*norm)
			h.share += rarity
			h.first = h.first || x.isFirst(f.passage, w.forms)
			if m := x.passages[f.passage].Material; m != last { // passages of a material follow each other
				absent[m] -= rarity
				last = m
			}
		}
		if !w.name || len(found) > 0 {
			absent[anyMaterial] += rarity
		}
	}
	var hits []Hit
	for i := range all {
		h, passage := &all[i], int32(i)
		if h.share == 0 {
			continue
		}
		lacking := absent[anyMaterial] + absent[x.passages[passage].Material]
		share := h.share / (total - lacking*(1-elsewhere))
		hits = append(hits, Hit{
			Passage: i, Score: h.score * share * x.bonus(passage, h, asked), Share: share,
		})
	}
	sort.Slice(hits, func(i, j int) bool {
		if hits[i].Score != hits[j].Score {
			return hits[i].Score > hits[j].Score
		}
		return hits[i].Passage < hits[j].Passage
	})
	return hits
}

// isTopic reports whether the passages hold most words of a topic, or a name in it.
func isTopic(words []word) bool {
	known, unknown := 0, 0
	for _, w := range words {
		switch {
		case w.weight < repairedWeight:
		case w.known && w.name:
			return true
		case w.known:
			known++
		default:
			unknown++
		}
	}
	return known > unknown
}

// unknownWeight returns how much a word counts that no passage holds. Where most words are
// known, it is often one that says the same as a word of the passage.
func unknownWeight(words []word) float64 {
	known, unknown := 0, 0
	for _, w := range words {
		switch {
		case w.weight < repairedWeight || w.before:
		case w.known:
			known++
		default:
			unknown++
		}
	}
	if unknown < known {
		return fewUnknown
	}
	return 1
}

// anyMaterial is the number of no material.
const anyMaterial = -1

// held is what a passage holds of a question.
type held struct {
	score, share float64
	first        bool // its first word
}

const (
	headingBonus = 0.6  // of a passage whose innermost heading is the question
	firstBonus   = 0.15 // of a passage that begins with a word of the question
	asideFactor  = 0.3  // of a passage that lists where to read more
	openingBonus = 0.15 // of the first passage below a heading
)

// bonus is how much more a passage counts that stands under what was asked.
func (x *Index) bonus(passage int32, h *held, asked map[string]bool) float64 {
	out := 1.0 + headingBonus*x.headingShare(passage, asked)
	if h.first {
		out += firstBonus
	}
	if passage == 0 || x.headings[passage] != x.headings[passage-1] {
		out += openingBonus
	}
	if x.passages[passage].Aside {
		out *= asideFactor
	}
	return out
}

// headingShare returns how much of a passage's innermost heading was asked, by its words.
func (x *Index) headingShare(passage int32, asked map[string]bool) float64 {
	words, both := 0, 0
	for word := range strings.SplitSeq(x.headings[passage], " ") {
		if word == "" {
			continue
		}
		words++
		for form := range strings.SplitSeq(word, "/") {
			if asked[form] {
				both++
				break
			}
		}
	}
	return float64(both) / float64(max(words, 1))
}

func (x *Index) isFirst(passage int32, forms []string) bool {
	for form := range strings.SplitSeq(x.first[passage], "/") {
		if slices.Contains(forms, form) {
			return true
		}
	}
	return false
}

// A frequency is how often a passage holds a word, those of its headings counted double.
type frequency struct {
	passage int32
	weight  float64
}

// frequencies returns how often each passage holds one of the forms of a word, in the order
// of the passages.
func (x *Index) frequencies(forms []string, staff bool) []frequency {
	var out []frequency
	used := 0
	for _, form := range forms {
		list := x.postings[form]
		if len(list) > 0 {
			used++
		}
		for _, p := range list {
			if staff || !x.passages[p.passage].Staff {
				weight := float64(p.count[inText]) + headingWeight*float64(p.count[inOuter]+p.count[inInner])
				out = append(out, frequency{p.passage, weight})
			}
		}
	}
	if used < 2 {
		return out
	}
	slices.SortFunc(out, func(a, b frequency) int {
		return cmp.Or(cmp.Compare(a.passage, b.passage), cmp.Compare(b.weight, a.weight))
	})
	return slices.CompactFunc(out, func(a, b frequency) bool { return a.passage == b.passage })
}

// rarity is the inverse document frequency of a word that n passages hold.
func (x *Index) rarity(n int) float64 {
	return math.Log(1 + (float64(len(x.passages)-n)+0.5)/(float64(n)+0.5))
}

// refersBack reports whether a question leans on the one before: it has hardly a subject
// of its own, or stands for it by a pronoun.
func refersBack(question string, words []word) bool {
	subjects := 0
	for _, w := range words {
		if w.weight == 1 {
			subjects++
		}
	}
	if subjects <= 1 {
		return true
	}
	language := text.Language(question)
	if language == "" {
		language = "en"
	}
	all := text.Words(question)
	for i, w := range all {
		if text.RefersBack(w.Folded, language, i == 0) && subjects <= 3 {
			return true
		}
	}
	return false
}
