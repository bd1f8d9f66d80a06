package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"colloquy/classroom"
)

// Append adds drafts to the end of a session's log, all or none, and returns them as
// events once they are on disk. lease is the generation of the caller's lease, or 0 if
// the append needs none. It fails with classroom.ErrLeaseLost if the generation is not
// the session's current one, and with classroom.ErrClientIDReused if the session has a
// user_message with the same client id.
func (s *Store) Append(
	ctx context.Context, sessionID string, lease int64, drafts ...classroom.Draft,
) ([]classroom.Event, error) {
	events := make([]classroom.Event, len(drafts))
	for i, d := range drafts {
		e, err := d.Encode(0, 0)
		if err != nil {
			return nil, fmt.Errorf("append to %s: %w", sessionID, err)
		}
		events[i] = e
	}
	err := s.submit(&job{ctx: ctx, checksFirst: true, do: func(w *writer) error {
		return w.append(sessionID, lease, drafts, events)
	}})
	if err != nil {
		return nil, wrap(err, "append to %s", sessionID)
	}
	return events, nil
}

// append sets the cursors and times of events and inserts them. All its checks come
// before its first write, as job.checksFirst requires.
func (w *writer) append(id string, lease int64, drafts []classroom.Draft, events []classroom.Event) error {
	st, err := w.session(id)
	if err != nil {
		return err
	}
	if lease != 0 && (!st.leased || lease != st.generation) {
		return classroom.ErrLeaseLost
	}
	if err := w.checkClientIDs(st, drafts); err != nil || len(events) == 0 {
		return err
	}
	ts := max(w.stamp(), st.updated) // times in a log never decrease, even if the clock is set back
	stateChanged := false
	for i := range events {
		events[i].ID, events[i].Time = st.head+1, ts
		if err := w.insertEvent(st.no, events[i], drafts[i].Payload); err != nil {
			return err
		}
		stateChanged = st.apply(events[i], drafts[i].Payload) || stateChanged
	}
	w.changed(id, events...)
	w.counts.events.Add(uint64(len(events)))
	if stateChanged {
		return w.saveState(st)
	}
	return nil
}

const insertEvent = `INSERT INTO events (session, cursor, ts, type, exchange, agent, attempt, client_id, data)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

func (w *writer) insertEvent(session int64, e classroom.Event, p classroom.Payload) error {
	_, err := w.insert.ExecContext(uninterrupted, session, int64(e.ID), int64(e.Time), string(e.Type),
		e.Exchange, e.Agent, e.Attempt, clientID(p), string(e.Data))
	return err
}

// clientID returns the client id of p, or nil (NULL in the database) if it has none.
func clientID(p classroom.Payload) any {
	if m, ok := p.(classroom.UserMessage); ok && m.ClientID != "" {
		return m.ClientID
	}
	return nil
}

// checkClientIDs fails if a draft has a client id that the session, or an earlier
// draft, has already.
func (w *writer) checkClientIDs(st *sessionState, drafts []classroom.Draft) error {
	var seen map[any]bool
	for _, d := range drafts {
		id := clientID(d.Payload)
		if id == nil {
			continue
		}
		if seen == nil {
			seen = map[any]bool{}
		}
		var sent bool
		err := w.row(`SELECT EXISTS (SELECT 1 FROM events WHERE session = ? AND client_id = ?)`, st.no, id).Scan(&sent)
		if err != nil {
			return err
		}
		if sent || seen[id] {
			return classroom.ErrClientIDReused
		}
		seen[id] = true
	}
	return nil
}

const selectEvents = `SELECT e.cursor, e.ts, e.type, e.exchange, e.agent, e.attempt, e.data
	FROM sessions s JOIN events e ON e.session = s.no WHERE s.id = ? AND `

// Read returns the events after a cursor, at most limit of them, or all if limit is 0
// or less. The newest events of a session come from memory, as Append returned them;
// the caller must not change them.
func (s *Store) Read(
	ctx context.Context, sessionID string, after classroom.Cursor, limit int,
) ([]classroom.Event, error) {
	if events, ok := s.recent.after(sessionID, after, limit); ok {
		return events, ctx.Err()
	}
	if limit <= 0 {
		limit = -1
	}
	events, err := s.events(ctx, selectEvents+`e.cursor > ? ORDER BY e.cursor LIMIT ?`, sessionID, int64(after), limit)
	if err == nil && len(events) == 0 {
		_, err = s.storedHead(ctx, sessionID) // fails if there is no such session
	}
	if err != nil {
		return nil, wrap(err, "read log of %s after %d", sessionID, after)
	}
	return events, nil
}

func (s *Store) events(ctx context.Context, query string, args ...any) ([]classroom.Event, error) {
	return queryAll(ctx, s.read, scanEvent, query, args...)
}

func scanEvent(scan func(...any) error) (classroom.Event, error) {
	var e classroom.Event
	var data []byte
	err := scan(&e.ID, &e.Time, &e.Type, &e.Exchange, &e.Agent, &e.Attempt, &data)
	e.Data = json.RawMessage(data)
	return e, err
}

// storedHead reads the head of a log from the database.
func (s *Store) storedHead(ctx context.Context, sessionID string) (classroom.Cursor, error) {
	var head classroom.Cursor
	err := s.read.QueryRowContext(ctx, `SELECT e.cursor FROM sessions s JOIN events e ON e.session = s.no
		WHERE s.id = ? ORDER BY e.cursor DESC LIMIT 1`, sessionID).Scan(&head)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, classroom.ErrNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("read head of %s: %w", sessionID, err)
	}
	return head, nil
}

// SentBefore returns the session's user_message with that client id, if there is one.
func (s *Store) SentBefore(ctx context.Context, sessionID, clientID string) (classroom.Event, bool, error) {
	events, err := s.events(ctx, selectEvents+`e.client_id = ?`, sessionID, clientID)
	if err != nil {
		return classroom.Event{}, false, fmt.Errorf("look up message %s of %s: %w", clientID, sessionID, err)
	}
	if len(events) == 0 {
		return classroom.Event{}, false, nil
	}
	return events[0], true, nil
}
