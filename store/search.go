package store

import (
	"context"
	"strings"
	"sync"

	"colloquy/classroom"
	"colloquy/classroom/material"
	"colloquy/classroom/search"
	"colloquy/classroom/text"
)

// SearchMaterials returns what a class's materials hold about a question. Any text is a
// question. Passages are empty if nothing answers it; Near are then those that hold some of
// its words. While the passages are rebuilt some may be missing: see IndexProgress.
func (s *Store) SearchMaterials(
	ctx context.Context, classID string, q classroom.MaterialQuery,
) (classroom.Found, error) {
	class, err := queryOne(ctx, s.read, scanInt, `SELECT no FROM classes WHERE id = ?`, classID)
	if err != nil {
		return classroom.Found{}, wrap(err, "search materials of class %s", classID)
	}
	x, err := s.indexes.of(ctx, s, class)
	if err != nil {
		return classroom.Found{}, wrap(err, "search materials of class %s", classID)
	}
	res := x.index.Search(search.Query(q))
	found := classroom.Found{
		Subject: res.Subject, Mentioned: res.Mentioned, Unknown: res.Unknown,
		Languages: res.Languages,
	}
	for _, r := range res.Repairs {
		found.Repairs = append(found.Repairs, classroom.SpellingRepair(r))
	}
	if found.Passages, err = s.passagesOf(ctx, x, res.Hits); err == nil {
		found.Near, err = s.passagesOf(ctx, x, res.Near)
	}
	return found, wrap(err, "search materials of class %s", classID)
}

// NextPassages returns the passages of a material that follow one of its bytes, in order.
// after is -1 for the beginning. What is for teachers only is left out unless staff is set.
func (s *Store) NextPassages(
	ctx context.Context, materialID string, after, limit int, staff bool,
) ([]classroom.Passage, error) {
	ps, err := queryAll(ctx, s.read, scanPassage, selectPassage+`
		WHERE m.id = ? AND p.first > ? AND (? OR p.staff + m.staff = 0) ORDER BY p.no LIMIT ?`,
		materialID, after, staff, limit)
	return ps, wrap(err, "read passages of material %s", materialID)
}

const selectPassage = `SELECT m.id, m.name, m.language, p.heading, p.first, p.text, p.staff + m.staff > 0
	FROM passages p JOIN materials m ON m.no = p.material `

func scanPassage(scan func(...any) error) (classroom.Passage, error) {
	var p classroom.Passage
	err := scan(&p.MaterialID, &p.Material, &p.Language, &p.Section, &p.From, &p.Text, &p.Staff)
	p.Aside = isAside(p.Section)
	return p, err
}

// passagesOf reads the passages of hits; one that was deleted a moment ago is left out.
func (s *Store) passagesOf(ctx context.Context, x *classIndex, hits []search.Hit) ([]classroom.Passage, error) {
	var out []classroom.Passage
	seen := map[string]bool{}
	for _, h := range hits {
		ps, err := queryAll(ctx, s.read, scanPassage, selectPassage+`WHERE p.no = ?`, x.passages[h.Passage])
		if err != nil {
			return nil, err
		}
		for _, p := range ps {
			if !seen[p.Text] {
				seen[p.Text] = true
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// isAside reports whether the innermost of some headings is of a list of sources.
func isAside(headings string) bool {
	return material.Aside(headings[strings.LastIndex(headings, "›")+1:])
}

// maxIndexes is how many classes have their index in memory.
const maxIndexes = 16

// indexes are the indexes of classes in memory. Each is made from the passages when it is
// first searched after a change.
type indexes struct {
	mu      sync.Mutex
	byClass map[int64]*classIndex
}

// A classIndex is the index of a class at one state of its materials.
type classIndex struct {
	mu       sync.Mutex
	state    materialState
	index    *search.Index
	passages []int64 // their numbers, by their place in the index
}

// A materialState differs whenever the passages of a class do.
type materialState struct{ count, last, changes int64 }

func (x *indexes) of(ctx context.Context, s *Store, class int64) (*classIndex, error) {
	state, err := queryOne(ctx, s.read, func(scan func(...any) error) (st materialState, err error) {
		err = scan(&st.count, &st.last, &st.changes)
		return st, err
	}, `SELECT count(*), coalesce(max(no), 0), coalesce(sum(changes), 0) FROM materials WHERE class = ?`, class)
	if err != nil {
		return nil, err
	}
	c := x.slot(class)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.index != nil && c.state == state {
		return &classIndex{index: c.index, passages: c.passages}, nil
	}
	made, err := s.readIndex(ctx, class)
	if err != nil {
		return nil, err
	}
	c.state, c.index, c.passages = state, made.index, made.passages
	return made, nil
}

// slot returns the place of a class's index. Where there are too many, others go.
func (x *indexes) slot(class int64) *classIndex {
	x.mu.Lock()
	defer x.mu.Unlock()
	if c := x.byClass[class]; c != nil {
		return c
	}
	for other := range x.byClass {
		if len(x.byClass) < maxIndexes {
			break
		}
		delete(x.byClass, other)
	}
	c := new(classIndex)
	x.byClass[class] = c
	return c
}

func (s *Store) readIndex(ctx context.Context, class int64) (*classIndex, error) {
	made := new(classIndex)
	passages, err := queryAll(ctx, s.read, func(scan func(...any) error) (p search.Passage, err error) {
		var no int64
		var heading string
		err = scan(&no, &p.Language, &p.Staff, &p.Terms, &heading, &p.Material)
		p.Aside = isAside(heading)
		made.passages = append(made.passages, no)
		return p, err
	}, `SELECT p.no, m.language, p.staff + m.staff > 0, p.terms, p.heading, p.material
		FROM passages p JOIN materials m ON m.no = p.material WHERE m.class = ? ORDER BY m.no, p.no`, class)
	if err != nil {
		return nil, err
	}
	made.index = search.New(passages, func() map[string]int { return s.wordsOf(class) })
	return made, nil
}

// wordsOf returns how often each word stands in the passages of a class. Without them
// nothing that is misspelt is repaired.
func (s *Store) wordsOf(class int64) map[string]int {
	count := map[string]int{}
	texts, err := queryAll(uninterrupted, s.read, scanText, `SELECT p.heading || char(10) || p.text
		FROM passages p JOIN materials m ON m.no = p.material WHERE m.class = ? AND p.staff + m.staff = 0`, class)
	if err != nil {
		s.logger.Error("no spelling is repaired", "class", class, "error", err)
	}
	for _, t := range texts {
		for _, w := range text.Words(t) {
			if !w.Pair && !strings.ContainsAny(w.Folded, "0123456789") {
				count[w.Folded]++
			}
		}
	}
	return count
}
