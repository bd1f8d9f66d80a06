package store

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"colloquy/classroom"
)

func TestClasses(t *testing.T) {
	s := openStore(t, t.TempDir())
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

func TestDeleteClassTakesAll(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	class := mustSession(t, s, id).ClassID
	other := newSession(t, s)
	mustAppend(t, s, id, delta("x"))
	leaves := classroom.Material{ClassID: class, Name: "a"}
	if _, err := s.AddMaterial(t.Context(), leaves, "Leaves are green."); err != nil {
		t.Fatal(err)
	}
	changed := s.Changed(id)
	if err := s.DeleteClass(t.Context(), class); err != nil {
		t.Fatal(err)
	}
	if !isClosed(changed) {
		t.Error("the readers of its session were not woken")
	}
	if _, err := s.Append(t.Context(), id, 0, delta("x")); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("append to a session of a deleted class: got %v, want %v", err, classroom.ErrNotFound)
	}
	for table, want := range map[string]int{
		"classes": 1, "sessions": 1, "events": 1, "materials": 0, "passages": 0, "passage_index_docsize": 0,
	} {
		var n int
		if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil || n != want {
			t.Errorf("%s holds %d rows, %v, want %d", table, n, err, want)
		}
	}
	if got := mustSession(t, s, other); got.Head != 1 {
		t.Errorf("the other class's session is %+v", got)
	}
}

