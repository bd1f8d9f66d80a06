package store

import (
	"context"
	"errors"

	"colloquy/classroom"
)

func scanPerson(scan func(...any) error) (classroom.Person, error) {
	var p classroom.Person
	err := scan(&p.ID, &p.Name, &p.Role)
	return p, err
}

const selectPerson = `SELECT id, name, role FROM people `

// CreatePerson stores a new person; an empty id is filled in. The hash is empty for
// somebody who signs in without a password. It fails with classroom.ErrNameTaken if
// another person has the name, except that pupils may share one, and with
// classroom.ErrOwnerExists if there would be two owners.
func (s *Store) CreatePerson(ctx context.Context, p classroom.Person, passwordHash string) (classroom.Person, error) {
	id, err := idOrNew(p.ID)
	if err != nil {
		return classroom.Person{}, err
	}
	p.ID = id
	err = s.change(ctx, func(w *writer) error {
		if err := w.checkPerson(p); err != nil {
			return err
		}
		_, err := w.exec(`INSERT INTO people (id, name, role, password_hash, created) VALUES (?, ?, ?, ?, ?)`,
			p.ID, p.Name, p.Role, passwordHash, int64(w.stamp()))
		return err
	})
	if err != nil {
		return classroom.Person{}, wrap(err, "create person %q", p.Name)
	}
	return p, nil
}

// RenamePerson changes a person's name. It fails with [classroom.ErrNameTaken] as
// CreatePerson does. Messages that are in the logs keep the old name.
func (s *Store) RenamePerson(ctx context.Context, id, name string) error {
	err := s.change(ctx, func(w *writer) error {
		p, err := queryOne(uninterrupted, w.conn, scanPerson, selectPerson+`WHERE id = ?`, id)
		if err != nil {
			return err
		}
		p.Name = name
		if err := w.checkPerson(p); err != nil {
			return err
		}
		return requireRow(w.exec(`UPDATE people SET name = ? WHERE id = ?`, name, id))
	})
	return wrap(err, "rename person %s", id)
}

func (w *writer) checkPerson(p classroom.Person) error {
	var nameTaken, ownerExists bool
	err := w.row(`SELECT EXISTS (SELECT 1 FROM people WHERE name = ? AND role <> 'pupil' AND id <> ?),
		EXISTS (SELECT 1 FROM people WHERE role = 'owner' AND id <> ?)`,
		p.Name, p.ID, p.ID).Scan(&nameTaken, &ownerExists)
	switch {
	case err != nil:
		return err
	case ownerExists && p.Role == classroom.Owner:
		return classroom.ErrOwnerExists
	case nameTaken && p.Role != classroom.PupilRole:
		return classroom.ErrNameTaken
	}
	return nil
}

// Person returns one person.
func (s *Store) Person(ctx context.Context, id string) (classroom.Person, error) {
	p, err := queryOne(ctx, s.read, scanPerson, selectPerson+`WHERE id = ?`, id)
	return p, wrap(err, "read person %s", id)
}

// PersonByName returns the person of that name who is not a pupil, and the hash of the
// password. Case is ignored.
func (s *Store) PersonByName(ctx context.Context, name string) (p classroom.Person, passwordHash string, err error) {
	p, err = queryOne(ctx, s.read, func(scan func(...any) error) (classroom.Person, error) {
		var p classroom.Person
		err := scan(&p.ID, &p.Name, &p.Role, &passwordHash)
		return p, err
	}, `SELECT id, name, role, password_hash FROM people WHERE name = ? AND role <> 'pupil'`, name)
	return p, passwordHash, wrap(err, "look up person %q", name)
}

// Owner returns the owner, if there is one yet.
func (s *Store) Owner(ctx context.Context) (classroom.Person, bool, error) {
	p, err := queryOne(ctx, s.read, scanPerson, selectPerson+`WHERE role = 'owner'`)
	if errors.Is(err, classroom.ErrNotFound) {
		return classroom.Person{}, false, nil
	}
	return p, err == nil, wrap(err, "look up the owner")
}

// People returns all people, the oldest account first.
func (s *Store) People(ctx context.Context) ([]classroom.Person, error) {
	ps, err := queryAll(ctx, s.read, scanPerson, selectPerson+`ORDER BY created, id`)
	return ps, wrap(err, "list people")
}

// SetPassword replaces the hash of a person's password.
func (s *Store) SetPassword(ctx context.Context, personID, passwordHash string) error {
	err := s.change(ctx, func(w *writer) error {
		return requireRow(w.exec(`UPDATE people SET password_hash = ? WHERE id = ?`, passwordHash, personID))
	})
	return wrap(err, "set password of %s", personID)
}

// DeletePerson removes a person. Their messages stay in the logs.
func (s *Store) DeletePerson(ctx context.Context, id string) error {
	err := s.change(ctx, func(w *writer) error { return requireRow(w.exec(`DELETE FROM people WHERE id = ?`, id)) })
	return wrap(err, "delete person %s", id)
}
