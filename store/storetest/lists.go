package storetest

import (
	"testing"

	"colloquy/classroom"
)

func testEveryChangeOfAListIsTold(t *testing.T, s Store) {
	ctx := t.Context()
	var class classroom.Class
	var session classroom.Session
	var material classroom.Material
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"a new class", func() (err error) {
			class, err = s.CreateClass(ctx, classroom.Class{Title: "Music"})
			return err
		}},
		{"a class's new title", func() error { class.Title = "Art"; return s.UpdateClass(ctx, class) }},
		{"a new material", func() (err error) {
			material, err = s.AddMaterial(ctx, classroom.Material{ClassID: class.ID, Name: "a"}, "Leaves are green.")
			return err
		}},
		{"a deleted material", func() error { return s.DeleteMaterial(ctx, material.ID) }},
		{"a new session", func() (err error) {
			session, err = s.CreateSession(ctx, classroom.Session{ClassID: class.ID}, nil)
			return err
		}},
		{"a session's title", func() error {
			_, err := s.Append(ctx, session.ID, 0, classroom.Draft{Payload: classroom.TitleChange{Title: "Green"}})
			return err
		}},
		{"a session's status", func() error {
			_, err := s.Append(ctx, session.ID, 0, classroom.Draft{Exchange: 1, Payload: classroom.RunStart{}})
			return err
		}},
		{"a deleted session", func() error { return s.DeleteSession(ctx, session.ID) }},
		{"a deleted class", func() error { return s.DeleteClass(ctx, class.ID) }},
	} {
		changed := s.ListsChanged()
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		select {
		case <-changed:
		default:
			t.Errorf("%s was not told", step.name)
		}
	}
}
