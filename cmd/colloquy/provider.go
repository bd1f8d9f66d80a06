package main

import (
	"context"
	"errors"
	"log/slog"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

// servers asks the servers of models what the settings page wants to know.
type servers struct{ *connections }

// List names the models that the server of m has.
func (s servers) List(ctx context.Context, m classroom.Model) ([]string, error) {
	p, t, err := s.target(ctx, m)
	if err != nil {
		return nil, err
	}
	names, err := p.list(ctx, t)
	return names, s.spoken(err)
}

// word asks for a sign of life and nothing else.
func word(m classroom.Model) llm.Request {
	return llm.Request{
		System:   "Somebody tests whether you can be reached. Answer with one short word.",
		Messages: []llm.Message{{Role: llm.User, Text: "Say: ready"}},
		Thinking: llm.Level(m.Thinking),
	}
}

// Local finds the servers of models on this machine.
func (s servers) Local(ctx context.Context) ([]classroom.ModelServer, error) {
	return localServers(ctx), nil
}

// spoken is err as a sentence for people; what operators want to know besides is logged.
func (s servers) spoken(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*classroom.Error](err); ok {
		return e
	}
	e := asked(err)
	if e.Err != nil {
		s.log.Info("a model's server was asked in vain", slog.String("fault", string(e.Fault)), slog.Any("error", e.Err))
	}
	return &classroom.Error{Code: string(e.Fault), Message: e.Message}
}
