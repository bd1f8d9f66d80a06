package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/url"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/tutor"
	"colloquy/classroom"
	"colloquy/store"
	"colloquy/web"
)

// connect makes the models that can answer; it asks none.
func (w *workbench) connect(c ServeConfig) error {
	w.models = &connections{store: w.store, log: w.log, tutor: tutor.New(tutor.Options{Pace: c.Pace})}
	if c.Model == (ModelName{}) {
		return nil
	}
	if c.Model.Provider == "tutor" {
		w.models.fixed = &fixedModel{w.models.tutor, theTutor}
		return nil
	}
	at, p := c.endpoint(), protocols[c.Model.Provider]
	model, err := p.make(target{baseURL: at.BaseURL, key: at.Key, name: c.Model.Name})
	if err != nil {
		return fmt.Errorf("connect model %s: %w", c.Model, err)
	}
	context, assumed := contextOf(0, cmp.Or(at.BaseURL, classroom.DefaultBaseURL(c.Model.Provider)))
	model = llm.With(model, llm.Profile{Context: context, Assumed: assumed})
	w.models.fixed = &fixedModel{model, named{title: c.Model.Name, at: hostOf(cmp.Or(at.BaseURL, classroom.DefaultBaseURL(c.Model.Provider)))}}
	return nil
}

// hostOf is where an address leads; empty where that cannot be read.
func hostOf(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	return u.Host
}

func (w *workbench) webOptions(c ServeConfig) web.Options {
	o := web.Options{
		Logger: w.log, Log: w.store, Runner: w.runtime,
		Classes: w.store, Sessions: sessions{w.store, w.runtime}, Materials: w.store, People: w.store,
		Models: editedModels{w.store, w.models}, Settings: w.store, Logins: w.store.Logins(),
		Provider: servers{w.models}, Answers: w.models.answers,
		Generate: w.generate, Rename: w.runtime.Rename, Ready: w.store.Ping, Indexing: w.store.IndexProgress,
		Token: string(c.Token), Secure: c.HTTPS, Version: version(),
		Roster: starterRoster(), Examples: starterQuestions(),
	}
	if w.models.fixed != nil {
		o.FixedModel = w.models.fixed.whole()
	}
	return o
}

// sessions are those of the store. The runtime is told of each that is deleted or
// forked.
type sessions struct {
	*store.Store
	runtime *agents.Runtime
}

// DeleteSession has the runtime forget the session before the store deletes it.
func (s sessions) DeleteSession(ctx context.Context, id string) error {
	s.runtime.Forget(id)
	return s.Store.DeleteSession(ctx, id)
}

// ForkSession closes the run that is open in the copy, which nothing continues.
func (s sessions) ForkSession(ctx context.Context, id string, at classroom.Cursor) (classroom.Session, error) {
	fork, err := s.Store.ForkSession(ctx, id, at)
	if err != nil {
		return fork, err
	}
	if err := s.runtime.CloseFork(ctx, fork.ID); err != nil {
		return fork, err
	}
	return s.Store.Session(ctx, fork.ID)
}

// generate answers a prompt outside any session, from the materials of the first
// class.
func (w *workbench) generate(ctx context.Context, prompt string) iter.Seq2[string, error] {
	classes, err := w.store.Classes(ctx)
	if err != nil {
		return func(yield func(string, error) bool) { yield("", err) }
	}
	class := classroom.Class{Roster: starterRoster()}
	if len(classes) > 0 {
		class = classes[0]
	}
	return w.runtime.Generate(ctx, class, prompt)
}
