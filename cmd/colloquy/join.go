package main

import (
	"context"
	"fmt"
	"iter"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/openai"
	"colloquy/agents/llm/tutor"
	"colloquy/classroom"
	"colloquy/store"
	"colloquy/web"
)

type llmModel = llm.Model

// model makes the model that answers.
func (c ServeConfig) model() (llm.Model, error) {
	if c.Model.Provider == "openai" {
		m, err := openai.New(openai.Options{BaseURL: c.OpenAI.BaseURL, Key: string(c.OpenAI.Key), Model: c.Model.Name})
		if err != nil {
			return nil, fmt.Errorf("connect model %s: %w", c.Model, err)
		}
		return m, nil
	}
	return tutor.New(tutor.Options{Pace: c.Pace}), nil
}

func (w *workbench) webOptions(c ServeConfig, model llm.Model) web.Options {
	return web.Options{
		Slog: w.log, Log: w.store, Runner: w.runtime, Queue: w.runtime, Lobby: w.store,
		Classes: w.store, ClassEdits: w.store, Sessions: w.store, SessionEdits: sessionEdits{w.store, w.runtime},
		Materials: w.store, MaterialEdits: w.store, People: w.store, Settings: w.store, Logins: w.store.Logins(),
		Generator: generator{w.store, w.runtime}, Renamer: w.runtime, Ready: w.store.Ping,
		Token: string(c.Token), Roster: starterRoster(), Version: version(),
		Model: model.Name(), Tutor: c.Model.Provider == "tutor", Examples: starterQuestions(),
	}
}

// sessionEdits removes a session from the runtime before it leaves the store.
type sessionEdits struct {
	*store.Store
	runtime *agents.Runtime
}

func (s sessionEdits) DeleteSession(ctx context.Context, id string) error {
	s.runtime.Forget(id)
	return s.Store.DeleteSession(ctx, id)
}

// ForkSession closes the run that the copy shows open and nobody carries on.
func (s sessionEdits) ForkSession(ctx context.Context, id string, at classroom.Cursor) (classroom.Session, error) {
	fork, err := s.Store.ForkSession(ctx, id, at)
	if err != nil {
		return fork, err
	}
	if err := s.runtime.Settle(ctx, fork.ID); err != nil {
		return fork, err
	}
	return s.Store.Session(ctx, fork.ID)
}

// A generator answers outside any session, from the first class's materials.
type generator struct {
	store   *store.Store
	runtime *agents.Runtime
}

func (g generator) Generate(ctx context.Context, prompt string) iter.Seq2[string, error] {
	classes, err := g.store.Classes(ctx)
	if err != nil {
		return func(yield func(string, error) bool) { yield("", err) }
	}
	class := classroom.Class{Roster: starterRoster()}
	if len(classes) > 0 {
		class = classes[0]
	}
	return g.runtime.Generate(ctx, class, prompt)
}
