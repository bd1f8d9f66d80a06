package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
	"colloquy/classroom"
	"colloquy/store"
)

// connections are the models that can answer: the built-in tutor, the one that
// was named at the start, and those that are kept in the store. A kept one is
// made when it is first asked for, and again after it was changed.
type connections struct {
	store *store.Store
	log   *slog.Logger
	tutor llm.Model
	fixed *fixedModel // nil: what was chosen in the settings holds

	mu   sync.Mutex // held while a model is made
	made map[string]madeModel
}

// A fixedModel was named at the start of the program.
type fixedModel struct {
	model llm.Model
	named
}

// A named model is called by its title; at is its server's, for those who run it.
type named struct {
	title, at string
	tutor     bool
}

// whole is the name with the server.
func (n named) whole() string {
	if n.at == "" {
		return n.title
	}
	return n.title + " at " + n.at
}

var theTutor = named{title: "the built-in tutor", tutor: true}

type madeModel struct {
	from  classroom.Model
	model llm.Model
}

// lookupLimit is how long the choice of a model may wait for the store.
const lookupLimit = 5 * time.Second

// pick is the model that speaks for an agent: its own, its class's, or the
// workbench's. One that is gone or cannot be made is not replaced by another: it
// says what is wrong, in the card.
func (c *connections) pick(ctx context.Context, class classroom.Class, agent classroom.Agent) llm.Model {
	ctx, stop := context.WithTimeout(ctx, lookupLimit)
	defer stop()
	m, err := c.model(ctx, classroom.ModelFor(class, agent))
	if err != nil {
		c.log.Warn("a model cannot be asked", slog.String("class", class.ID), slog.String("agent", agent.ID), slog.Any("error", err))
		return absent{err}
	}
	return m
}

// model is the one of that id; the empty id is the workbench's choice.
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
	return c.kept(ctx, id)
}

// resolve turns the empty id into that of the workbench's choice; it stays empty
// where that is the fixed model.
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

// kept is a model of the store. The lock is held over all of it, so that what
// [connections.forget] drops is not put back by somebody who read it before.
func (c *connections) kept(ctx context.Context, id string) (llm.Model, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	from, err := c.store.Model(ctx, id)
	if err != nil {
		return nil, err
	}
	if known, ok := c.made[id]; ok && known.from == from {
		return known.model, nil
	}
	m, err := c.build(ctx, from)
	if err != nil {
		return nil, err
	}
	if c.made == nil {
		c.made = map[string]madeModel{}
	}
	c.made[id] = madeModel{from, m}
	return m, nil
}

// build makes a model of what is kept of it.
func (c *connections) build(ctx context.Context, m classroom.Model) (llm.Model, error) {
	if m.Name == "" {
		return nil, classroom.ErrModelUnnamed
	}
	p, t, err := c.target(ctx, m)
	if err != nil {
		return nil, err
	}
	made, err := p.make(t)
	if err != nil {
		return nil, err
	}
	context, assumed := contextOf(m.Context, t.baseURL)
	return llm.With(made, llm.Profile{
		Context: context, Assumed: assumed, MaxOutput: m.MaxOutput, Thinking: llm.Level(m.Thinking), Price: llm.Price(m.Price),
	}), nil
}

// localContext is how many tokens a model of this machine is taken to hold where
// nobody said: servers there cut a longer request without a word.
const localContext = 8192

func contextOf(said int, baseURL string) (tokens int, assumed bool) {
	if said == 0 && wire.Check(baseURL, false) != nil {
		return localContext, true
	}
	return said, false
}

// target opens the key of a model and says where it is asked.
func (c *connections) target(ctx context.Context, m classroom.Model) (protocol, target, error) {
	p, ok := protocols[m.Provider]
	if !ok {
		return protocol{}, target{}, classroom.ErrModelProvider
	}
	key, err := c.store.ModelKey(ctx, m)
	return p, target{baseURL: m.BaseURL, key: secret(key), name: m.Name, public: !m.Private}, err
}

// forget has a model made anew when it is next asked for.
func (c *connections) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.made, id)
}

// answers says which models answer in a class, and whether that is the tutor
// alone. Pupils read it: it names no server.
func (c *connections) answers(ctx context.Context, class classroom.Class) (string, bool) {
	ids := []string{class.Model}
	if len(class.Roster) > 0 {
		ids = nil
	}
	for _, a := range class.Roster {
		ids = append(ids, classroom.ModelFor(class, a))
	}
	var words []string
	alone := true
	for _, id := range ids {
		said := c.name(ctx, id)
		if !slices.Contains(words, said.title) {
			words = append(words, said.title)
		}
		alone = alone && said.tutor
	}
	return strings.Join(words, ", "), alone
}

// name says what a model is called.
func (c *connections) name(ctx context.Context, id string) named {
	id, err := c.resolve(ctx, id)
	switch {
	case err != nil:
		return named{title: "a model that could not be looked up"}
	case id == "":
		return c.fixed.named
	case id == classroom.TutorModel:
		return theTutor
	}
	m, err := c.store.Model(ctx, id)
	if err != nil || m.Name == "" {
		return named{title: "a model that is no longer connected"}
	}
	return named{title: cmp.Or(m.Title, m.Name), at: hostOf(m.BaseURL)}
}

// editedModels are the models of the store. A connection is made anew once its
// model was edited.
type editedModels struct {
	*store.Store
	connections *connections
}

func (e editedModels) UpdateModel(ctx context.Context, m classroom.Model, key *string) error {
	defer e.connections.forget(m.ID)
	return e.Store.UpdateModel(ctx, m, key)
}

func (e editedModels) DeleteModel(ctx context.Context, id string) error {
	defer e.connections.forget(id)
	return e.Store.DeleteModel(ctx, id)
}

// errGone is what an agent says whose model was removed.
var errGone = &llm.Error{
	Fault:   llm.Refused,
	Message: "The model that was chosen for this agent is no longer connected. Choose another on the page of the class.",
}

// asked is err as a model's error, in words for people.
func asked(err error) *llm.Error {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e
	}
	if errors.Is(err, classroom.ErrNotFound) {
		return errGone
	}
	e := &llm.Error{Fault: llm.Refused, Message: "The model that was chosen cannot be used as it is set up. Look at its page in the settings, and test it there.", Err: err}
	if told, ok := errors.AsType[*classroom.Error](err); ok {
		e.Message = told.Message
	}
	return e
}
