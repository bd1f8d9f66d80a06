package main

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/tutor"
	"colloquy/classroom"
	"colloquy/store"
	"colloquy/templates/locale"
)

func newConnections(t *testing.T) *connections {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &connections{store: s, logger: slog.New(slog.DiscardHandler), tutor: tutor.New(tutor.Options{})}
}

func (c *connections) keep(t *testing.T, m classroom.Model) classroom.Model {
	t.Helper()
	m.Provider = "openai"
	m, err := c.store.CreateModel(t.Context(), m, connectedKey)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestPickedModel(t *testing.T) {
	c := newConnections(t)
	a := c.keep(t, classroom.Model{
		BaseURL:   "https://a.example/v1",
		Name:      "a",
		Thinking:  "low",
		Context:   9,
		MaxOutput: 8,
		Price:     classroom.ModelPrice{Input: 7},
	})
	b := c.keep(t, classroom.Model{BaseURL: "https://b.example/v1", Name: "b"})
	titled := c.keep(t, classroom.Model{BaseURL: "https://t.example:8443/v1", Name: "t", Title: "Ours"})
	var class classroom.Class
	var agent classroom.Agent
	check := func(want string) {
		t.Helper()
		if got := c.forAgent(t.Context(), class, agent).Name(); got != want {
			t.Errorf("%s answers, want %s", got, want)
		}
	}
	check("tutor")
	if err := c.store.SetSetting(t.Context(), classroom.DefaultModel, a.ID); err != nil {
		t.Fatal(err)
	}
	check("openai:a")
	want := llm.Profile{Title: "a", Thinking: llm.ThinkLow, Context: 9, MaxOutput: 8, Price: llm.Price{Input: 7}}
	if got := llm.ProfileOf(c.forAgent(t.Context(), class, agent)); got != want {
		t.Errorf("its profile is %+v", got)
	}
	class.Model = b.ID
	check("openai:b")
	agent.Model = classroom.TutorModel
	check("tutor")
	agent.Model = ""
	class.Model = ""
	c.fixed = &fixedModel{c.tutor, tutorLabel(t.Context())}
	check("tutor")
	mixed := classroom.Class{
		Model:  a.ID,
		Roster: []classroom.Agent{{ID: "x"}, {ID: "y", Model: classroom.TutorModel}, {ID: "z", Model: titled.ID}},
	}
	if words, alone := c.answeringModels(t.Context(), mixed); words != "a, the built-in tutor, Ours" || alone {
		t.Errorf("%q, %v", words, alone)
	}
	if words := c.label(t.Context(), titled.ID).withHost(); words != "Ours at t.example:8443" {
		t.Errorf("with its server it is %q", words)
	}
}

// A model is made once, and anew after a change, of its key alone too.
func TestModelIsMadeOnce(t *testing.T) {
	c := newConnections(t)
	m := c.keep(t, classroom.Model{BaseURL: "https://a.example/v1", Name: "a"})
	class := classroom.Class{Model: m.ID}
	first := c.forAgent(t.Context(), class, classroom.Agent{})
	if c.forAgent(t.Context(), class, classroom.Agent{}) != first {
		t.Error("it was made twice")
	}
	edits, other := editedModels{c.store, c}, "another-key"
	if err := edits.UpdateModel(t.Context(), m, &other); err != nil {
		t.Fatal(err)
	}
	second := c.forAgent(t.Context(), class, classroom.Agent{})
	if second == first {
		t.Error("it still has the old key")
	}
	m.Thinking = "high"
	if err := edits.UpdateModel(t.Context(), m, nil); err != nil {
		t.Fatal(err)
	}
	if c.forAgent(t.Context(), class, classroom.Agent{}) == second {
		t.Error("it still thinks as before")
	}
}

// An unusable model reports why; no other model answers for it.
func TestAbsentModelSaysWhy(t *testing.T) {
	c := newConnections(t)
	unnamed := c.keep(t, classroom.Model{BaseURL: "https://a.example/v1"})
	moved := c.keep(t, classroom.Model{BaseURL: "https://a.example/v1", Name: "a"})
	inside := c.keep(t, classroom.Model{BaseURL: "http://10.0.0.1/v1", Name: "a"})
	for id, want := range map[string]string{
		"gone": "no longer connected", unnamed.ID: locale.English().Error(classroom.ErrModelUnnamed),
		inside.ID: "cannot be used as it is set up",
	} {
		m := c.forAgent(t.Context(), classroom.Class{ID: "c", Model: id}, classroom.Agent{ID: "x"})
		ended := 0
		for _, err := range llm.Guard(m).Stream(t.Context(), llm.Request{}) {
			e, ok := errors.AsType[*llm.Error](err)
			if !ok || !strings.Contains(e.Message, want) || e.Retryable() ||
				strings.Contains(err.Error(), connectedKey) {
				t.Errorf("%s: %v", id, err)
			}
			ended++
		}
		if ended != 1 {
			t.Errorf("%s ended %d times", id, ended)
		}
	}
	if _, err := c.model(t.Context(), moved.ID); err != nil {
		t.Error(err)
	}
}
