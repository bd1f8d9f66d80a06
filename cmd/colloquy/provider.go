package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"colloquy/agents"
	"colloquy/classroom"
)

// servers sends the requests of the settings page to the servers of models.
type servers struct{ *connections }

// List returns the names of the models that the server of m offers.
func (s servers) List(ctx context.Context, m classroom.Model) ([]string, error) {
	p, t, err := s.target(ctx, m)
	if err != nil {
		return nil, err
	}
	names, err := p.list(ctx, t)
	return names, s.userError(m, err)
}

// Local returns the model servers that run on this machine.
func (s servers) Local(ctx context.Context) ([]classroom.ModelServer, error) {
	return localServers(ctx), nil
}

// userError returns err, an error of the server of m, as an error for the owner, and
// logs the details for operators.
func (s servers) userError(m classroom.Model, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*classroom.Error](err); ok {
		return e
	}
	e := modelError(err)
	if e.Err != nil {
		s.logger.Info("a request to a model server failed",
			slog.String("fault", string(e.Fault)), slog.Any("error", e.Err))
	}
	return agents.ServerError(e, cmp.Or(m.Title, m.Name, hostName(m.BaseURL)))
}
