package store

import (
	"context"
	"database/sql"
	"fmt"

	"colloquy/classroom"
)

// The providers say what a run used, and a log may say anything: a row counts
// from nothing to a million million, and a sum ends where numbers of other
// programs are no longer exact. So no row can break the pages that show sums.
const (
	inRow = `min(max(CAST(json_extract(e.data, '$.%[1]s') AS INTEGER), 0), 1000000000000)`
	inSum = `CAST(min(total(` + inRow + `), 9000000000000000) AS INTEGER)`
)

var selectSums = "SELECT " + sumOf("usage.input") + ", " + sumOf("usage.output") + ", " + sumOf("usage.cache_read") + ", " +
	sumOf("usage.cache_write") + ", " + sumOf("usage.reasoning") + ",\n" +
	"CASE WHEN count(json_extract(e.data, '$.cost')) > 0 THEN " + sumOf("cost") + " END,\n" +
	"(SELECT coalesce(max(currency), '') FROM models)\nFROM "

func sumOf(field string) string { return fmt.Sprintf(inSum, field) }

// The order of the joins is told: whatever it guesses of the sizes, SQLite is to
// go from the sessions to the few events of theirs that the index of run ends has.
var (
	sessionSpentQuery = selectSums + `sessions s CROSS JOIN events e ON e.session = s.no AND e.type = 'run_end' WHERE s.id = ?`
	classSpentQuery   = selectSums + `classes c CROSS JOIN sessions s ON s.class = c.no
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
	spent, err := one(ctx, s.read, scanSpent, sessionSpentQuery, id)
	return spent, wrap(err, "sum what session %s cost", id)
}

// ClassSpent sums what the sessions of a class used.
func (s *Store) ClassSpent(ctx context.Context, id string) (classroom.Spent, error) {
	spent, err := one(ctx, s.read, scanSpent, classSpentQuery, id)
	return spent, wrap(err, "sum what class %s cost", id)
}
