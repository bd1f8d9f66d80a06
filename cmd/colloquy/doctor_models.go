package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"colloquy/agents/llm"
	"colloquy/classroom"
	"colloquy/store"
)

// doctorLimit is how long a model's server may take to be looked at.
const doctorLimit = 20 * time.Second

// A patient is a model that the doctor looks at.
type patient struct {
	about string
	p     protocol
	t     target
	wrong error // what is wrong before anything is asked
}

// examineModels asks the server of each model for its list, all at once. visit
// may be nil.
func examineModels(ctx context.Context, c ServeConfig, visit *store.Inspection) []finding {
	patients, err := patientsOf(ctx, c, visit)
	if err != nil {
		return []finding{failed("models", err.Error(), restoreWords)}
	}
	if len(patients) == 0 {
		return []finding{good("models", "none is connected: the built-in tutor answers")}
	}
	out := make([]finding, len(patients))
	var asking sync.WaitGroup
	for i, p := range patients {
		asking.Go(func() { out[i] = p.examine(ctx) })
	}
	asking.Wait()
	return out
}

func patientsOf(ctx context.Context, c ServeConfig, visit *store.Inspection) ([]patient, error) {
	var out []patient
	if p, ok := protocols[c.Model.Provider]; ok {
		at := c.endpoint()
		out = append(out, patient{about: c.Model.String(), p: p, t: target{baseURL: at.BaseURL, key: at.Key, name: c.Model.Name}})
	}
	if visit == nil {
		return out, nil
	}
	models, err := visit.Models(ctx)
	if err != nil {
		if have, newest, bad := visit.Schema(ctx); bad == nil && have < newest {
			return out, nil // from before there were models
		}
		return nil, err
	}
	for _, m := range models {
		key, err := visit.ModelKey(ctx, m)
		x := patient{about: cmp.Or(m.Title, m.Name, m.BaseURL), p: protocols[m.Provider], wrong: err}
		x.t = target{baseURL: m.BaseURL, key: secret(key), name: m.Name, public: !m.Private}
		if m.Name == "" {
			x.wrong = classroom.ErrModelUnnamed
		}
		out = append(out, x)
	}
	return out, nil
}

func (p patient) examine(ctx context.Context) finding {
	about := fmt.Sprintf("model %s", p.about)
	switch {
	case errors.Is(p.wrong, classroom.ErrModelUnnamed):
		return warn(about, "is not finished", classroom.ErrModelUnnamed.Message)
	case p.wrong != nil:
		return failed(about, "its key cannot be opened", asked(p.wrong).Message)
	case p.p.list == nil:
		return failed(about, "speaks a protocol that this program does not know", "Remove it in the settings, or use the newer colloquy that knew it.")
	}
	ctx, stop := context.WithTimeout(ctx, doctorLimit)
	defer stop()
	began := time.Now()
	names, err := p.p.list(ctx, p.t)
	if err != nil && !unreachable(err) { // not every server has a list
		names, err = nil, p.word(ctx)
	}
	switch {
	case err != nil:
		return failed(about, "does not answer", asked(err).Message)
	case names != nil && len(names) == 0:
		return warn(about, "its server runs, but has no model yet",
			"Load "+p.t.name+" there, or choose another server in the settings.")
	case len(names) > 0 && !slices.Contains(names, p.t.name):
		return warn(about, "its server answers, and does not list "+p.t.name, "Test it in the settings; choose another of its models where it does not answer.")
	}
	return good(about, fmt.Sprintf("answers, after %d ms", time.Since(began).Milliseconds()))
}

func unreachable(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Fault == llm.Unreachable
}

// word asks the model itself.
func (p patient) word(ctx context.Context) error {
	m, err := p.p.make(p.t)
	if err != nil {
		return err
	}
	for e, err := range llm.Guard(m).Stream(ctx, word(classroom.Model{})) {
		if err != nil || e.Kind == llm.TextDelta {
			return err
		}
	}
	return nil
}
