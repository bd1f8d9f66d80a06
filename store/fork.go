package store

import (
	"context"

	"colloquy/classroom"
)

// ForkSession makes a new, idle session of the same class whose log is that of
// the first up to and including a cursor. classroom.ErrBadFork refuses a
// cursor that the log does not have. The client ids of its messages are the first
// session's: in the fork they can be used again.
func (s *Store) ForkSession(ctx context.Context, id string, at classroom.Cursor) (classroom.Session, error) {
	old, err := s.Session(ctx, id)
	if err != nil {
		return classroom.Session{}, err
	}
	if at < 1 || at > old.Head {
		return classroom.Session{}, classroom.ErrBadFork
	}
	fork := classroom.Session{ID: newID(), ClassID: old.ClassID, Title: old.Title + " (copy)", Mode: old.Mode, Status: classroom.Idle, Head: at}
	err = s.change(ctx, func(w *writer) error { return w.fork(&fork, id) })
	if err != nil {
		return classroom.Session{}, wrap(err, "fork session %s at %d", id, at)
	}
	return fork, nil
}

func (w *writer) fork(fork *classroom.Session, id string) error {
	from, err := w.session(id)
	if err != nil {
		return err
	}
	fork.Created = w.stamp()
	err = w.row(`SELECT max(exchange), max(CASE cursor WHEN ?2 THEN ts END) FROM events WHERE session = ?1 AND cursor <= ?2`,
		from.no, int64(fork.Head)).Scan(&fork.Exchanges, &fork.Updated)
	if err != nil {
		return err
	}
	no, err := w.insertSession(*fork)
	if err != nil {
		return err
	}
	_, err = w.exec(`INSERT INTO events (session, cursor, ts, type, exchange, agent, attempt, client_id, data)
		SELECT ?, cursor, ts, type, exchange, agent, attempt, NULL, data FROM events WHERE session = ? AND cursor <= ?`,
		no, from.no, int64(fork.Head))
	return err
}
