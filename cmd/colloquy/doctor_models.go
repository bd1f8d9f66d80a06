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
	"colloquy/templates/locale"
)

// doctorLimit bounds the check of one model.
const doctorLimit = 20 * time.Second

// A modelCheck is a model to be checked.
type modelCheck struct {
	subject  string
	protocol protocol
	target   target
	err      error // known before a request is sent
}

// examineModels requests the list of models from the server of each model, all at the
// same time. inspection may be nil.
func examineModels(ctx context.Context, c ServeConfig, inspection *store.Inspection) []finding {
	checks, err := modelsToCheck(ctx, c, inspection)
	if err != nil {
		return []finding{failed("models", err.Error(), restoreAdvice)}
	}
	if len(checks) == 0 {
		return []finding{ok("models", "none is connected: the built-in tutor answers")}
	}
	out := make([]finding, len(checks))
	var running sync.WaitGroup
	for i, check := range checks {
		running.Go(func() { out[i] = check.examine(ctx) })
	}
	running.Wait()
	return out
}

func modelsToCheck(ctx context.Context, c ServeConfig, inspection *store.Inspection) ([]modelCheck, error) {
	var out []modelCheck
	if p, ok := protocols[c.Model.Provider]; ok {
		at := c.endpoint()
		out = append(out, modelCheck{
			subject: c.Model.String(), protocol: p,
			target: target{baseURL: at.BaseURL, key: at.Key, name: c.Model.Name},
		})
	}
	if inspection == nil {
		return out, nil
	}
	models, err := inspection.Models(ctx)
	if err != nil {
		if have, newest, err := inspection.Schema(ctx); err == nil && have < newest {
			return out, nil // schema 1 had no models
		}
		return nil, err
	}
	for _, m := range models {
		key, err := inspection.ModelKey(ctx, m)
		check := modelCheck{subject: cmp.Or(m.Title, m.Name, m.BaseURL), protocol: protocols[m.Provider], err: err}
		check.target = target{baseURL: m.BaseURL, key: secret(key), name: m.Name, publicOnly: !m.Private}
		if m.Name == "" {
			check.err = classroom.ErrModelUnnamed
		}
		out = append(out, check)
	}
	return out, nil
}

func (c modelCheck) examine(ctx context.Context) finding {
	subject := "model " + c.subject
	switch {
	case errors.Is(c.err, classroom.ErrModelUnnamed):
		return warn(subject, "is not finished", locale.English().Error(classroom.ErrModelUnnamed))
	case c.err != nil:
		return failed(subject, "its key cannot be decrypted", modelError(c.err).Message)
	case c.protocol.list == nil:
		return failed(subject, "uses a protocol that this program does not know",
			"Remove it in the settings, or use the newer colloquy that knew it.")
	}
	ctx, stop := context.WithTimeout(ctx, doctorLimit)
	defer stop()
	began := time.Now()
	names, err := c.protocol.list(ctx, c.target)
	if err != nil && !isUnreachable(err) { // some servers have no list
		names, err = nil, c.ping(ctx)
	}
	switch {
	case err != nil:
		return failed(subject, "does not answer", modelError(err).Message)
	case names != nil && len(names) == 0:
		return warn(subject, "its server runs, but has no model yet",
			"Load "+c.target.name+" there, or choose another server in the settings.")
	case len(names) > 0 && !slices.Contains(names, c.target.name):
		return warn(subject, "its server answers, and does not list "+c.target.name,
			"Test it in the settings; choose another of its models if it does not answer.")
	}
	return ok(subject, fmt.Sprintf("answers, after %d ms", time.Since(began).Milliseconds()))
}

func isUnreachable(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Fault == llm.Unreachable
}

// ping requests one word from the model.
func (c modelCheck) ping(ctx context.Context) error {
	model, err := c.protocol.make(c.target)
	if err != nil {
		return err
	}
	req := llm.Request{
		System:   "Somebody tests whether you can be reached. Answer with one short word.",
		Messages: []llm.Message{{Role: llm.User, Text: "Say: ready"}},
	}
	for e, err := range llm.Guard(model).Stream(ctx, req) {
		if err != nil || e.Kind == llm.TextDelta {
			return err
		}
	}
	return nil
}