func TestSessionStart(t *testing.T) {
	s := openStore(t, t.TempDir())
	ctx, class := t.Context(), newClass(t, s)
	created, err := s.CreateSession(ctx, classroom.Session{ClassID: class, Title: "Leaves"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := classroom.Session{
		ID:      created.ID,
		ClassID: class,
		Title:   "Leaves",
		Mode:    classroom.ModeQA,
		Status:  classroom.Idle,
		Head:    1,
		Created: created.Created,
		Updated: created.Created,
	}
	if created != want || mustSession(t, s, created.ID) != want {
		t.Errorf("created %+v, kept %+v, want %+v", created, mustSession(t, s, created.ID), want)
	}
	events, err := s.Read(ctx, created.ID, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := classroom.Of(events)
	if f.Title != "Leaves" || f.ClassID != class || f.Mode != classroom.ModeQA || len(f.Roster) != 1 ||
		f.Roster[0].ID != "ada" {
		t.Errorf("the log begins with %+v, want the session with its class's roster", f)
	}
	narrow := []classroom.Agent{{ID: "bo", Name: "Bo", Role: classroom.Student}}
	created, err = s.CreateSession(ctx,
		classroom.Session{ID: "mine", ClassID: class, Mode: classroom.ModeDebate, Created: 7}, narrow)
	if err != nil || created.ID != "mine" || created.Mode != classroom.ModeDebate || created.Created != 7 {
		t.Errorf("created %+v, %v", created, err)
	}
	events, err = s.Read(ctx, "mine", 0, 0)
	if err != nil || classroom.Of(events).Roster[0].ID != "bo" {
		t.Errorf("the log begins with %+v, %v, want the roster that was given", classroom.Of(events).Roster, err)
	}
	_, err = s.CreateSession(ctx, classroom.Session{ClassID: "nobody"}, nil)
	if !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("a missing class: got %v, want %v", err, classroom.ErrNotFound)
	}
	if _, err := s.CreateSession(ctx, classroom.Session{ID: "mine", ClassID: class}, nil); err == nil {
		t.Error("an id was accepted twice")
	}
}

// TestSessionsFollowTheLog compares what lists show after each event with what
// the fold of the log shows.
func TestSessionsFollowTheLog(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	steps := []classroom.Draft{
		{Exchange: 1, Payload: classroom.UserMessage{Text: "Why?", Delivery: classroom.Prompt}},
		{Exchange: 1, Attempt: 1, Payload: classroom.RunStart{Prompt: 2}},
		{Exchange: 1, Attempt: 1, Agent: "ada", Payload: classroom.AgentStart{Name: "Ada", Role: classroom.Teacher}},
		{Exchange: 1, Attempt: 1, Payload: classroom.RunInterrupt{Reason: "crash"}},
		{Exchange: 1, Attempt: 2, Payload: classroom.RunResume{Reason: "restart"}},
		{Exchange: 1, Attempt: 2, Payload: classroom.RunEnd{Status: classroom.Completed}},
		{Payload: classroom.TitleChange{Title: "Green leaves", By: "ada"}},
		{Exchange: 2, Payload: classroom.UserMessage{Text: "And?", Delivery: classroom.Prompt}},
		{Exchange: 2, Attempt: 1, Payload: classroom.RunStart{Prompt: 9}},
		{Exchange: 2, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Failed}},
	}
	check := func(last classroom.Event) {
		t.Helper()
		events, err := s.Read(t.Context(), id, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		f, got := classroom.Of(events), mustSession(t, s, id)
		if got.Status != f.Status() || got.Title != f.Title || got.Exchanges != len(f.Cards) || got.Head != f.Cursor ||
			got.Updated != last.Time {
			t.Errorf("after %s the list shows %+v, the fold has %s %q %d",
				last.Type, got, f.Status(), f.Title, len(f.Cards))
		}
		unfinished, err := s.Unfinished(t.Context())
		if err != nil || slices.Contains(unfinished, id) != (f.Status() != classroom.Idle) {
			t.Errorf("after %s unfinished are %v, %v", last.Type, unfinished, err)
		}
	}
	for _, d := range steps {
		check(mustAppend(t, s, id, d)[0])
	}
	all := append([]classroom.Draft(nil), steps...)
	check(mustAppend(t, s, id, all...)[len(all)-1])
}

func TestSessionsNewestFirst(t *testing.T) {
	s := openStore(t, t.TempDir())
	class, other := newClass(t, s), newClass(t, s)
	var want []string
	for i := range 5 {
		in := class
		if i == 2 {
			in = other
		}
		made, err := s.CreateSession(t.Context(), classroom.Session{ClassID: in}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want = append([]string{made.ID}, want...)
	}
	for classID, want := range map[string][]string{
		"": want, other: want[2:3], class: {want[0], want[1], want[3], want[4]}, "nobody": nil,
	} {
		list, err := s.Sessions(t.Context(), classID)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range list {
			got = append(got, x.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("sessions of %q are %v, want %v", classID, got, want)
		}
	}
}

func TestFork(t *testing.T) {
	s := openStore(t, t.TempDir())
	ctx, id := t.Context(), newSession(t, s)
	mustAppend(t, s, id, classroom.Draft{
		Exchange: 1,
		Payload:  classroom.UserMessage{Text: "Why?", Delivery: classroom.Prompt, ClientID: "c"},
	})
	mustAppend(t, s, id, classroom.Draft{Exchange: 1, Payload: classroom.RunStart{}}, delta("said"))
	mustAppend(t, s, id,
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
		if next := mustAppend(t, s, fork.ID, delta("more")); next[0].ID != at+1 {
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

func TestForkKeepsModeAndClass(t *testing.T) {
	s := openStore(t, t.TempDir())
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

func TestEveryChangeOfAListIsTold(t *testing.T) {
	s := openStore(t, t.TempDir())
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

// TestTimesDoNotGoBack turns the clock back between appends, and between two
// runs of the program.
func TestTimesDoNotGoBack(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	var id string
	for range 2 {
		s, err := Open(t.Context(), Options{Dir: dir, Now: func() time.Time { now = now.Add(-time.Hour); return now }})
		if err != nil {
			t.Fatal(err)
		}
		if id == "" {
			id = newSession(t, s)
		}
		for range 3 {
			mustAppend(t, s, id, delta("x"))
		}
		events, err := s.Read(t.Context(), id, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Time < events[0].Time {
				t.Errorf("event %d is of %v, the first of %v", e.ID, e.Time, events[0].Time)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Another holder gets the lease at the moment it expires, and not before.
func TestLeaseIsFreeOnceItExpired(t *testing.T) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id := newSession(t, s)
	first, err := s.Acquire(t.Context(), id, "first", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Minute - time.Millisecond)
	if _, err := s.Acquire(t.Context(), id, "second", time.Minute); !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("a moment before: got %v, want %v", err, classroom.ErrLeaseLost)
	}
	now = now.Add(time.Millisecond)
	if second, err := s.Acquire(t.Context(), id, "second", time.Minute); err != nil || second <= first {
		t.Errorf("at the expiry: got %d, %v, want more than %d", second, err, first)
	}
}

func TestReleaseAll(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	g, err := s.Acquire(t.Context(), id, "dead", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ReleaseAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), id, g, delta("from the grave")); !errors.Is(err, classroom.ErrLeaseLost) {
		t.Errorf("append with a released lease: got %v, want %v", err, classroom.ErrLeaseLost)
	}
	if next, err := s.Acquire(t.Context(), id, "alive", time.Hour); err != nil || next <= g {
		t.Errorf("acquired generation %d, %v, want more than %d", next, err, g)
	}
}
