package store

import (
	"context"

	"colloquy/classroom"
)

// Both parts are found by an index of few rows.
const reviewQuery = `SELECT s.id, s.title, e.cursor, e.ts, e.type, e.exchange, e.agent, e.attempt, e.data,
	coalesce(json_extract(q.data, '$.author.name'), ''), coalesce(json_extract(q.data, '$.text'), '') FROM (
	SELECT e.no FROM classes c CROSS JOIN sessions s ON s.class = c.no
		CROSS JOIN events e ON e.session = s.no AND e.type = 'safety' WHERE c.id = ?1
	UNION ALL
	SELECT e.no FROM classes c CROSS JOIN sessions s ON s.class = c.no
		CROSS JOIN events e ON e.session = s.no AND e.type = 'run_end'
		WHERE c.id = ?1 AND json_extract(e.data, '$.status') = 'failed'
	ORDER BY 1 DESC LIMIT ?2) found
	JOIN events e ON e.no = found.no JOIN sessions s ON s.no = e.session
	LEFT JOIN events q ON e.type = 'safety' AND q.session = e.session AND q.cursor = json_extract(e.data, '$.prompt')
	ORDER BY e.no DESC`

func scanReviewNote(scan func(...any) error) (n classroom.ReviewNote, err error) {
	n.Event, err = scanEvent(func(columns ...any) error {
		return scan(append(append([]any{&n.Session, &n.Title}, columns...), &n.Author, &n.Text)...)
	})
	return n, err
}

// ReviewNotes returns the newest events of a class that its staff should look at, newest
// first.
func (s *Store) ReviewNotes(ctx context.Context, classID string, limit int) ([]classroom.ReviewNote, error) {
	notes, err := queryAll(ctx, s.read, scanReviewNote, reviewQuery, classID, limit)
	return notes, wrap(err, "find what to review in class %s", classID)
}

// Unreviewed returns, by the id of the class, how many messages of distress its staff has
// not marked as seen. A class without any is left out.
func (s *Store) Unreviewed(ctx context.Context) (map[string]int, error) {
	type count struct {
		class string
		n     int
	}
	counts, err := queryAll(ctx, s.read, func(scan func(...any) error) (c count, err error) {
		err = scan(&c.class, &c.n)
		return c, err
	}, `SELECT c.id, count(*) FROM classes c CROSS JOIN sessions s ON s.class = c.no
		CROSS JOIN events e ON e.session = s.no AND e.type = 'safety' AND e.ts > c.reviewed GROUP BY c.no`)
	out := map[string]int{}
	for _, c := range counts {
		out[c.class] = c.n
	}
	return out, wrap(err, "count what to review")
}

// MarkReviewed notes that the staff of a class has seen what there is to review.
func (s *Store) MarkReviewed(ctx context.Context, classID string) error {
	err := s.change(ctx, func(w *writer) error {
		w.listsChanged = true
		return requireRow(w.exec(`UPDATE classes SET reviewed = ? WHERE id = ?`, int64(w.stamp()), classID))
	})
	return wrap(err, "mark class %s as reviewed", classID)
}
