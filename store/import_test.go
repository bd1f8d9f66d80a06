package store

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"colloquy/classroom"
)

// TestImport carries a log from one store to another, with an event of a type
// to come in it.
func TestImport(t *testing.T) {
	from, to := openStore(t, t.TempDir()), openStore(t, t.TempDir())
	id, class := newSession(t, from), newClass(t, to)
	mustAppend(t, from, id,
		classroom.Draft{
			Exchange: 1,
			Payload:  classroom.UserMessage{Text: "Why?", Delivery: classroom.Prompt, ClientID: "c"},
		},
		classroom.Draft{
			Exchange: 1,
			Payload:  classroom.RunStart{},
		},
		delta("Because."),
		classroom.Draft{Payload: classroom.TitleChange{Title: "Green"}},
	)
	log, err := from.Read(t.Context(), id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	log = append(log,
		classroom.Event{ID: 6, Time: log[4].Time, Type: "hologram", Data: json.RawMessage("{\n \"x\": 1}")})
	made, err := to.ImportSession(t.Context(), classroom.Session{ClassID: class}, log)
	if err != nil {
		t.Fatal(err)
	}
	want := classroom.Session{
		ID:        made.ID,
		ClassID:   class,
		Title:     "Green",
		Mode:      classroom.ModeQA,
		Status:    classroom.Idle,
		Head:      6,
		Exchanges: 1,
		Created:   log[0].Time,
		Updated:   log[5].Time,
	}
	if kept := mustSession(t, to, made.ID); made != want || kept != want {
		t.Errorf("imported %+v, kept %+v, want %+v", made, kept, want)
	}
	log[5].Data = json.RawMessage(`{"x":1}`)
	got, err := to.Read(t.Context(), made.ID, 0, 0)
	if err != nil || !reflect.DeepEqual(got, log) {
		t.Errorf("the log is %v, %v, want %v", got, err, log)
	}
	if _, sent, err := to.SentBefore(t.Context(), made.ID, "c"); !sent || err != nil {
		t.Errorf("a message sent before: %v, %v", sent, err)
	}
	if next := mustAppend(t, to, made.ID, delta("more")); next[0].ID != 7 {
		t.Errorf("it goes on at %d, want 7", next[0].ID)
	}
	_, err = to.ImportSession(t.Context(), classroom.Session{ClassID: "nobody"}, log)
	if !errors.Is(err, classroom.ErrNotFound) {
		t.Errorf("a missing class: got %v, want %v", err, classroom.ErrNotFound)
	}
}

// What the caller gives of the new session is kept, whatever the log says.
func TestImportKeepsWhatIsGiven(t *testing.T) {
	from, to := openStore(t, t.TempDir()), openStore(t, t.TempDir())
	log, err := from.Read(t.Context(), newSession(t, from), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	given := classroom.Session{
		ID: "mine", ClassID: newClass(t, to), Title: "Mine", Mode: classroom.ModeDebate, Created: 7,
	}
	want := given
	want.Status, want.Head, want.Updated = classroom.Idle, 1, log[0].Time
	made, err := to.ImportSession(t.Context(), given, log)
	if err != nil || made != want || mustSession(t, to, "mine") != want {
		t.Errorf("imported %+v, %v, want %+v", made, err, want)
	}
}

func TestImportRefuses(t *testing.T) {
	s := openStore(t, t.TempDir())
	class := newClass(t, s)
	start := classroom.Event{ID: 1, Type: classroom.TypeSessionStart, Data: json.RawMessage(`{}`)}
	event := func(e classroom.Event) []classroom.Event { return []classroom.Event{start, e} }
	for name, log := range map[string][]classroom.Event{
		"nothing":            nil,
		"a gap":              event(classroom.Event{ID: 3, Type: "x", Data: json.RawMessage(`{}`)}),
		"a cursor twice":     event(classroom.Event{ID: 1, Type: "x", Data: json.RawMessage(`{}`)}),
		"no beginning":       {{ID: 1, Type: "x", Data: json.RawMessage(`{}`)}},
		"an injected line":   event(classroom.Event{ID: 2, Type: "x\ndata: y", Data: json.RawMessage(`{}`)}),
		"no type":            event(classroom.Event{ID: 2, Data: json.RawMessage(`{}`)}),
		"broken data":        event(classroom.Event{ID: 2, Type: "x", Data: json.RawMessage(`{`)}),
		"no data":            event(classroom.Event{ID: 2, Type: "x"}),
		"data of other type": event(classroom.Event{ID: 2, Type: classroom.TypeRunStart, Data: json.RawMessage(`[1]`)}),
		"a negative attempt": event(classroom.Event{ID: 2, Type: "x", Attempt: -1, Data: json.RawMessage(`{}`)}),
	} {
		_, err := s.ImportSession(t.Context(), classroom.Session{ClassID: class}, log)
		if !errors.Is(err, classroom.ErrBadRequest) {
			t.Errorf("%s: got %v, want %v", name, err, classroom.ErrBadRequest)
		}
	}
	if list, err := s.Sessions(t.Context(), ""); err != nil || len(list) != 0 {
		t.Errorf("refused logs left sessions %v, %v", list, err)
	}
}
