package store

import (
	"context"

	"colloquy/classroom"
)

// The question of an exchange is the message that its run_start names.
const ledgerQuery = `WITH asked AS (
	SELECT s.no AS session, s.id, s.title, start.exchange, q.ts, q.data
	FROM classes c JOIN sessions s ON s.class = c.no
	JOIN events start ON start.session = s.no AND start.type = 'run_start'
	JOIN events q ON q.session = s.no AND q.cursor = json_extract(start.data, '$.prompt')
	WHERE c.id = ?1
	ORDER BY start.no DESC LIMIT ?2)
SELECT id, title, exchange, ts, coalesce(json_extract(data, '$.author.name'), ''), json_extract(data, '$.text'),
	coalesce((SELECT CASE json_extract(e.data, '$.status')
		WHEN 'failed' THEN 'failed' WHEN 'cancelled' THEN 'stopped'
		ELSE CASE WHEN json_extract(e.data, '$.code') = 'safety' THEN 'safety' ELSE 'done' END END
		FROM events e WHERE e.session = asked.session AND e.exchange = asked.exchange AND e.type = 'run_end'
		ORDER BY e.cursor DESC LIMIT 1), 'open'),
	EXISTS (SELECT 1 FROM events e WHERE e.session = asked.session AND e.exchange = asked.exchange
		AND e.type = 'message_end' AND (e.data LIKE '%"status":"quoted"%' OR e.data LIKE '%"status":"supported"%')),
	EXISTS (SELECT 1 FROM events e WHERE e.session = asked.session AND e.exchange = asked.exchange AND e.type = 'hint')
FROM asked ORDER BY ts DESC, exchange DESC`

func scanLedgerEntry(scan func(...any) error) (classroom.LedgerEntry, error) {
	var l classroom.LedgerEntry
	var cited, hinted bool
	err := scan(&l.Session, &l.Title, &l.Exchange, &l.Time, &l.Author, &l.Text, &l.Fate, &cited, &hinted)
	if l.Fate == "done" {
		switch {
		case cited:
			l.Fate = classroom.FateAnswered
		case hinted:
			l.Fate = classroom.FateHint
		default:
			l.Fate = classroom.FateUnsourced
		}
	}
	return l, err
}

// Ledger returns the newest questions of a class and what became of each, newest first. It
// shows what only the staff may read.
func (s *Store) Ledger(ctx context.Context, classID string, limit int) ([]classroom.LedgerEntry, error) {
	entries, err := queryAll(ctx, s.read, scanLedgerEntry, ledgerQuery, classID, limit)
	return entries, wrap(err, "list the questions of class %s", classID)
}
