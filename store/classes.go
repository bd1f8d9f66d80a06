package store

import (
	"context"
	"encoding/json"
	"errors"

	"colloquy/classroom"
)

const selectClass = `SELECT id, title, mode, rules, roster, model, owner, created FROM classes `

func scanClass(scan func(...any) error) (classroom.Class, error) {
	var c classroom.Class
	var rules, roster []byte
	if err := scan(&c.ID, &c.Title, &c.Mode, &rules, &roster, &c.Model, &c.Owner, &c.Created); err != nil {
		return classroom.Class{}, err
	}
	return c, errors.Join(json.Unmarshal(rules, &c.Rules), json.Unmarshal(roster, &c.Roster))
}

// classColumns returns the rules and the roster as JSON.
func classColumns(c classroom.Class) (rules, roster string, err error) {
	if c.Roster == nil {
		c.Roster = []classroom.Agent{}
	}
	rulesJSON, err := json.Marshal(c.Rules)
	if err != nil {
		return "", "", err
	}
	rosterJSON, err := json.Marshal(c.Roster)
	return string(rulesJSON), string(rosterJSON), err
}

// CreateClass stores a new class. An empty id, mode or time is filled in.
func (s *Store) CreateClass(ctx context.Context, c classroom.Class) (classroom.Class, error) {
	id, err := idOrNew(c.ID)
	if err != nil {
		return classroom.Class{}, err
	}
	c.ID = id
	if c.Mode == "" {
		c.Mode = classroom.ModeQA
	}
	rules, roster, err := classColumns(c)
	if err != nil {
		return classroom.Class{}, wrap(err, "create class %q", c.Title)
	}
	err = s.change(ctx, func(w *writer) error {
		if c.Created == 0 {
			c.Created = w.stamp()
		}
		w.listsChanged = true
		_, err := w.exec(`INSERT INTO classes (id, title, mode, rules, roster, model, owner, created)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, c.ID, c.Title, c.Mode, rules, roster, c.Model, c.Owner, int64(c.Created))
		return err
	})
	if err != nil {
		return classroom.Class{}, wrap(err, "create class %q", c.Title)
	}
	return c, nil
}

// Class returns one class.
func (s *Store) Class(ctx context.Context, id string) (classroom.Class, error) {
	c, err := queryOne(ctx, s.read, scanClass, selectClass+`WHERE id = ?`, id)
	return c, wrap(err, "read class %s", id)
}

// Classes returns all classes, newest first.
func (s *Store) Classes(ctx context.Context) ([]classroom.Class, error) {
	cs, err := queryAll(ctx, s.read, scanClass, selectClass+`ORDER BY no DESC`)
	return cs, wrap(err, "list classes")
}

// UpdateClass replaces title, mode, rules, roster and model. Existing sessions keep
// their roster.
func (s *Store) UpdateClass(ctx context.Context, c classroom.Class) error {
	rules, roster, err := classColumns(c)
	if err != nil {
		return wrap(err, "update class %s", c.ID)
	}
	err = s.change(ctx, func(w *writer) error {
		w.listsChanged = true
		return requireRow(w.exec(`UPDATE classes SET title = ?, mode = ?, rules = ?, roster = ?, model = ?
			WHERE id = ?`, c.Title, c.Mode, rules, roster, c.Model, c.ID))
	})
	return wrap(err, "update class %s", c.ID)
}

// DeleteClass removes a class with its sessions, their logs and its materials.
func (s *Store) DeleteClass(ctx context.Context, id string) error {
	err := s.change(ctx, func(w *writer) error {
		sessions, err := queryAll(uninterrupted, w.conn, scanText,
			`SELECT s.id FROM sessions s JOIN classes c ON c.no = s.class WHERE c.id = ?`, id)
		if err != nil {
			return err
		}
		for _, session := range sessions {
			w.deleted(session)
		}
		w.listsChanged = true
		return requireRow(w.exec(`DELETE FROM classes WHERE id = ?`, id))
	})
	return wrap(err, "delete class %s", id)
}

// classNo returns the key by which other tables refer to a class.
func (w *writer) classNo(id string) (int64, error) {
	return queryOne(uninterrupted, w.conn, scanInt, `SELECT no FROM classes WHERE id = ?`, id)
}
