package store

import (
	"context"

	"colloquy/classroom"
)

// surroundings is how many passages around the best one are added to what was
// found: who explains an answer needs what stands beside it.
const surroundings = 3

// around adds the passages of the best one's material that stand nearest to it.
func (s *Store) around(ctx context.Context, best int64, found []classroom.Passage, limit int) ([]classroom.Passage, error) {
	room := min(surroundings, limit-len(found))
	if room <= 0 {
		return found, nil
	}
	near, err := queryAll(ctx, s.read, scanPassage, `SELECT m.id, m.name, p.section, p.text
		FROM passages p JOIN materials m ON m.no = p.material
		WHERE p.material = (SELECT material FROM passages WHERE no = ?1) AND p.no <> ?1
		ORDER BY abs(p.no - ?1), p.no LIMIT ?2`, best, room+len(found)+1)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range found {
		seen[p.Text] = true
	}
	for _, p := range near {
		if room > 0 && !seen[p.Text] && fitness(p, nil) >= 1 {
			found = append(found, p)
			room--
		}
	}
	return found, nil
}
