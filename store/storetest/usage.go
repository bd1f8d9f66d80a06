package storetest

import (
	"testing"

	"colloquy/classroom"
)

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
