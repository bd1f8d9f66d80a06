package store

import (
	"errors"
	"path/filepath"
	"testing"

	"colloquy/classroom"
)

// The links of a session go with it, and the memberships of a class with it.
func TestRightsGoWithTheirObject(t *testing.T) {
	s := openStore(t, t.TempDir())
	c, err := s.CreateClass(t.Context(), classroom.Class{Title: "Optics", Owner: "somebody"})
	if err != nil {
		t.Fatal(err)
	}
	session, err := s.CreateSession(t.Context(), classroom.Session{ClassID: c.ID}, nil)
	if err != nil || session.Owner != "somebody" || mustSession(t, s, session.ID).Owner != "somebody" {
		t.Errorf("the session's owner is %q, %v", session.Owner, err)
	}
	p, err := s.CreatePerson(t.Context(), classroom.Person{Name: "Kim", Role: classroom.PupilRole}, "")
	if err != nil {
		t.Fatal(err)
	}
	m := classroom.Membership{ClassID: c.ID, PersonID: p.ID, Role: classroom.PupilRole}
	if err := s.SetMembership(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	link := classroom.GuestLink{Kind: classroom.SessionObject, Object: session.ID, Right: classroom.Read, Expires: 1}
	if link, err = s.CreateLink(t.Context(), link, "hash"); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteClass(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Link(t.Context(), link.ID); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("the link of a deleted session: %v", err)
	}
	if ms, err := s.Memberships(t.Context(), p.ID); err != nil || len(ms) != 0 {
		t.Errorf("memberships of a deleted class: %v, %v", ms, err)
	}
}

// The classes of a database from before rights belong to its owner.
func TestClassesGetTheirOwner(t *testing.T) {
	s := openStore(t, unpackVersion(t, filepath.Join("testdata", "versions", "schema-2")))
	owner, _, err := s.Owner(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	classes, err := s.Classes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range classes {
		if c.Owner != owner.ID || !classroom.Can(owner, classroom.Own, c.Object()) {
			t.Errorf("the owner of %q is %q, want %q", c.Title, c.Owner, owner.ID)
		}
	}
}
