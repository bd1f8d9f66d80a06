package storetest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"colloquy/classroom"
)

// Sessions keeps sessions. What it says of one follows the session's log.
type Sessions interface {
	Session(ctx context.Context, id string) (classroom.Session, error)
	Sessions(ctx context.Context, classID string) ([]classroom.Session, error)
	CreateSession(ctx context.Context, s classroom.Session, roster []classroom.Agent) (classroom.Session, error)
	DeleteSession(ctx context.Context, id string) error
	ForkSession(ctx context.Context, id string, at classroom.Cursor) (classroom.Session, error)
	SessionSpent(ctx context.Context, id string) (classroom.Spent, error)
	Unfinished(ctx context.Context) ([]string, error)
}

var sessionChecks = checks{
	"a log begins with its session":       testSessionStart,
	"a session follows its log":           testSessionsFollowTheLog,
	"sessions are listed newest first":    testSessionsNewestFirst,
	"a fork is a copy of a prefix":        testFork,
	"a fork keeps mode and class":         testForkKeepsModeAndClass,
	"a deleted session wakes its readers": testDeletedSession,
	"every run end counts":                testSpent,
}

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
