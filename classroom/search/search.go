package search

import (
	"math"
	"sort"

	"colloquy/classroom/text"
)

// A Query is what somebody looks for. Any text is a question.
type Query struct {
	Question string
	Before   string // the question of the exchange before; empty if there is none
	Limit    int    // of hits; 0 means 3
	Staff    bool   // whoever asks may read what is for teachers only
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
}

const (
	defaultLimit = 3
	// leastShare is the share of a question's words by their rarity that the best passage
	// must hold. It was measured: see docs/decisions.
	leastShare = 0.5
	// nextShare is what a further passage must hold of what the best one does.
	nextShare = 0.6

	saturation    = 1.2 // k1 of BM25
	lengthPart    = 0.5 // b of BM25
	headingWeight = 2
	beforeWeight  = 0.5 // of a word of the question before
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
	var res Result
	res.Repairs = x.repair(words, q.Staff)
	hits := x.rank(words, q.Staff)
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
	if len(hits) == 0 || hits[0].Share < leastShare {
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
func (x *Index) rank(words []word, staff bool) []Hit {
	score, share := map[int32]float64{}, map[int32]float64{}
	total := 0.0
	for _, w := range words {
		found := x.frequencies(w.forms, staff)
		rarity := w.weight * x.rarity(max(len(found), 1)) // a word that is nowhere is as rare as one that is once
		total += rarity
		for passage, f := range found {
			norm := 1 - lengthPart + lengthPart*float64(x.lengths[passage])/x.mean
			score[passage] += rarity * f * (saturation + 1) / (f + saturation*norm)
			share[passage] += rarity
		}
	}
	hits := make([]Hit, 0, len(score))
	for passage, s := range score {
		part := share[passage] / total
		hits = append(hits, Hit{Passage: int(passage), Score: s * part, Share: part})
	}
	sort.Slice(hits, func(i, j int) bool {
		if hits[i].Score != hits[j].Score {
			return hits[i].Score > hits[j].Score
		}
		return hits[i].Passage < hits[j].Passage
	})
	return hits
}

// frequencies returns how often each passage holds one of the forms of a word, those of
// its headings counted double.
func (x *Index) frequencies(forms []string, staff bool) map[int32]float64 {
	out := map[int32]float64{}
	for _, form := range forms {
		for _, p := range x.postings[form] {
			if staff || !x.passages[p.passage].Staff {
				out[p.passage] = max(out[p.passage], float64(p.inText)+headingWeight*float64(p.inHeadings))
			}
		}
	}
	return out
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
