package store

import (
	"context"
	"database/sql"

	"colloquy/classroom"
)

const sumSpent = `SELECT
	coalesce(sum(json_extract(e.data, '$.usage.input')), 0),
	coalesce(sum(json_extract(e.data, '$.usage.output')), 0),
	coalesce(sum(json_extract(e.data, '$.usage.cache_read')), 0),
	coalesce(sum(json_extract(e.data, '$.usage.cache_write')), 0),
	coalesce(sum(json_extract(e.data, '$.usage.reasoning')), 0),
	sum(json_extract(e.data, '$.cost')),
	(SELECT coalesce(max(currency), '') FROM models)
	FROM `

// The order of the joins is told: whatever it guesses of the sizes, SQLite is to
// go from the sessions to the few events of theirs that the index of run ends has.
const (
	spentOfSession = sumSpent + `sessions s CROSS JOIN events e ON e.session = s.no AND e.type = 'run_end' WHERE s.id = ?`
	spentOfClass   = sumSpent + `classes c CROSS JOIN sessions s ON s.class = c.no
		CROSS JOIN events e ON e.session = s.no AND e.type = 'run_end' WHERE c.id = ?`
)

func scanSpent(scan func(...any) error) (classroom.Spent, error) {
	var out classroom.Spent
	var cost sql.NullInt64
	u := &out.Usage
	err := scan(&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.Reasoning, &cost, &out.Currency)
	if cost.Valid {
		out.Cost = &cost.Int64
	}
	return out, err
}

// SessionSpent sums what the run ends of a session's log say was used.
func (s *Store) SessionSpent(ctx context.Context, id string) (classroom.Spent, error) {
	spent, err := one(ctx, s.read, scanSpent, spentOfSession, id)
	return spent, wrap(err, "sum what session %s cost", id)
}

// ClassSpent sums what the sessions of a class used.
func (s *Store) ClassSpent(ctx context.Context, id string) (classroom.Spent, error) {
	spent, err := one(ctx, s.read, scanSpent, spentOfClass, id)
	return spent, wrap(err, "sum what class %s cost", id)
}
