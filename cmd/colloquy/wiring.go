package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/tutor"
	"colloquy/classroom"
	"colloquy/classroom/provider"
	"colloquy/store"
	"colloquy/web"
)

// build makes the models, the runtime and the web server over the open store.
func (w *workbench) build(ctx context.Context, c ServeConfig) error {
	if err := w.store.ReleaseAll(ctx); err != nil {
		return err
	}
	if err := seed(ctx, w.store); err != nil {
		return err
	}
	if err := w.connectModels(c); err != nil {
		return err
	}
	var err error
	w.runtime, err = agents.New(agents.Options{
		Log: w.store, Leases: w.store, Classes: w.store, Logger: w.logger,
		Holder:  rand.Text(), // of this process, and of no other that has the store
		Library: w.store, Tools: classTools(w.store),
		Model: w.models.forAgent,
	})
	if err != nil {
		return err
	}
	if w.web, err = web.New(w.webOptions(c)); err != nil {
		return errors.Join(err, w.closeRuntime())
	}
	w.http = &http.Server{
		Handler:           w.web.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(w.logger.Handler(), slog.LevelWarn),
		// No WriteTimeout: it would end every stream. Each frame has its own deadline.
	}
	if err := w.runtime.Recover(ctx); err != nil {
		return errors.Join(err, w.closeRuntime())
	}
	return nil
}

// classTools returns the tools that the agents of a class may use.
func classTools(lib agents.Library) []agents.Tool {
	return []agents.Tool{agents.SearchMaterials(lib), agents.CueUser()}
}

func (w *workbench) closeRuntime() error {
	w.runtime.Close()
	return nil
}

// connectModels makes the tutor and the model that --model names. It sends no request.
func (w *workbench) connectModels(c ServeConfig) error {
	w.models = &connections{store: w.store, logger: w.logger, tutor: tutor.New(tutor.Options{Pace: c.Pace})}
	if c.Model == (ModelName{}) {
		return nil
	}
	if c.Model.Provider == "tutor" {
		w.models.fixed = &fixedModel{w.models.tutor, tutorLabel(context.Background())}
		return nil
	}
	at, p := c.endpoint(), protocols[c.Model.Provider]
	model, err := p.make(target{baseURL: at.BaseURL, key: at.Key, name: c.Model.Name})
	if err != nil {
		return fmt.Errorf("connect model %s: %w", c.Model, err)
	}
	from, _ := provider.Find(c.Model.Provider)
	baseURL := cmp.Or(at.BaseURL, from.DefaultURL)
	context, assumed := contextSize(0, baseURL)
	model = llm.With(model, llm.Profile{Title: c.Model.Name, Context: context, Assumed: assumed})
	w.models.fixed = &fixedModel{model, modelLabel{title: c.Model.Name, host: hostName(baseURL)}}
	return nil
}

func (w *workbench) webOptions(c ServeConfig) web.Options {
	o := web.Options{
		Logger: w.logger, Log: w.store, Runner: w.runtime,
		Classes: w.store, Reviews: w.store, Sessions: sessions{w.store, w.runtime}, Materials: w.store, People: w.store,
		Memberships: w.store, Links: w.store,
		Models: editedModels{w.store, w.models}, Settings: w.store, Logins: w.store.Logins(),
		Provider: servers{w.models}, Answers: w.models.answeringModels,
		Generate: w.generate, Rename: w.runtime.Rename, Ready: w.store.Ping, Indexing: w.store.IndexProgress,
		Token: string(c.Token), Secure: c.HTTPS, Version: version(),
		Roster: starterRoster(), Examples: starterQuestions(),
	}
	if w.models.fixed != nil {
		o.FixedModel = w.models.fixed.withHost()
	}
	return o
}

// sessions are the store's sessions. They inform the runtime when a session is deleted
// or forked.
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

// generate answers a prompt outside any session. A class that does not exist has the
// starter's roster and no materials.
func (w *workbench) generate(ctx context.Context, class classroom.Class, prompt string) iter.Seq2[string, error] {
	if class.ID == "" {
		class.Roster = starterRoster()
	}
	return w.runtime.Generate(ctx, class, prompt)
}
