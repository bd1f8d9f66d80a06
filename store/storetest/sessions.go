package storetest

import (
	"errors"
	"slices"
	"testing"

	"colloquy/classroom"
)

func testSessionStart(t *testing.T, s Store) {
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

// testSessionsFollowTheLog compares what lists show after each event with what
// the fold of the log shows.
func testSessionsFollowTheLog(t *testing.T, s Store) {
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
		check(mustAppend(t, s, id, 0, d)[0])
	}
	all := append([]classroom.Draft(nil), steps...)
	check(mustAppend(t, s, id, 0, all...)[len(all)-1])
}

func testSessionsNewestFirst(t *testing.T, s Store) {
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
