package web

import (
	"context"
	"errors"
	"slices"

	"colloquy/classroom"
	"colloquy/templates"
)

// modelChoice returns the models that a class or an agent may choose, and the default.
func (s *Server) modelChoice(ctx context.Context) (templates.ModelChoice, error) {
	models, err := s.opt.Models.Models(ctx)
	if err != nil {
		return templates.ModelChoice{}, err
	}
	chosen, _, err := s.opt.Settings.Setting(ctx, classroom.DefaultModel)
	if err != nil {
		return templates.ModelChoice{}, err
	}
	choice := templates.ModelChoice{Models: models, Default: chosen, Fixed: s.opt.FixedModel}
	choice.DefaultLabel, _ = s.opt.Answers(ctx, classroom.Class{})
	return choice, nil
}

// currency returns the currency of the models' prices, which they share.
func (s *Server) currency(ctx context.Context) (string, error) {
	models, err := s.opt.Models.Models(ctx)
	for _, m := range models {
		if m.Currency != "" {
			return m.Currency, nil
		}
	}
	return "", err
}

// checkModelChoice checks that a model may be chosen: no model, the tutor, or a
// connected model that has a name.
func (s *Server) checkModelChoice(ctx context.Context, id string) error {
	if id == "" || id == classroom.TutorModel {
		return nil
	}
	if !classroom.ValidID(id) {
		return classroom.ErrModelUnknown
	}
	m, err := s.opt.Models.Model(ctx, id)
	switch {
	case errors.Is(err, classroom.ErrNotFound):
		return classroom.ErrModelUnknown
	case err == nil && m.Name == "":
		return classroom.ErrModelUnnamed
	}
	return err
}

// checkModelChoices checks what a class and its agents choose. What they had chosen
// before is not checked again.
func (s *Server) checkModelChoices(ctx context.Context, before, now classroom.Class) error {
	chosen := []string{before.Model}
	for _, a := range before.Roster {
		chosen = append(chosen, a.Model)
	}
	wanted := []string{now.Model}
	for _, a := range now.Roster {
		wanted = append(wanted, a.Model)
	}
	for _, id := range wanted {
		if slices.Contains(chosen, id) {
			continue
		}
		if err := s.checkModelChoice(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// usedBy returns the classes and agents that chose a model, by their names.
func (s *Server) usedBy(ctx context.Context, id string) ([]string, error) {
	classes, err := s.opt.Classes.Classes(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range classes {
		if c.Model == id {
			out = append(out, c.Title)
		}
		for _, a := range c.Roster {
			if a.Model == id {
				out = append(out, a.Name+" in "+c.Title)
			}
		}
	}
	return out, nil
}
