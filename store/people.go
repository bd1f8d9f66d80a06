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

// CreatePerson keeps a new person; an empty id is filled in. The hash may be
// empty for somebody who signs in without a password. Two pupils may have the
// same name, others not (classroom.ErrNameTaken); there is one owner (classroom.ErrOwnerExists).
func (s *Store) CreatePerson(ctx context.Context, p classroom.Person, passwordHash string) (classroom.Person, error) {
	id, err := idOr(p.ID)
	if err != nil {
		return classroom.Person{}, err
	}
	p.ID = id
	err = s.change(ctx, func(w *writer) error {
		if err := w.refusePerson(p); err != nil {
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

// RenamePerson gives a person another name ([classroom.ErrNameTaken] as for a new one).
// What they wrote stays under the old one.
func (s *Store) RenamePerson(ctx context.Context, id, name string) error {
	err := s.change(ctx, func(w *writer) error {
		p, err := one(uninterrupted, w.conn, scanPerson, selectPerson+`WHERE id = ?`, id)
		if err != nil {
			return err
		}
		p.Name = name
		if err := w.refusePerson(p); err != nil {
			return err
		}
		return mustHit(w.exec(`UPDATE people SET name = ? WHERE id = ?`, name, id))
	})
	return wrap(err, "rename person %s", id)
}

func (w *writer) refusePerson(p classroom.Person) error {
	var name, owner bool
	err := w.row(`SELECT EXISTS (SELECT 1 FROM people WHERE name = ? AND role <> 'pupil' AND id <> ?), EXISTS (SELECT 1 FROM people WHERE role = 'owner' AND id <> ?)`,
		p.Name, p.ID, p.ID).Scan(&name, &owner)
	switch {
	case err != nil:
		return err
	case owner && p.Role == classroom.Owner:
		return classroom.ErrOwnerExists
	case name && p.Role != classroom.PupilRole:
		return classroom.ErrNameTaken
	}
	return nil
}

// Person returns one person.
func (s *Store) Person(ctx context.Context, id string) (classroom.Person, error) {
	p, err := one(ctx, s.read, scanPerson, selectPerson+`WHERE id = ?`, id)
	return p, wrap(err, "read person %s", id)
}

// PersonByName returns the one person of that name who is not a pupil, and the
// hash of the password. Letters of either case are the same.
func (s *Store) PersonByName(ctx context.Context, name string) (p classroom.Person, passwordHash string, err error) {
	p, err = one(ctx, s.read, func(scan func(...any) error) (classroom.Person, error) {
		var p classroom.Person
		err := scan(&p.ID, &p.Name, &p.Role, &passwordHash)
		return p, err
	}, `SELECT id, name, role, password_hash FROM people WHERE name = ? AND role <> 'pupil'`, name)
	return p, passwordHash, wrap(err, "look up person %q", name)
}

// Owner returns the owner, if there is one yet.
func (s *Store) Owner(ctx context.Context) (classroom.Person, bool, error) {
	p, err := one(ctx, s.read, scanPerson, selectPerson+`WHERE role = 'owner'`)
	if errors.Is(err, classroom.ErrNotFound) {
		return classroom.Person{}, false, nil
	}
	return p, err == nil, wrap(err, "look up the owner")
}

// People returns everybody in the order of their coming.
func (s *Store) People(ctx context.Context) ([]classroom.Person, error) {
	ps, err := all(ctx, s.read, scanPerson, selectPerson+`ORDER BY created, id`)
	return ps, wrap(err, "list people")
}

// SetPassword replaces the hash of a person's password.
func (s *Store) SetPassword(ctx context.Context, personID, passwordHash string) error {
	err := s.change(ctx, func(w *writer) error {
		return mustHit(w.exec(`UPDATE people SET password_hash = ? WHERE id = ?`, passwordHash, personID))
	})
	return wrap(err, "set password of %s", personID)
}

// DeletePerson removes a person. What they wrote stays in the logs.
func (s *Store) DeletePerson(ctx context.Context, id string) error {
	err := s.change(ctx, func(w *writer) error { return mustHit(w.exec(`DELETE FROM people WHERE id = ?`, id)) })
	return wrap(err, "delete person %s", id)
}
