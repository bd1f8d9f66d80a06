package store

import (
	"context"

	"colloquy/classroom"
)

const selectSession = `SELECT s.id, c.id, c.owner, s.title, s.mode, s.status, e.cursor, s.exchanges, s.created, e.ts
	FROM sessions s JOIN classes c ON c.no = s.class
	JOIN events e ON e.session = s.no AND e.cursor = (SELECT max(cursor) FROM events WHERE session = s.no) `

func scanSession(scan func(...any) error) (classroom.Session, error) {
	var s classroom.Session
	err := scan(&s.ID, &s.ClassID, &s.Owner, &s.Title, &s.Mode, &s.Status,
		&s.Head, &s.Exchanges, &s.Created, &s.Updated)
	return s, err
}

// CreateSession stores a new session and begins its log with session_start. An empty
// id, mode or time and a nil roster are filled in, mode and roster from the class.
func (s *Store) CreateSession(
	ctx context.Context, session classroom.Session, roster []classroom.Agent,
) (classroom.Session, error) {
	id, err := idOrNew(session.ID)
	if err != nil {
		return classroom.Session{}, err
	}
	class, err := s.Class(ctx, session.ClassID)
	if err != nil {
		return classroom.Session{}, err
	}
	session.ID, session.Status, session.Exchanges, session.Owner = id, classroom.Idle, 0, class.Owner
	if session.Mode == "" {
		session.Mode = class.Mode
	}
	if roster == nil {
		roster = class.Roster
	}
	err = s.change(ctx, func(w *writer) error { return w.createSession(&session, roster) })
	if err != nil {
		return classroom.Session{}, wrap(err, "create session in class %s", session.ClassID)
	}
	return session, nil
}

func (w *writer) createSession(s *classroom.Session, roster []classroom.Agent) error {
	now := w.stamp()
	if s.Created == 0 {
		s.Created = now
	}
	no, err := w.insertSession(*s)
	if err != nil {
		return err
	}
	start := classroom.SessionStart{ClassID: s.ClassID, Title: s.Title, Mode: s.Mode, Rounds: s.Rounds, Roster: roster}
	e, err := classroom.Draft{Payload: start}.Encode(1, now)
	if err != nil {
		return err
	}
	s.Head, s.Updated = e.ID, e.Time
	return w.insertEvent(no, e, start)
}

func (w *writer) insertSession(s classroom.Session) (int64, error) {
	class, err := w.classNo(s.ClassID)
	if err != nil {
		return 0, err
	}
	r, err := w.exec(`INSERT INTO sessions (id, class, title, mode, status, exchanges, created)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, s.ID, class, s.Title, s.Mode, s.Status, s.Exchanges, int64(s.Created))
	if err != nil {
		return 0, err
	}
	w.listsChanged = true
	w.changed(s.ID)
	return r.LastInsertId()
}

// Session returns one session.
func (s *Store) Session(ctx context.Context, id string) (classroom.Session, error) {
	found, err := queryOne(ctx, s.read, scanSession, selectSession+`WHERE s.id = ?`, id)
	return found, wrap(err, "read session %s", id)
}

// Sessions returns the sessions of a class, or of all classes for an empty id,
// newest first.
func (s *Store) Sessions(ctx context.Context, classID string) ([]classroom.Session, error) {
	where, args := `WHERE c.id = ? `, []any{classID}
	if classID == "" {
		where, args = ``, nil
	}
	found, err := queryAll(ctx, s.read, scanSession, selectSession+where+`ORDER BY s.no DESC`, args...)
	return found, wrap(err, "list sessions of class %q", classID)
}

// Unfinished returns the ids of the sessions that are not idle, oldest first.
func (s *Store) Unfinished(ctx context.Context) ([]string, error) {
	ids, err := queryAll(ctx, s.read, scanText, `SELECT id FROM sessions WHERE status <> 'idle' ORDER BY no`)
	return ids, wrap(err, "list unfinished sessions")
}

// DeleteSession removes a session and its log.
func (s *Store) DeleteSession(ctx context.Context, id string) error {
	err := s.change(ctx, func(w *writer) error {
		w.deleted(id)
		w.listsChanged = true
		return requireRow(w.exec(`DELETE FROM sessions WHERE id = ?`, id))
	})
	return wrap(err, "delete session %s", id)
}
