package store

import (
	"bytes"
	"context"
	"encoding/json"

	"colloquy/classroom"
)

// ImportSession stores a log from another database as a new, idle session of a class,
// with its cursors and times. An empty id, title, mode or time is filled in, title and
// mode from the log. It fails with classroom.ErrBadRequest if events are no log: the
// cursors are not 1, 2, 3, …, the first event is not session_start, or an event has an
// invalid type or invalid data.
func (s *Store) ImportSession(
	ctx context.Context, session classroom.Session, events []classroom.Event,
) (classroom.Session, error) {
	id, err := idOrNew(session.ID)
	if err != nil {
		return classroom.Session{}, err
	}
	log, payloads, err := checkLog(events)
	if err != nil {
		return classroom.Session{}, err
	}
	state := replay(log, payloads)
	session.ID, session.Status, session.Exchanges = id, classroom.Idle, state.exchanges
	session.Head, session.Updated = state.head, state.updated
	if session.Title == "" {
		session.Title = state.title
	}
	if session.Mode == "" {
		session.Mode = payloads[0].(classroom.SessionStart).Mode
	}
	if session.Created == 0 {
		session.Created = log[0].Time
	}
	err = s.change(ctx, func(w *writer) error { return w.importLog(session, log, payloads) })
	if err != nil {
		return classroom.Session{}, wrap(err, "import session into class %s", session.ClassID)
	}
	return session, nil
}

// replay returns the state of a session after the events of log.
func replay(log []classroom.Event, payloads []classroom.Payload) sessionState {
	var st sessionState
	for i, e := range log {
		if start, ok := payloads[i].(classroom.SessionStart); ok {
			st.title = start.Title
		}
		st.apply(e, payloads[i])
	}
	return st
}

func (w *writer) importLog(session classroom.Session, log []classroom.Event, payloads []classroom.Payload) error {
	no, err := w.insertSession(session)
	if err != nil {
		return err
	}
	sent := map[any]bool{}
	for i, e := range log {
		p := payloads[i]
		if id := clientID(p); id != nil && sent[id] {
			p = nil // SentBefore returns the first message with a client id
		} else {
			sent[id] = true
		}
		if err := w.insertEvent(no, e, p); err != nil {
			return err
		}
	}
	return nil
}

// checkLog returns the events with their data compacted to one line, and their
// payloads; the payload of an unknown type is nil.
func checkLog(events []classroom.Event) ([]classroom.Event, []classroom.Payload, error) {
	log, payloads := make([]classroom.Event, len(events)), make([]classroom.Payload, len(events))
	for i, e := range events {
		validFields := e.ID == classroom.Cursor(i+1) && validType(e.Type) && e.Exchange >= 0 && e.Attempt >= 0
		var data bytes.Buffer
		if !validFields || json.Compact(&data, e.Data) != nil {
			return nil, nil, classroom.ErrBadRequest
		}
		e.Data = data.Bytes()
		p, err := classroom.Decode(e)
		if err != nil {
			return nil, nil, classroom.ErrBadRequest
		}
		log[i], payloads[i] = e, p
	}
	if len(payloads) == 0 {
		return nil, nil, classroom.ErrBadRequest
	}
	if _, ok := payloads[0].(classroom.SessionStart); !ok {
		return nil, nil, classroom.ErrBadRequest
	}
	return log, payloads, nil
}

// validType reports whether t can be the event field of a server-sent event, which
// ends at a line break.
func validType(t classroom.Type) bool {
	for _, r := range t {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' {
			return false
		}
	}
	return len(t) > 0 && len(t) <= 64
}
