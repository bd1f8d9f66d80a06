package main

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
	"colloquy/classroom"
	"colloquy/store"
)

// connections are the models that can answer: the built-in tutor, the model that --model
// names, and the connected models, which the store holds. A connected model is made when
// it is first used, and again after a change.
type connections struct {
	store  *store.Store
	logger *slog.Logger
	tutor  llm.Model
	fixed  *fixedModel // nil: the settings choose the default model

	mu    sync.Mutex // held while a model is made
	cache map[string]cachedModel
}

// A fixedModel is the model that --model names.
type fixedModel struct {
	model llm.Model
	modelLabel
}

// A cachedModel was made from the settings in from.
type cachedModel struct {
	from  classroom.Model
	model llm.Model
}

// lookupLimit bounds the time to look a model up in the store.
const lookupLimit = 5 * time.Second

// forAgent returns the model of an agent: its own, that of its class, or the default. No
// other model replaces one that was removed or cannot be made: the card then shows the
// reason.
func (c *connections) forAgent(ctx context.Context, class classroom.Class, agent classroom.Agent) llm.Model {
	ctx, stop := context.WithTimeout(ctx, lookupLimit)
	defer stop()
	m, err := c.model(ctx, classroom.ModelFor(class, agent))
	if err != nil {
		c.logger.Warn("a model is unavailable",
			slog.String("class", class.ID), slog.String("agent", agent.ID), slog.Any("error", err))
		return unavailableModel{err}
	}
	return m
}

// model returns the model with that id; the empty id is the default model.
func (c *connections) model(ctx context.Context, id string) (llm.Model, error) {
	id, err := c.resolve(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case id == "":
		return c.fixed.model, nil
	case id == classroom.TutorModel:
		return c.tutor, nil
	}
	return c.connected(ctx, id)
}

// resolve returns the id of the default model for an empty id, or an empty id if that is
// the fixed model.
func (c *connections) resolve(ctx context.Context, id string) (string, error) {
	if id != "" || c.fixed != nil {
		return id, nil
	}
	chosen, _, err := c.store.Setting(ctx, classroom.DefaultModel)
	if err == nil && chosen == "" {
		chosen = classroom.TutorModel
	}
	return chosen, err
}

// connected returns a model of the store. It holds the lock from the read of the store
// to the write of the cache, so that no model from before a change is cached after
// [connections.drop].
func (c *connections) connected(ctx context.Context, id string) (llm.Model, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	from, err := c.store.Model(ctx, id)
	if err != nil {
		return nil, err
	}
	if cached, ok := c.cache[id]; ok && cached.from == from {
		return cached.model, nil
	}
	m, err := c.newModel(ctx, from)
	if err != nil {
		return nil, err
	}
	if c.cache == nil {
		c.cache = map[string]cachedModel{}
	}
	c.cache[id] = cachedModel{from, m}
	return m, nil
}

// newModel makes a model from its settings.
func (c *connections) newModel(ctx context.Context, m classroom.Model) (llm.Model, error) {
	if m.Name == "" {
		return nil, classroom.ErrModelUnnamed
	}
	p, t, err := c.target(ctx, m)
	if err != nil {
		return nil, err
	}
	model, err := p.make(t)
	if err != nil {
		return nil, err
	}
	context, assumed := contextSize(m.Context, t.baseURL)
	return llm.With(model, llm.Profile{
		Title: cmp.Or(m.Title, m.Name), Context: context, Assumed: assumed, MaxOutput: m.MaxOutput,
		Thinking: llm.Level(m.Thinking), Price: llm.Price(m.Price),
	}), nil
}

// localContext is the context size that is assumed for a model on this machine if none
// was entered: local servers truncate a longer request without an error.
const localContext = 8192

// contextSize returns the entered context size, or an assumed one for a local model.
func contextSize(entered int, baseURL string) (tokens int, assumed bool) {
	if entered == 0 && wire.CheckBaseURL(baseURL, false) != nil {
		return localContext, true
	}
	return entered, false
}

// target decrypts the key of a model and returns the protocol and target of its requests.
func (c *connections) target(ctx context.Context, m classroom.Model) (protocol, target, error) {
	p, ok := protocols[m.Provider]
	if !ok {
		return protocol{}, target{}, classroom.ErrModelProvider
	}
	key, err := c.store.ModelKey(ctx, m)
	return p, target{baseURL: m.BaseURL, key: secret(key), name: m.Name, publicOnly: !m.Private}, err
}

// drop removes a model from the cache.
func (c *connections) drop(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.cache, id)
}

// editedModels are the models of the store. An edited model is dropped from the cache.
type editedModels struct {
	*store.Store
	connections *connections
}

func (e editedModels) UpdateModel(ctx context.Context, m classroom.Model, key *string) error {
	defer e.connections.drop(m.ID)
	return e.Store.UpdateModel(ctx, m, key)
}

func (e editedModels) DeleteModel(ctx context.Context, id string) error {
	defer e.connections.drop(id)
	return e.Store.DeleteModel(ctx, id)
}
