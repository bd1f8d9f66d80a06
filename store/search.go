package store

import (
	"context"
	"strconv"
	"strings"

	"colloquy/classroom"
)

// defaultPassages is how many passages a search without a limit returns.
const defaultPassages = 8

// headingWeight is how much more a word in the headings counts than one in the
// text.
const headingWeight = 3

// SearchMaterials returns the passages of a class that answer query, best
// first, and after them a few that stand around the best. Any text is a query. A
// passage must hold two of its content words, or the only one; nothing is the
// answer where no passage does.
func (s *Store) SearchMaterials(ctx context.Context, classID, query string, limit int) ([]classroom.Passage, error) {
	class, err := queryOne(ctx, s.read, scanInt, `SELECT no FROM classes WHERE id = ?`, classID)
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
	total, err := queryOne(ctx, s.read, scanInt,
		`SELECT count(*) FROM materials m JOIN passages p ON p.material = m.no WHERE m.class = ?`, class)
	if err != nil {
		return nil, err
	}
	hits, err := s.hits(ctx, class, terms)
	if err != nil {
		return nil, err
	}
	ranked := rank(hits, terms, int(total))
	ranked = ranked[:min(len(ranked), limit+lookedAt)]
	if err := s.readPassages(ctx, ranked); err != nil {
		return nil, err
	}
	found := choose(ranked, terms, limit)
	if len(found) == 0 {
		return nil, nil
	}
	return s.around(ctx, ranked[0].no, found, limit)
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
	return queryAll(ctx, s.read, func(scan func(...any) error) (hit, error) {
		var h hit
		err := scan(&h.term, &h.passage, &h.score)
		return h, err
	}, query.String(), args...)
}

// classWord is what the index calls a class. No word of a text is like it.
func classWord(class int64) string { return "class" + strconv.FormatInt(class, 10) }

// readPassages fills in what ranked candidates say; nothing for one that was
// deleted a moment ago.
func (s *Store) readPassages(ctx context.Context, ranked []candidate) error {
	at, args := map[int64]int{}, []any{}
	for i, c := range ranked {
		at[c.no] = i
		args = append(args, c.no)
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")
	_, err := queryAll(ctx, s.read, func(scan func(...any) error) (int64, error) {
		var no int64
		p, err := scanPassage(func(to ...any) error { return scan(append(to, &no)...) })
		if err == nil {
			ranked[at[no]].passage = p
		}
		return no, err
	}, `SELECT m.id, m.name, p.section, p.text, p.no
		FROM passages p JOIN materials m ON m.no = p.material WHERE p.no IN (`+marks+`)`, args...)
	return err
}

func scanPassage(scan func(...any) error) (classroom.Passage, error) {
	var p classroom.Passage
	err := scan(&p.MaterialID, &p.Material, &p.Section, &p.Text)
	return p, err
}
