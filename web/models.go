package web

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"colloquy/classroom"
	"colloquy/templates"
)

// ownerOnly lets only the owner through, and nobody where no model can be connected.
func (s *Server) ownerOnly(h handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if who(r).person.Role != classroom.Owner {
			return classroom.ErrForbidden
		}
		if s.opt.Provider == nil {
			return classroom.ErrNotFound
		}
		return h(w, r)
	}
}

// model returns the model that the request names.
func (s *Server) model(r *http.Request) (classroom.Model, error) {
	id := r.PathValue("id")
	if !classroom.ValidID(id) {
		return classroom.Model{}, classroom.ErrNotFound
	}
	return s.opt.Models.Model(r.Context(), id)
}

// modelChoice is what a class, an agent or the workbench may choose from.
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
	choice.Workbench, _ = s.opt.Answers(ctx, classroom.Class{})
	return choice, nil
}

// currency is that of the models' prices: they have one.
func (s *Server) currency(ctx context.Context) (string, error) {
	models, err := s.opt.Models.Models(ctx)
	for _, m := range models {
		if m.Currency != "" {
			return m.Currency, nil
		}
	}
	return "", err
}

// choosable checks that a model may be chosen: none, the tutor, or one that is
// connected and has its name.
func (s *Server) choosable(ctx context.Context, id string) error {
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

// choosableAll is choosable for what a class and its agents choose anew; what
// they had chosen before is left alone.
func (s *Server) choosableAll(ctx context.Context, before, now classroom.Class) error {
	chosen := []string{before.Model}
	for _, a := range before.Roster {
		chosen = append(chosen, a.Model)
	}
	asked := []string{now.Model}
	for _, a := range now.Roster {
		asked = append(asked, a.Model)
	}
	for _, id := range asked {
		if slices.Contains(chosen, id) {
			continue
		}
		if err := s.choosable(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// usedBy names the classes and agents that chose a model, as people read them.
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

// postDefaultModel chooses who answers where class and agent choose nobody.
func (s *Server) postDefaultModel(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	id := r.PostForm.Get("model")
	err := s.choosable(r.Context(), id)
	if err == nil {
		err = s.opt.Settings.SetSetting(r.Context(), classroom.DefaultModel, id)
	}
	if err != nil {
		return s.settingsError(w, r, templates.Settings{}, err)
	}
	s.tell(w, r, "Saved. It holds from the next question on.")
	return goTo(w, r, "/settings")
}

// postClassModels chooses which models answer in a class.
func (s *Server) postClassModels(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	changed := class
	changed.Roster = slices.Clone(class.Roster)
	if r.PostForm.Has("model") {
		changed.Model = r.PostForm.Get("model")
	}
	for i, a := range changed.Roster {
		if name := "model-" + a.ID; r.PostForm.Has(name) {
			changed.Roster[i].Model = r.PostForm.Get(name)
		}
	}
	if err = s.choosableAll(r.Context(), class, changed); err == nil {
		err = s.opt.Classes.UpdateClass(r.Context(), changed)
	}
	if err == nil {
		s.tell(w, r, "Saved. It holds from the next question on.")
		return goTo(w, r, "/classes/"+class.ID)
	}
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	return s.showClass(w, r, status, templates.ClassPageView{Class: changed, Error: words})
}
