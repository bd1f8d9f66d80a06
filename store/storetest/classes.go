package storetest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"colloquy/classroom"
)

// Classes keeps classes, and sums and finds what happened in their sessions.
type Classes interface {
	Class(ctx context.Context, id string) (classroom.Class, error)
	Classes(ctx context.Context) ([]classroom.Class, error)
	CreateClass(ctx context.Context, c classroom.Class) (classroom.Class, error)
	UpdateClass(ctx context.Context, c classroom.Class) error
	DeleteClass(ctx context.Context, id string) error
	ClassSpent(ctx context.Context, id string) (classroom.Spent, error)
	ReviewNotes(ctx context.Context, classID string, limit int) ([]classroom.ReviewNote, error)
	ListsChanged() <-chan struct{}
}

var classChecks = checks{
	"a class is read as it was written":  testClasses,
	"a deleted class takes its sessions": testDeletedClass,
	"each change of a list is signalled": testEveryChangeOfAListIsTold,
	"every run end counts":               testSpent,
	"staff find what to review":          testReviewNotes,
}

func testClasses(t *testing.T, s Store) {
	ctx := t.Context()
	full := classroom.Class{
		Title: "Biology",
		Mode:  classroom.ModeDebate,
		Rules: classroom.Rules{Aim: "cells", Manner: "hints", Withheld: "42"},
		Roster: []classroom.Agent{
			{ID: "ada", Name: "Ada", Role: classroom.Teacher, Persona: "calm", Color: "teal", Avatar: "a",
				Tools: []string{"x"}, Priority: 2},
		},
	}
	first, err := s.CreateClass(ctx, full)
	if err != nil {
		t.Fatal(err)
	}
	if first.ID == "" || !classroom.ValidID(first.ID) || first.Created == 0 {
		t.Errorf("created %+v", first)
	}
	second, err := s.CreateClass(ctx, classroom.Class{ID: "mine", Title: "Music", Created: 7})
	if err != nil || second.ID != "mine" || second.Mode != classroom.ModeQA || second.Created != 7 {
		t.Errorf("created %+v, %v", second, err)
	}
	if _, err := s.CreateClass(ctx, classroom.Class{ID: "../up"}); !errors.Is(err, classroom.ErrBadRequest) {
		t.Errorf("an id that is none: got %v, want %v", err, classroom.ErrBadRequest)
	}
	got, err := s.Class(ctx, first.ID)
	if err != nil || !reflect.DeepEqual(got, first) {
		t.Errorf("read %+v, %v, want %+v", got, err, first)
	}
	first.Title, first.Rules.Aim, first.Roster = "Biology 2", "", nil
	if err := s.UpdateClass(ctx, first); err != nil {
		t.Fatal(err)
	}
	list, err := s.Classes(ctx)
	if err != nil || len(list) != 2 || list[0].ID != "mine" || list[1].Title != "Biology 2" ||
		len(list[1].Roster) != 0 || list[1].Created != first.Created {
		t.Errorf("list is %+v, %v", list, err)
	}
	for what, err := range map[string]error{
		"update": s.UpdateClass(ctx, classroom.Class{ID: "nobody"}), "delete": s.DeleteClass(ctx, "nobody"),
	} {
		if !errors.Is(err, classroom.ErrNotFound) {
			t.Errorf("%s of a missing class: got %v, want %v", what, err, classroom.ErrNotFound)
		}
	}
}

func testDeletedClass(t *testing.T, s Store) {
	id, other := newSession(t, s), newSession(t, s)
	class := mustSession(t, s, id).ClassID
	changed := s.Changed(id)
	if err := s.DeleteClass(t.Context(), class); err != nil {
		t.Fatal(err)
	}
	<-changed
	_, byID := s.Class(t.Context(), class)
	_, session := s.Session(t.Context(), id)
	_, appended := s.Append(t.Context(), id, 0, delta("x"))
	for what, err := range map[string]error{"class": byID, "session": session, "append": appended} {
		if !errors.Is(err, classroom.ErrNotFound) {
			t.Errorf("%s: got %v, want %v", what, err, classroom.ErrNotFound)
		}
	}
	if list, err := s.Sessions(t.Context(), ""); err != nil || len(list) != 1 || list[0].ID != other {
		t.Errorf("the sessions are %+v, %v, want those of the other class", list, err)
	}
}

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

// Every run end of a session counts, also of several attempts at one exchange.
func testSpent(t *testing.T, s Store) {
	newModel(t, s, "")
	class, err := s.CreateClass(t.Context(), classroom.Class{Title: "A"})
	if err != nil {
		t.Fatal(err)
	}
	cost := int64(1500)
	for i := range 2 {
		session, err := s.CreateSession(t.Context(), classroom.Session{ClassID: class.ID}, nil)
		if err != nil {
			t.Fatal(err)
		}
		mustAppend(t, s, session.ID, 0,
			classroom.Draft{
				Exchange: 1,
				Attempt:  1,
				Payload: classroom.RunEnd{
					Status: classroom.Failed,
					Usage:  classroom.Usage{Input: 10, CacheRead: 5},
					Cost:   &cost,
				},
			},
			classroom.Draft{
				Exchange: 1,
				Attempt:  2,
				Payload: classroom.RunEnd{
					Status: classroom.Completed,
					Usage:  classroom.Usage{Input: 20, Output: 7, Reasoning: 3, CacheWrite: 1},
				},
			},
		)
		one, err := s.SessionSpent(t.Context(), session.ID)
		want := classroom.Usage{Input: 30, Output: 7, CacheRead: 5, CacheWrite: 1, Reasoning: 3}
		if err != nil || one.Usage != want || one.Cost == nil || *one.Cost != cost || one.Currency != "EUR" {
			t.Fatalf("%+v, %v", one, err)
		}
		both, err := s.ClassSpent(t.Context(), class.ID)
		if err != nil || both.Usage.Input != 30*(i+1) || *both.Cost != cost*int64(i+1) {
			t.Fatalf("%+v, %v", both, err)
		}
	}
	other, err := s.CreateClass(t.Context(), classroom.Class{Title: "B"})
	if err != nil {
		t.Fatal(err)
	}
	if none, err := s.ClassSpent(t.Context(), other.ID); err != nil || none.Usage != (classroom.Usage{}) ||
		none.Cost != nil {
		t.Fatalf("%+v, %v", none, err)
	}
}

// testReviewNotes: messages of distress and failed runs, newest first, of one class.
func testReviewNotes(t *testing.T, s Store) {
	id, other := newSession(t, s), newSession(t, s)
	class := mustSession(t, s, id).ClassID
	end := func(status string) classroom.Draft {
		return classroom.Draft{Exchange: 1, Attempt: 1, Payload: classroom.RunEnd{Status: status}}
	}
	safety := classroom.Draft{Exchange: 2, Payload: classroom.Safety{Prompt: 2}}
	mustAppend(t, s, id, 0, message(""), end(classroom.Completed), end(classroom.Failed), safety, delta("x"))
	mustAppend(t, s, other, 0, end(classroom.Failed))
	for limit, want := range map[int][]classroom.Cursor{10: {5, 4}, 1: {5}} {
		notes, err := s.ReviewNotes(t.Context(), class, limit)
		var got []classroom.Cursor
		for _, n := range notes {
			if got = append(got, n.Event.ID); n.Session != id || n.Title != "Leaves" {
				t.Errorf("note %+v", n)
			}
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("at most %d notes: %v, %v, want %v", limit, got, err, want)
		}
	}
}
