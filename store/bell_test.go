package store

import (
	"fmt"
	"testing"
	"time"

	"colloquy/classroom"
)

func rung(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// TestBellsAreForgotten asks for the bells of many sessions that nothing ever
// happens in.
func TestBellsAreForgotten(t *testing.T) {
	b := newBells()
	now := b.turned
	b.now = func() time.Time { return now }
	first := b.of("first")
	for minute := range 10 {
		for i := range 1000 {
			b.of(fmt.Sprintf("%d/%d", minute, i))
		}
		now = now.Add(bellLife)
	}
	b.of("last")
	if kept := len(b.young) + len(b.old); kept > 1001 {
		t.Errorf("%d bells are kept, want those of one life at most", kept)
	}
	if !rung(first) {
		t.Error("a forgotten bell was not rung: its listener waits for ever")
	}
}

func TestBellIsSharedAndRungOnce(t *testing.T) {
	b := newBells()
	now := b.turned
	b.now = func() time.Time { return now }
	one, two, other := b.of("a"), b.of("a"), b.of("b")
	now = now.Add(bellLife)
	old := b.of("a") // of the life before
	b.ring([]string{"a", "a", "never asked for"}, false)
	if !rung(one) || !rung(two) || !rung(old) {
		t.Error("a listener did not hear the bell")
	}
	if rung(other) {
		t.Error("the bell of another session rang")
	}
	if rung(b.of("a")) {
		t.Error("a new bell has rung already")
	}
}

// TestLobby rings for everything that lists show, and not for plain text.
func TestLobby(t *testing.T) {
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	class, id := newClass(t, s), newSession(t, s)
	appends := func(p classroom.Payload) func() error {
		return func() error {
			_, err := s.Append(ctx, id, 0, classroom.Draft{Exchange: 1, Payload: p})
			return err
		}
	}
	var material classroom.Material
	for _, step := range []struct {
		what string
		do   func() error
		want bool
	}{
		{"a first question", appends(classroom.UserMessage{Text: "Why?"}), true},
		{"a delta", appends(classroom.MessageUpdate{Delta: "x"}), false},
		{"a run's start", appends(classroom.RunStart{}), true},
		{"a run's end", appends(classroom.RunEnd{}), true},
		{"a title", appends(classroom.TitleChange{Title: "New"}), true},
		{"the same title", appends(classroom.TitleChange{Title: "New"}), false},
		{"a class", func() error { _, err := s.CreateClass(ctx, classroom.Class{}); return err }, true},
		{"a changed class", func() error { return s.UpdateClass(ctx, classroom.Class{ID: class, Title: "8b"}) }, true},
		{"a session", func() error {
			_, err := s.CreateSession(ctx, classroom.Session{ClassID: class}, nil)
			return err
		}, true},
		{"a fork", func() error { _, err := s.ForkSession(ctx, id, 2); return err }, true},
		{"a material", func() (err error) {
			material, err = s.AddMaterial(ctx, classroom.Material{ClassID: class, Name: "a"}, "text")
			return err
		}, true},
		{"a material's end", func() error { return s.DeleteMaterial(ctx, material.ID) }, true},
		{"a session's end", func() error { return s.DeleteSession(ctx, id) }, true},
		{"a class's end", func() error { return s.DeleteClass(ctx, class) }, true},
		{"a setting", func() error { return s.SetSetting(ctx, "a", "b") }, false},
	} {
		lobby := s.Lobby()
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		if got := rung(lobby); got != step.want {
			t.Errorf("%s: the lobby heard %v, want %v", step.what, got, step.want)
		}
	}
}
