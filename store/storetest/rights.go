package storetest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"colloquy/classroom"
)

// Rights are what a store keeps of who may do what.
type Rights interface {
	Links
	Memberships
	RightsChanged() <-chan struct{}
}

// Links keeps the links by which guests come.
type Links interface {
	CreateLink(ctx context.Context, l classroom.GuestLink, tokenHash string) (classroom.GuestLink, error)
	Link(ctx context.Context, id string) (classroom.GuestLink, error)
	LinkByToken(ctx context.Context, tokenHash string) (classroom.GuestLink, error)
	Links(ctx context.Context, kind classroom.ObjectKind, object string) ([]classroom.GuestLink, error)
	RevokeLink(ctx context.Context, id string) error
}

// Memberships keeps what people are in the classes of others.
type Memberships interface {
	Memberships(ctx context.Context, personID string) ([]classroom.Membership, error)
	SetMembership(ctx context.Context, m classroom.Membership) error
	RemoveMembership(ctx context.Context, classID, personID string) error
}

func testLinks(t *testing.T, r Store) {
	session := newSession(t, r)
	given := classroom.GuestLink{
		Kind: classroom.SessionObject, Object: session, Right: classroom.Take, CreatedBy: "ada", Expires: 9000,
	}
	one, err := r.CreateLink(t.Context(), given, "hash-1")
	if err != nil || one.ID == "" || one.Created == 0 {
		t.Fatalf("created %+v, %v", one, err)
	}
	given.Right = classroom.Read
	two, err := r.CreateLink(t.Context(), given, "hash-2")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.LinkByToken(t.Context(), "hash-1"); err != nil || got != one {
		t.Errorf("the link of a token is %+v, %v, want %+v", got, err, one)
	}
	list, err := r.Links(t.Context(), classroom.SessionObject, session)
	if err != nil || !reflect.DeepEqual(list, []classroom.GuestLink{two, one}) {
		t.Errorf("the links are %+v, %v", list, err)
	}
	if other, err := r.Links(t.Context(), classroom.ClassObject, session); err != nil || len(other) != 0 {
		t.Errorf("the links of an object of another kind are %+v, %v", other, err)
	}
	for _, missing := range []string{"", "hash", "hash-1 ", one.ID} {
		if _, err := r.LinkByToken(t.Context(), missing); !errors.Is(err, classroom.ErrNotFound) {
			t.Errorf("the token %q: %v", missing, err)
		}
	}
	checkRevoke(t, r, one)
}

func checkRevoke(t *testing.T, r Rights, l classroom.GuestLink) {
	t.Helper()
	changed := r.RightsChanged()
	if err := r.RevokeLink(t.Context(), l.ID); err != nil {
		t.Fatal(err)
	}
	<-changed
	first, err := r.Link(t.Context(), l.ID)
	if err != nil || first.Revoked == 0 || first.Valid(0) {
		t.Errorf("the revoked link is %+v, %v", first, err)
	}
	if err := r.RevokeLink(t.Context(), l.ID); err != nil {
		t.Errorf("to revoke again: %v", err)
	}
	if again, err := r.Link(t.Context(), l.ID); err != nil || again != first {
		t.Errorf("to revoke again changed %+v to %+v, %v", first, again, err)
	}
	if err := r.RevokeLink(t.Context(), "missing"); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("to revoke a missing link: %v", err)
	}
}

func testMemberships(t *testing.T, r Store) {
	class := newClass(t, r)
	p, err := r.CreatePerson(t.Context(), classroom.Person{Name: "Kim", Role: classroom.PupilRole}, "")
	if err != nil {
		t.Fatal(err)
	}
	person := p.ID
	want := func(ms ...classroom.Membership) {
		t.Helper()
		got, err := r.Memberships(t.Context(), person)
		if err != nil || len(got) != len(ms) || len(ms) > 0 && !reflect.DeepEqual(got, ms) {
			t.Errorf("memberships %+v, %v, want %+v", got, err, ms)
		}
	}
	want()
	m := classroom.Membership{ClassID: class, PersonID: person, Role: classroom.PupilRole}
	for _, m.Role = range []classroom.PersonRole{classroom.PupilRole, classroom.TeacherRole} {
		changed := r.RightsChanged()
		if err := r.SetMembership(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		<-changed
		want(m)
	}
	for _, bad := range []classroom.Membership{
		{ClassID: "missing", PersonID: person, Role: m.Role}, {ClassID: class, PersonID: "missing", Role: m.Role},
	} {
		if err := r.SetMembership(t.Context(), bad); !errors.Is(err, classroom.ErrNotFound) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	changed := r.RightsChanged()
	if err := r.RemoveMembership(t.Context(), class, person); err != nil {
		t.Fatal(err)
	}
	<-changed
	want()
	if err := r.RemoveMembership(t.Context(), class, person); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("to remove nobody: %v", err)
	}
}
