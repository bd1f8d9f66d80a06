package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"colloquy/classroom"
)

// defaultPassages is how many passages a search without a limit returns.
const defaultPassages = 8

// leastShare is how much of a question's weight a passage must hold. Rare words
// weigh more, and words that no material has weigh most: a long question about
// something else shares a common word or two with any text.
const leastShare = 0.2

// headingWeight is how much more a word in the headings counts than one in the
// text.
const headingWeight = 3

// SearchMaterials returns the passages of a class that answer query, best
// first. Any text is a query. A passage must hold two of its content words, or
// the only one; nothing is the answer where no passage does.
func (s *Store) SearchMaterials(ctx context.Context, classID, query string, limit int) ([]classroom.Passage, error) {
	class, err := one(ctx, s.read, scanNo, `SELECT no FROM classes WHERE id = ?`, classID)
	if err != nil {
		return nil, wrap(err, "search materials of class %s", classID)
	}
	terms := queryTerms(query)
	if len(terms) == 0 {
		return nil, nil
	}
	if limit <= 0 {
		limit = defaultPassages
	}
	found, err := s.search(ctx, class, terms, limit)
	return found, wrap(err, "search materials of class %s", classID)
}

func (s *Store) search(ctx context.Context, class int64, terms []term, limit int) ([]classroom.Passage, error) {
	total, err := one(ctx, s.read, scanNo, `SELECT count(*) FROM materials m JOIN passages p ON p.material = m.no WHERE m.class = ?`, class)
	if err != nil {
		return nil, err
	}
	hits, err := s.hits(ctx, class, terms)
	if err != nil {
		return nil, err
	}
	return s.passages(ctx, rank(hits, len(terms), int(total)), limit)
}

// A hit says that a passage holds a term; score is SQLite's bm25, the lower the
// better.
type hit struct {
	term    int
	passage int64
	score   float64
}

func (s *Store) hits(ctx context.Context, class int64, terms []term) ([]hit, error) {
	var query strings.Builder
	var args []any
	for i, t := range terms {
		if i > 0 {
			query.WriteString(" UNION ALL ")
		}
		query.WriteString(`SELECT ` + strconv.Itoa(i) + `, rowid, bm25(passage_index, 0, ` + strconv.Itoa(headingWeight) +
			`, 1) FROM passage_index WHERE passage_index MATCH ?`)
		args = append(args, `class : "`+classWord(class)+`" AND {section text} : (`+t.match()+`)`)
	}
	return all(ctx, s.read, func(scan func(...any) error) (hit, error) {
		var h hit
		err := scan(&h.term, &h.passage, &h.score)
		return h, err
	}, query.String(), args...)
}

// classWord is what the index calls a class. No word of a text is like it.
func classWord(class int64) string { return "class" + strconv.FormatInt(class, 10) }

// A candidate is a passage with what speaks for it.
type candidate struct {
	passage int64
	terms   int
	share   float64 // of the weight of all terms
	score   float64
}

// rank weighs each term by how rare it is in the class; SQLite's own weights
// know the whole file only, and are nothing for a word in more than half of it.
func rank(hits []hit, terms, total int) []candidate {
	found, best := make([]int, terms), make([]float64, terms)
	for _, h := range hits {
		found[h.term]++
		best[h.term] = min(best[h.term], h.score)
	}
	weights, sum := make([]float64, terms), 0.0
	for i, n := range found {
		weights[i] = math.Log(1 + (float64(total-n)+0.5)/(float64(n)+0.5))
		sum += weights[i]
	}
	byPassage := map[int64]*candidate{}
	for _, h := range hits {
		c := byPassage[h.passage]
		if c == nil {
			c = &candidate{passage: h.passage}
			byPassage[h.passage] = c
		}
		c.terms++
		c.share += weights[h.term] / sum
		if best[h.term] < 0 {
			c.score += weights[h.term] * h.score / best[h.term]
		}
	}
	var out []candidate
	for _, c := range byPassage {
		if c.terms >= min(2, terms) && c.share >= leastShare {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.passage, b.passage))
	})
	return out
}

// passages reads the best candidates, each text once.
func (s *Store) passages(ctx context.Context, ranked []candidate, limit int) ([]classroom.Passage, error) {
	var out []classroom.Passage
	seen := map[string]bool{}
	for _, c := range ranked {
		if len(out) == limit {
			break
		}
		found, err := all(ctx, s.read, scanPassage, `SELECT m.id, m.name, p.section, p.text
			FROM passages p JOIN materials m ON m.no = p.material WHERE p.no = ?`, c.passage)
		if err != nil {
			return nil, err
		}
		for _, p := range found { // none if it was deleted a moment ago
			if !seen[p.Text] {
				seen[p.Text] = true
				out = append(out, p)
			}
		}
	}
	return out, nil
}

func scanPassage(scan func(...any) error) (classroom.Passage, error) {
	var p classroom.Passage
	err := scan(&p.MaterialID, &p.Material, &p.Section, &p.Text)
	return p, err
}
