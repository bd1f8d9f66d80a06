package storetest

import (
	"errors"
	"reflect"
	"testing"

	"colloquy/classroom"
)

func testFork(t *testing.T, s Store) {
	ctx, id := t.Context(), newSession(t, s)
	mustAppend(t, s, id, 0, classroom.Draft{
		Exchange: 1,
		Payload:  classroom.UserMessage{Text: "Why?", Delivery: classroom.Prompt, ClientID: "c"},
	})
	mustAppend(t, s, id, 0, classroom.Draft{Exchange: 1, Payload: classroom.RunStart{}}, delta("said"))
	mustAppend(t, s, id, 0,
		classroom.Draft{Exchange: 2, Payload: classroom.UserMessage{Text: "And?", Delivery: classroom.Prompt}})
	whole, err := s.Read(ctx, id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for at := classroom.Cursor(1); at <= 5; at++ {
		fork, err := s.ForkSession(ctx, id, at)
		if err != nil {
			t.Fatal(err)
		}
		if kept := mustSession(t, s, fork.ID); kept != fork || fork.Title != "Leaves (copy)" ||
			fork.Status != classroom.Idle || fork.Head != at {
			t.Errorf("fork at %d is %+v, kept as %+v", at, fork, kept)
		}
		events, err := s.Read(ctx, fork.ID, 0, 0)
		if err != nil || !reflect.DeepEqual(events, whole[:at]) {
			t.Errorf("fork at %d has the log %v, %v, want the prefix", at, events, err)
		}
		if got, want := fork.Exchanges, len(classroom.Of(events).Cards); got != want {
			t.Errorf("fork at %d has %d exchanges, want %d", at, got, want)
		}
		if next := mustAppend(t, s, fork.ID, 0, delta("more")); next[0].ID != at+1 {
			t.Errorf("fork at %d goes on at %d", at, next[0].ID)
		}
		if _, sent, err := s.SentBefore(ctx, fork.ID, "c"); sent || err != nil {
			t.Errorf("fork at %d: the client id of the first session is taken: %v, %v", at, sent, err)
		}
	}
	if head, err := s.Head(ctx, id); err != nil || head != 5 {
		t.Errorf("the first session ends at %d, %v, want 5", head, err)
	}
	for _, at := range []classroom.Cursor{-1, 0, 6} {
		if _, err := s.ForkSession(ctx, id, at); !errors.Is(err, classroom.ErrBadFork) {
			t.Errorf("fork at %d: got %v, want %v", at, err, classroom.ErrBadFork)
		}
	}
	if _, err := s.ForkSession(ctx, "nobody", 1); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("fork of a missing session: got %v, want %v", err, classroom.ErrNotFound)
	}
}

func testForkKeepsModeAndClass(t *testing.T, s Store) {
	class := newClass(t, s)
	for _, mode := range []string{classroom.ModeQA, classroom.ModeDebate, classroom.ModeLecture} {
		first, err := s.CreateSession(t.Context(), classroom.Session{ClassID: class, Mode: mode}, nil)
		if err != nil {
			t.Fatal(err)
		}
		fork, err := s.ForkSession(t.Context(), first.ID, 1)
		if err != nil || fork.Mode != mode || fork.ClassID != class || mustSession(t, s, fork.ID) != fork {
			t.Errorf("the fork of a %s is %+v, %v", mode, fork, err)
		}
	}
}
