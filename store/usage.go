package store

import (
	"context"
	"database/sql"
	"fmt"

	"colloquy/classroom"
)

// Providers report the usage of a run, and an imported log may contain any number. Each
// row is limited to 0 to 10¹², and a sum to 9·10¹⁵, below 2⁵³, where JavaScript's
// integers are no longer exact. So no row can break a page that shows sums.
const (
	rowValue = `min(max(CAST(json_extract(e.data, '$.%[1]s') AS INTEGER), 0), 1000000000000)`
	rowSum   = `CAST(min(total(` + rowValue + `), 9000000000000000) AS INTEGER)`
)

var selectSums = "SELECT " + sumOf("usage.input") + ", " + sumOf("usage.output") + ", " +
	sumOf("usage.cache_read") + ", " + sumOf("usage.cache_write") + ", " + sumOf("usage.reasoning") + ",\n" +
	"CASE WHEN count(json_extract(e.data, '$.cost')) > 0 THEN " + sumOf("cost") + " END,\n" +
	"(SELECT coalesce(max(currency), '') FROM models)\nFROM "

func sumOf(field string) string { return fmt.Sprintf(rowSum, field) }

// CROSS JOIN fixes the order so that SQLite uses the run_end index.
var (
	sessionSpentQuery = selectSums + `sessions s
		CROSS JOIN events e ON e.session = s.no AND e.type = 'run_end' WHERE s.id = ?`
	classSpentQuery = selectSums + `classes c CROSS JOIN sessions s ON s.class = c.no
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

// SessionSpent returns the usage and cost of a session, summed over its run_end events.
func (s *Store) SessionSpent(ctx context.Context, id string) (classroom.Spent, error) {
	spent, err := queryOne(ctx, s.read, scanSpent, sessionSpentQuery, id)
	return spent, wrap(err, "sum usage of session %s", id)
}

// ClassSpent returns the usage and cost of a class, summed over its sessions.
func (s *Store) ClassSpent(ctx context.Context, id string) (classroom.Spent, error) {
	spent, err := queryOne(ctx, s.read, scanSpent, classSpentQuery, id)
	return spent, wrap(err, "sum usage of class %s", id)
}
