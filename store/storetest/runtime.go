package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"colloquy/classroom"
)

// RunClasses are what the turn runtime reads of classes and of their sessions.
type RunClasses interface {
	RunLog
	Class(ctx context.Context, id string) (classroom.Class, error)
	Unfinished(ctx context.Context) ([]string, error)
}

// TestRunClasses checks c, which has that class and no unfinished session. open creates a
// session.
func TestRunClasses(t *testing.T, c RunClasses, class string, open func() string) {
	t.Helper()
	if got, err := c.Class(t.Context(), class); err != nil || got.ID != class || len(got.Roster) == 0 {
		t.Errorf("the class is %+v, %v", got, err)
	}
	if _, err := c.Class(t.Context(), "missing"); !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("a missing class: %v", err)
	}
	first, second := open(), open()
	step := func(session string, p classroom.Payload, want ...string) {
		t.Helper()
		d := classroom.Draft{Exchange: 1, Attempt: 1, Payload: p}
		if _, err := c.Append(t.Context(), session, 0, d); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Unfinished(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("after %s unfinished are %v, %v, want %v", p.EventType(), got, err, want)
		}
	}
	step(first, classroom.UserMessage{Text: "Why?", Delivery: classroom.Prompt})
	step(second, classroom.RunStart{Prompt: 2}, second)
	step(first, classroom.RunStart{Prompt: 2}, first, second)
	step(second, classroom.RunInterrupt{Reason: "crash"}, first, second)
	step(first, classroom.RunEnd{Status: classroom.Completed}, second)
	step(second, classroom.RunResume{Reason: "restart"}, second)
	step(second, classroom.RunEnd{Status: classroom.Failed})
}

func testRunClasses(t *testing.T, s Store) {
	id := newSession(t, s)
	TestRunClasses(t, s, newClass(t, s), func() string { return newSession(t, s) })
	if got := mustSession(t, s, id); got.Status != classroom.Idle {
		t.Errorf("another session is %s", got.Status)
	}
}

// A Library searches the texts of classes.
type Library interface {
	SearchMaterials(ctx context.Context, class string, q classroom.MaterialQuery) (classroom.Found, error)
	Materials(ctx context.Context, class string) ([]classroom.Material, error)
	IndexProgress() (classroom.Progress, bool)
}

func testLibrary(t *testing.T, s Store) {
	class := newClass(t, s)
	TestLibrary(t, s, class, func(name, text string) {
		if _, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: name}, text); err != nil {
			t.Fatal(err)
		}
	})
}

// TestLibrary checks l, which has no materials of the class. add adds one.
func TestLibrary(t *testing.T, l Library, class string, add func(name, text string)) {
	t.Helper()
	search := func(query string, limit int) []classroom.Passage {
		t.Helper()
		found, err := l.SearchMaterials(t.Context(), class, classroom.MaterialQuery{Question: query, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		return found.Passages
	}
	if list, err := l.Materials(t.Context(), class); err != nil || len(list) != 0 || len(search("leaves", 6)) != 0 {
		t.Errorf("an empty library has %v, %v", list, err)
	}
	add("Volcanoes", "# Fire\n\nLava flows.\n\n# Ash\n\nLava cools.")
	add("Light", "# Leaves\n\nChlorophyll reflects green.")
	list, err := l.Materials(t.Context(), class)
	if err != nil || len(list) != 2 || list[0].Name != "Light" || list[1].Name != "Volcanoes" {
		t.Errorf("the materials are %+v, %v, want them by name", list, err)
	}
	found := search("Why does chlorophyll look green?", 6)
	if len(found) != 1 || found[0].Material != "Light" || found[0].Section != "Leaves" ||
		found[0].Text != "Chlorophyll reflects green." {
		t.Errorf("found %+v", found)
	}
	if found := search("quokka", 6); len(found) != 0 {
		t.Errorf("a word of no material finds %+v", found)
	}
	if one, all := search("lava", 1), search("lava", 6); len(one) != 1 || len(all) != 2 {
		t.Errorf("at most one passage is %+v, at most six are %+v", one, all)
	}
	if p, due := l.IndexProgress(); due {
		t.Errorf("the index of a new library is rebuilt: %+v", p)
	}
}
