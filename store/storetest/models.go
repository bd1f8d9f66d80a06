package storetest

import (
	"errors"
	"testing"

	"colloquy/classroom"
)

const secretKey = "sk-test-Very5ecretKey"

func sampleModel() classroom.Model {
	return classroom.Model{
		Title: "Chat", Provider: "openai", BaseURL: "https://api.example.org/v1", Name: "chat-1",
		Thinking: "low", Context: 128_000, MaxOutput: 4096, Currency: "EUR",
		Price: classroom.ModelPrice{Input: 2_500_000, Output: 10_000_000, CacheRead: 1_250_000, CacheWrite: 3},
	}
}

func newModel(t *testing.T, s Store, key string) classroom.Model {
	t.Helper()
	m, err := s.CreateModel(t.Context(), sampleModel(), key)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func testModelComesBack(t *testing.T, s Store) {
	m := newModel(t, s, secretKey)
	want := sampleModel()
	want.ID, want.Created, want.HasKey = m.ID, m.Created, true
	got, err := s.Model(t.Context(), m.ID)
	if err != nil || got != want || m != want {
		t.Fatalf("got %+v, %v\nwant %+v", got, err, want)
	}
	if key, err := s.ModelKey(t.Context(), m); err != nil || key != secretKey {
		t.Fatalf("the key is %q, %v", key, err)
	}
	got.Title, got.Thinking, got.Currency = "Other", "", "USD"
	second := newModel(t, s, "")
	if err := s.UpdateModel(t.Context(), got, nil); err != nil {
		t.Fatal(err)
	}
	list, err := s.Models(t.Context())
	if err != nil || len(list) != 2 || list[0] != got || list[1].ID != second.ID || list[1].HasKey ||
		list[1].Currency != "USD" {
		t.Fatalf("%+v, %v", list, err)
	}
	_, err = s.CreateModel(t.Context(), classroom.Model{ID: classroom.TutorModel}, "")
	if !errors.Is(err, classroom.ErrBadRequest) {
		t.Errorf("a model has the tutor's id: %v", err)
	}
}

// A key opens for the address and the protocol it was entered for, and for no other.
func testModelKeyIsBound(t *testing.T, s Store) {
	m := newModel(t, s, secretKey)
	for _, other := range []func(*classroom.Model){
		func(m *classroom.Model) { m.BaseURL = "https://elsewhere.example.org/v1" },
		func(m *classroom.Model) { m.Provider = "anthropic" },
	} {
		moved := m
		other(&moved)
		if key, err := s.ModelKey(t.Context(), moved); err == nil || key != "" {
			t.Errorf("the key went to %s %s", moved.Provider, moved.BaseURL)
		}
	}
	moved := m
	moved.BaseURL = "https://elsewhere.example.org/v1"
	if err := s.UpdateModel(t.Context(), moved, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.UpdateModel(t.Context(), m, nil); err != nil { // and back: the key is gone
		t.Fatal(err)
	}
	if got, err := s.Model(t.Context(), m.ID); err != nil || got.HasKey {
		t.Fatalf("%+v, %v", got, err)
	}
	key := "another"
	if err := s.UpdateModel(t.Context(), m, &key); err != nil {
		t.Fatal(err)
	}
	if got, err := s.ModelKey(t.Context(), m); err != nil || got != key {
		t.Fatalf("%q, %v", got, err)
	}
	none := ""
	if err := s.UpdateModel(t.Context(), m, &none); err != nil {
		t.Fatal(err)
	}
	if got, err := s.ModelKey(t.Context(), m); err != nil || got != "" {
		t.Fatalf("%q, %v", got, err)
	}
}

// A model that moved has no key, and gets none by moving back.
func testKeyIsDroppedWhenItsModelMoves(t *testing.T, s Store) {
	for name, move := range map[string]func(*classroom.Model){
		"address":  func(m *classroom.Model) { m.BaseURL = "https://elsewhere.example.org/v1" },
		"protocol": func(m *classroom.Model) { m.Provider = "anthropic" },
	} {
		m := newModel(t, s, secretKey)
		moved := m
		move(&moved)
		for _, next := range []classroom.Model{moved, m} {
			if err := s.UpdateModel(t.Context(), next, nil); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Model(t.Context(), m.ID); err != nil || got.HasKey {
				t.Errorf("%s changed: the model has a key, %v", name, err)
			}
		}
	}
}

func testDeletedModelIsChosenByNobody(t *testing.T, s Store) {
	gone, kept := newModel(t, s, secretKey), newModel(t, s, "")
	chosen, err := s.CreateClass(t.Context(), classroom.Class{Title: "A", Model: gone.ID, Roster: []classroom.Agent{
		{ID: "x", Name: "X", Role: classroom.Teacher, Model: gone.ID},
		{ID: "y", Name: "Y", Role: classroom.Student, Model: kept.ID},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetSetting(t.Context(), classroom.DefaultModel, gone.ID); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Class(t.Context(), chosen.ID); err != nil || got.Model != gone.ID ||
		got.Roster[0].Model != gone.ID {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := s.DeleteModel(t.Context(), gone.ID); err != nil {
		t.Fatal(err)
	}
	got, err := s.Class(t.Context(), chosen.ID)
	if err != nil || got.Model != "" || got.Roster[0].Model != "" || got.Roster[1].Model != kept.ID {
		t.Errorf("%+v, %v", got, err)
	}
	if id, _, err := s.Setting(t.Context(), classroom.DefaultModel); err != nil || id != "" {
		t.Errorf("the default is %q, %v", id, err)
	}
	for _, err := range []error{s.DeleteModel(t.Context(), gone.ID), s.UpdateModel(t.Context(), gone, nil)} {
		if !errors.Is(err, classroom.ErrNotFound) {
			t.Errorf("a model that is gone: %v", err)
		}
	}
}

// What models cost is summed, so they all have the currency that was given last, by a
// new model or by a change.
func testModelsHaveOneCurrency(t *testing.T, s Store) {
	first, second := sampleModel(), sampleModel()
	first.ID, first.Created, second.Currency = "first", 7, "CHF"
	if made, err := s.CreateModel(t.Context(), first, ""); err != nil || made.Created != 7 {
		t.Fatalf("the given time of creation is kept: %+v, %v", made, err)
	}
	if _, err := s.CreateModel(t.Context(), second, ""); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Model(t.Context(), first.ID); err != nil || got.Currency != "CHF" || got.Created != 7 {
		t.Errorf("after a new model in CHF the first is %+v, %v", got, err)
	}
	first.Currency, first.Created = "USD", 99 // a change does not move the time of creation
	if err := s.UpdateModel(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	list, err := s.Models(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, m := range list {
		if m.Currency != "USD" || m.Created == 99 {
			t.Errorf("after a change to USD the model is %+v", m)
		}
	}
}
