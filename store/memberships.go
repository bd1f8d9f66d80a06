package store

import (
	"context"

	"colloquy/classroom"
)

func scanMembership(scan func(...any) error) (classroom.Membership, error) {
	var m classroom.Membership
	err := scan(&m.ClassID, &m.PersonID, &m.Role)
	return m, err
}

// Memberships returns what a person is in the classes of others, oldest class first.
func (s *Store) Memberships(ctx context.Context, personID string) ([]classroom.Membership, error) {
	ms, err := queryAll(ctx, s.read, scanMembership, `SELECT c.id, m.person, m.role
		FROM memberships m JOIN classes c ON c.no = m.class WHERE m.person = ? ORDER BY c.no`, personID)
	return ms, wrap(err, "read memberships of %s", personID)
}

// SetMembership adds a person to a class, or changes what the person is there.
func (s *Store) SetMembership(ctx context.Context, m classroom.Membership) error {
	err := s.change(ctx, func(w *writer) error {
		class, err := w.classNo(m.ClassID)
		if err != nil {
			return err
		}
		w.rightsChanged = true
		return requireRow(w.exec(`INSERT INTO memberships (person, class, role) SELECT id, ?, ? FROM people WHERE id = ?
			ON CONFLICT (person, class) DO UPDATE SET role = excluded.role`, class, m.Role, m.PersonID))
	})
	return wrap(err, "add %s to class %s", m.PersonID, m.ClassID)
}

// RemoveMembership removes a person from a class.
func (s *Store) RemoveMembership(ctx context.Context, classID, personID string) error {
	err := s.change(ctx, func(w *writer) error {
		w.rightsChanged = true
		return requireRow(w.exec(`DELETE FROM memberships
			WHERE person = ? AND class = (SELECT no FROM classes WHERE id = ?)`, personID, classID))
	})
	return wrap(err, "remove %s from class %s", personID, classID)
}
