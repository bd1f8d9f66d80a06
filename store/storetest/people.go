package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"colloquy/classroom"
)

// People keeps the people who may sign in.
type People interface {
	Person(ctx context.Context, id string) (classroom.Person, error)
	Owner(ctx context.Context) (classroom.Person, bool, error)
	CreatePerson(ctx context.Context, p classroom.Person, passwordHash string) (classroom.Person, error)
	RenamePerson(ctx context.Context, id, name string) error
}

var peopleChecks = checks{
	"a person is read as it was written": testPeople,
	"there is one owner at most":         testOneOwner,
}

func testPeople(t *testing.T, s Store) {
	ctx := t.Context()
	if p, found, err := s.Owner(ctx); found || err != nil {
		t.Errorf("an empty store has the owner %+v, %v", p, err)
	}
	ann, err := s.CreatePerson(ctx, classroom.Person{Name: "Ann", Role: classroom.TeacherRole}, "hash")
	if err != nil || ann.ID == "" {
		t.Fatalf("created %+v, %v", ann, err)
	}
	if p, found, err := s.Owner(ctx); found || err != nil {
		t.Errorf("a teacher is the owner: %+v, %v", p, err)
	}
	zoe, err := s.CreatePerson(ctx, classroom.Person{ID: "zoe", Name: "Zoë", Role: classroom.Owner}, "hash")
	if err != nil || zoe.ID != "zoe" {
		t.Fatalf("created %+v, %v", zoe, err)
	}
	if p, found, err := s.Owner(ctx); !found || err != nil || !reflect.DeepEqual(p, zoe) {
		t.Errorf("the owner is %+v, %v, %v, want %+v", p, found, err, zoe)
	}
	if err := s.RenamePerson(ctx, ann.ID, "Ms Osei"); err != nil {
		t.Fatal(err)
	}
	ann.Name = "Ms Osei"
	if p, err := s.Person(ctx, ann.ID); err != nil || !reflect.DeepEqual(p, ann) {
		t.Errorf("read %+v, %v, want %+v", p, err, ann)
	}
	_, missing := s.Person(ctx, "nobody")
	_, taken := s.CreatePerson(ctx, classroom.Person{Name: "MS OSEI", Role: classroom.TeacherRole}, "")
	_, second := s.CreatePerson(ctx, classroom.Person{Name: "Max", Role: classroom.Owner}, "")
	for what, c := range map[string]struct{ got, want error }{
		"a missing person":           {missing, classroom.ErrNotFound},
		"a name taken":               {taken, classroom.ErrNameTaken},
		"a second owner":             {second, classroom.ErrOwnerExists},
		"to rename a missing person": {s.RenamePerson(ctx, "nobody", "X"), classroom.ErrNotFound},
		"to rename to a name taken":  {s.RenamePerson(ctx, zoe.ID, "Ms Osei"), classroom.ErrNameTaken},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: got %v, want %v", what, c.got, c.want)
		}
	}
}

// testOneOwner has a class of thirty use the one sign-in link at once.
func testOneOwner(t *testing.T, s Store) {
	var wg sync.WaitGroup
	made := make(chan classroom.Person, 30)
	for i := range 30 {
		wg.Go(func() {
			p, err := s.CreatePerson(t.Context(), classroom.Person{Name: fmt.Sprint(i), Role: classroom.Owner}, "")
			switch {
			case err == nil:
				made <- p
			case !errors.Is(err, classroom.ErrOwnerExists):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(made) != 1 {
		t.Errorf("%d owners", len(made))
	}
}

// Settings keeps small values by name.
type Settings interface {
	Setting(ctx context.Context, key string) (string, bool, error)
	SetSetting(ctx context.Context, key, value string) error
}

var settingChecks = checks{"a setting is its last value": testSettings}

func testSettings(t *testing.T, s Store) {
	if v, found, err := s.Setting(t.Context(), "key"); v != "" || found || err != nil {
		t.Errorf("an unset key is %q, %v, %v", v, found, err)
	}
	for _, want := range []string{"one", "two", ""} {
		if err := s.SetSetting(t.Context(), "key", want); err != nil {
			t.Fatal(err)
		}
		if v, found, err := s.Setting(t.Context(), "key"); v != want || !found || err != nil {
			t.Errorf("the key is %q, %v, %v, want %q", v, found, err, want)
		}
	}
	if v, found, err := s.Setting(t.Context(), "other"); v != "" || found || err != nil {
		t.Errorf("another key is %q, %v, %v", v, found, err)
	}
}

// Logins keeps logins by their tokens; it is the store of package scs.
type Logins interface {
	Find(token string) ([]byte, bool, error)
	Commit(token string, data []byte, expiry time.Time) error
	Delete(token string) error
}

// TestLogins checks l, which has no logins.
func TestLogins(t *testing.T, l Logins) {
	t.Helper()
	hour := time.Now().Add(time.Hour)
	err := errors.Join(l.Commit("a", []byte("one"), hour), l.Commit("a", []byte("two"), hour),
		l.Commit("b", []byte("three"), hour), l.Commit("old", []byte("four"), time.Now().Add(-time.Hour)),
		l.Delete("b"), l.Delete("never"))
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string][]byte{"a": []byte("two"), "b": nil, "old": nil, "never": nil} {
		if data, found, err := l.Find(token); err != nil || found != (want != nil) || !bytes.Equal(data, want) {
			t.Errorf("login %s is %q, %v, %v, want %q", token, data, found, err, want)
		}
	}
}
