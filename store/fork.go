package store

import (
	"context"

	"colloquy/classroom"
)

// ForkSession creates an idle session of the same class with a copy of the log up to
// and including the cursor at. It fails with classroom.ErrBadFork if the log has no
// such cursor. Client ids are not copied, so the fork accepts them again.
func (s *Store) ForkSession(ctx context.Context, id string, at classroom.Cursor) (classroom.Session, error) {
	old, err := s.Session(ctx, id)
	if err != nil {
		return classroom.Session{}, err
	}
	if at < 1 || at > old.Head {
		return classroom.Session{}, classroom.ErrBadFork
	}
	fork := classroom.Session{
		ID: newID(), ClassID: old.ClassID, Owner: old.Owner, Title: old.Title + " (copy)", Mode: old.Mode,
		Status: classroom.Idle, Head: at,
	}
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
	err = w.row(`SELECT max(exchange), max(CASE cursor WHEN ?2 THEN ts END) FROM events
		WHERE session = ?1 AND cursor <= ?2`, from.no, int64(fork.Head)).Scan(&fork.Exchanges, &fork.Updated)
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
