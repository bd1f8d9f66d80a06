package store

import (
	"testing"

	"colloquy/classroom"
)

// openStore returns an open store in dir that the test closes.
func openStore(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// newSession returns the id of a session in a class of its own.
func newSession(t testing.TB, s *Store) string {
	t.Helper()
	c, err := s.CreateClass(t.Context(), classroom.Class{Title: "Biology 7b", Roster: []classroom.Agent{{ID: "ada", Name: "Ada", Role: classroom.Teacher}}})
	if err != nil {
		t.Fatal(err)
	}
	session, err := s.CreateSession(t.Context(), classroom.Session{ClassID: c.ID, Title: "Leaves"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return session.ID
}

func TestSmoke(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	bell := s.Bell(id)
	ev, err := s.Append(t.Context(), id, 0, classroom.Draft{Exchange: 1, Payload: classroom.UserMessage{Text: "Why?", ClientID: "c1"}})
	if err != nil {
		t.Fatal(err)
	}
	<-bell
	got, err := s.Read(t.Context(), id, 0, 0)
	t.Log(ev, got, err)
	m, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: mustSession(t, s, id).ClassID, Name: "Photo"}, "# Photosynthesis\n\nLeaves are green because chlorophyll reflects green light.\n\n## Light\n\nPlants store energy as sugar.")
	t.Log(m, err)
	ps, err := s.SearchMaterials(t.Context(), m.ClassID, "Why are leaves green?", 3)
	t.Log(ps, err)
	ps, err = s.SearchMaterials(t.Context(), m.ClassID, "What is a black hole", 3)
	t.Log(ps, err)
	f, err := s.ForkSession(t.Context(), id, 2)
	t.Log(f, err)
	if err := s.Backup(t.Context(), t.TempDir()+"/b.db"); err != nil {
		t.Error(err)
	}
	st, err := s.Stats(t.Context())
	t.Log(st, err)
}

func mustSession(t testing.TB, s *Store, id string) classroom.Session {
	t.Helper()
	v, err := s.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
