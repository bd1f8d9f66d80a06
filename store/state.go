package store

import (
	"database/sql"
	"errors"
	"fmt"

	"colloquy/classroom"
)

// maxStates bounds the writer's cache of session states.
const maxStates = 4096

// A sessionState is what an append needs to know about its session.
type sessionState struct {
	no         int64
	head       classroom.Cursor
	updated    classroom.Stamp
	title      string
	status     classroom.Status
	exchanges  int
	generation int64
	leased     bool // a lease with this generation exists
}

const selectState = `SELECT s.no, s.title, s.status, s.exchanges, s.generation, s.holder <> '', e.cursor, e.ts
	FROM sessions s JOIN events e ON e.session = s.no
	WHERE s.id = ? ORDER BY e.cursor DESC LIMIT 1`

// session returns the state of a session after the jobs that ran before.
func (w *writer) session(id string) (*sessionState, error) {
	if st, ok := w.sessions[id]; ok {
		return st, nil
	}
	st := new(sessionState)
	err := w.row(selectState, id).Scan(&st.no, &st.title, &st.status, &st.exchanges,
		&st.generation, &st.leased, &st.head, &st.updated)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, classroom.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", id, err)
	}
	if len(w.sessions) >= maxStates {
		w.dropSessions()
	}
	w.sessions[id] = st
	return st, nil
}

// apply updates the state by e and reports whether something changed that lists show.
func (st *sessionState) apply(e classroom.Event, p classroom.Payload) bool {
	before := *st
	st.head, st.updated = e.ID, e.Time
	st.exchanges = max(st.exchanges, e.Exchange)
	switch p := p.(type) {
	case classroom.RunStart, classroom.RunResume:
		st.status = classroom.Running
	case classroom.RunInterrupt:
		st.status = classroom.Interrupted
	case classroom.RunEnd:
		st.status = classroom.Idle
	case classroom.TitleChange:
		st.title = p.Title
	}
	return st.title != before.title || st.status != before.status || st.exchanges != before.exchanges
}

func (w *writer) saveState(st *sessionState) error {
	_, err := w.exec(`UPDATE sessions SET title = ?, status = ?, exchanges = ? WHERE no = ?`,
		st.title, st.status, st.exchanges, st.no)
	w.listsChanged = true
	return err
}
