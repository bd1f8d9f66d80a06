package storetest

import (
	"errors"
	"reflect"
	"testing"

	"colloquy/classroom"
)

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
