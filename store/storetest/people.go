package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"colloquy/classroom"
)

func testPeople(t *testing.T, s Store) {
	ctx := t.Context()
	if _, ok, err := s.Owner(ctx); ok || err != nil {
		t.Errorf("an empty store has an owner: %v, %v", ok, err)
	}
	owner, err := s.CreatePerson(ctx, classroom.Person{Name: "Zoë", Role: classroom.Owner}, "hash")
	if err != nil || owner.ID == "" {
		t.Fatalf("created %+v, %v", owner, err)
	}
	got, ok, err := s.Owner(ctx)
	if err != nil || !ok || !reflect.DeepEqual(got, owner) {
		t.Errorf("owner is %+v, %v, %v, want %+v", got, ok, err, owner)
	}
	for _, c := range []struct {
		what string
		p    classroom.Person
		want error
	}{
		{"a second owner", classroom.Person{Name: "Max", Role: classroom.Owner}, classroom.ErrOwnerExists},
		{"a name taken", classroom.Person{Name: "Zoë", Role: classroom.TeacherRole}, classroom.ErrNameTaken},
		{"a bad id", classroom.Person{ID: "a b", Name: "Max", Role: classroom.TeacherRole}, classroom.ErrBadRequest},
		{"a teacher", classroom.Person{Name: "Ann", Role: classroom.TeacherRole}, nil},
		{"her name, other case", classroom.Person{Name: "ANN", Role: classroom.TeacherRole}, classroom.ErrNameTaken},
		{"a pupil", classroom.Person{Name: "Ann", Role: classroom.PupilRole}, nil},
		{"a pupil of that name", classroom.Person{Name: "ann", Role: classroom.PupilRole}, nil},
		{"a pupil like the owner", classroom.Person{Name: "Zoë", Role: classroom.PupilRole}, nil},
	} {
		if _, err := s.CreatePerson(ctx, c.p, ""); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.what, err, c.want)
		}
	}
	testPersonChanges(t, s, owner)
}

// testPersonChanges has the people of testPeople.
func testPersonChanges(t *testing.T, s Store, owner classroom.Person) {
	t.Helper()
	ctx := t.Context()
	if err := s.SetPassword(ctx, owner.ID, "new"); err != nil {
		t.Fatal(err)
	}
	if p, hash, err := s.PersonByName(ctx, "Zoë"); err != nil || !reflect.DeepEqual(p, owner) || hash != "new" {
		t.Errorf("by name: %+v %q, %v", p, hash, err)
	}
	if p, err := s.Person(ctx, owner.ID); err != nil || !reflect.DeepEqual(p, owner) {
		t.Errorf("by id: %+v, %v", p, err)
	}
	for name, want := range map[string]error{"ANN": classroom.ErrNameTaken, "ZOË": nil, "Ms Osei": nil, "Zoë": nil} {
		if err := s.RenamePerson(ctx, owner.ID, name); !errors.Is(err, want) {
			t.Errorf("renamed to %s: got %v, want %v", name, err, want)
		}
	}
	if err := s.RenamePerson(ctx, owner.ID, owner.Name); err != nil {
		t.Fatal(err)
	}
	if ps, err := s.People(ctx); err != nil || len(ps) != 5 {
		t.Errorf("people are %v, %v", ps, err)
	}
	if err := s.DeletePerson(ctx, owner.ID); err != nil {
		t.Fatal(err)
	}
	_, byID := s.Person(ctx, owner.ID)
	_, _, byName := s.PersonByName(ctx, "Zoë") // a pupil is called so, and cannot sign in by name
	for what, err := range map[string]error{
		"by id": byID, "by name": byName, "password": s.SetPassword(ctx, "nobody", ""),
		"delete": s.DeletePerson(ctx, "nobody"), "rename": s.RenamePerson(ctx, "nobody", "X"),
	} {
		if !errors.Is(err, classroom.ErrNotFound) {
			t.Errorf("%s: got %v, want %v", what, err, classroom.ErrNotFound)
		}
	}
}

// testOneOwner has a class of thirty use the one sign-in link at once.
func testOneOwner(t *testing.T, s Store) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	owners := 0
	for i := range 30 {
		wg.Go(func() {
			_, err := s.CreatePerson(t.Context(), classroom.Person{Name: fmt.Sprint(i), Role: classroom.Owner}, "")
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				owners++
			case !errors.Is(err, classroom.ErrOwnerExists):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if owners != 1 {
		t.Errorf("%d owners", owners)
	}
}

func testOwnerIsNoOtherPerson(t *testing.T, s Store) {
	for _, role := range []classroom.PersonRole{classroom.TeacherRole, classroom.PupilRole} {
		if _, err := s.CreatePerson(t.Context(), classroom.Person{Name: "Ann", Role: role}, "hash"); err != nil {
			t.Fatal(err)
		}
		if p, found, err := s.Owner(t.Context()); found || err != nil {
			t.Errorf("the %s is the owner: %+v, %v", role, p, err)
		}
	}
	owner, err := s.CreatePerson(t.Context(), classroom.Person{Name: "Zoë", Role: classroom.Owner}, "hash")
	if err != nil {
		t.Fatal(err)
	}
	if p, found, err := s.Owner(t.Context()); !found || err != nil || !reflect.DeepEqual(p, owner) {
		t.Errorf("the owner is %+v, %v, %v, want %+v", p, found, err, owner)
	}
}
