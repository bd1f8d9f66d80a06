package storetest

import (
	"errors"
	"testing"

	"colloquy/classroom"
)

func testReviewNotes(t *testing.T, s Store) {
	var classes []string
	for range 2 {
		session := mustSession(t, s, newSession(t, s))
		classes = append(classes, session.ClassID)
		mustAppend(t, s, session.ID, 0,
			message(""), classroom.Draft{Exchange: 1, Payload: classroom.Safety{Prompt: 2, Lang: "en"}},
			classroom.Draft{Exchange: 1, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Completed}},
			classroom.Draft{Exchange: 1, Attempt: 2, Payload: classroom.RunEnd{Status: classroom.Cancelled}},
			classroom.Draft{Exchange: 1, Attempt: 3, Payload: classroom.RunEnd{Status: classroom.Failed, Code: "x"}},
		)
	}
	for _, c := range []struct {
		limit int
		want  []classroom.Cursor
	}{{10, []classroom.Cursor{6, 3}}, {1, []classroom.Cursor{6}}} {
		notes, err := s.ReviewNotes(t.Context(), classes[0], c.limit)
		if err != nil || len(notes) != len(c.want) {
			t.Fatalf("found %+v, %v, want %v", notes, err, c.want)
		}
		for i, n := range notes {
			session := mustSession(t, s, n.Session)
			if n.Event.ID != c.want[i] || n.Title != session.Title || session.ClassID != classes[0] {
				t.Errorf("note %d is %+v, want event %d", i, n, c.want[i])
			}
		}
	}
	if notes, err := s.ReviewNotes(t.Context(), "missing", 10); err != nil || len(notes) != 0 {
		t.Errorf("of a missing class: %v, %v", notes, err)
	}
}

func testUnreviewed(t *testing.T, s Store) {
	session := mustSession(t, s, newSession(t, s))
	quiet := mustSession(t, s, newSession(t, s))
	check := func(want int) {
		t.Helper()
		got, err := s.Unreviewed(t.Context())
		if _, listed := got[quiet.ClassID]; err != nil || got[session.ClassID] != want || listed {
			t.Errorf("not reviewed are %v, %v, want %d", got, err, want)
		}
	}
	check(0)
	distress := classroom.Draft{Exchange: 1, Payload: classroom.Safety{Prompt: 2, Lang: "en"}}
	mustAppend(t, s, session.ID, 0, message(""), distress, distress)
	check(2)
	if err := s.MarkReviewed(t.Context(), session.ClassID); err != nil {
		t.Fatal(err)
	}
	check(0)
	mustAppend(t, s, session.ID, 0, distress)
	check(1)
	if err := s.MarkReviewed(t.Context(), "missing"); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("a missing class: %v", err)
	}
}
