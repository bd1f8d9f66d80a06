package web

import (
	"context"
	"net/http"

	"colloquy/classroom"
)

// A modelJSON is a model in the API: without its key.
type modelJSON struct {
	classroom.Model
	Default bool `json:"default"`
}

func (s *Server) apiModels(w http.ResponseWriter, r *http.Request) error {
	choice, err := s.modelChoice(r.Context())
	if err != nil {
		return err
	}
	out := make([]modelJSON, 0, len(choice.Models))
	for _, m := range choice.Models {
		out = append(out, modelJSON{m, m.ID == choice.Default})
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

func (s *Server) apiModel(w http.ResponseWriter, r *http.Request) error {
	m, err := s.model(r)
	if err != nil {
		return err
	}
	return s.writeModel(w, r, http.StatusOK, m.ID)
}

// writeModel answers with a model as it is stored.
func (s *Server) writeModel(w http.ResponseWriter, r *http.Request, status int, id string) error {
	m, err := s.opt.Models.Model(r.Context(), id)
	if err != nil {
		return err
	}
	chosen, _, err := s.opt.Settings.Setting(r.Context(), classroom.DefaultModel)
	if err != nil {
		return err
	}
	writeJSON(w, status, modelJSON{m, m.ID == chosen})
	return nil
}

func (s *Server) apiCreateModel(w http.ResponseWriter, r *http.Request) error {
	var in modelChange
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	key, err := plainKey(in.Key)
	if err != nil {
		return err
	}
	if key == nil {
		key = new(string)
	}
	var m classroom.Model
	if err := in.apply(&m); err != nil {
		return err
	}
	if m.Name == "" {
		return classroom.ErrModelName
	}
	if m, err = s.opt.Models.CreateModel(r.Context(), m, *key); err != nil {
		return err
	}
	if err := s.answerByDefault(r.Context(), m.ID, in.Default); err != nil {
		return err
	}
	w.Header().Set("Location", "/api/models/"+m.ID)
	return s.writeModel(w, r, http.StatusCreated, m.ID)
}

// answerByDefault makes a model the default, or stops it from being that; nil
// changes nothing.
func (s *Server) answerByDefault(ctx context.Context, id string, yes *bool) error {
	if yes == nil {
		return nil
	}
	chosen, _, err := s.opt.Settings.Setting(ctx, classroom.DefaultModel)
	if err != nil || *yes == (chosen == id) {
		return err
	}
	if !*yes {
		id = ""
	}
	if err := s.checkModelChoice(ctx, id); err != nil {
		return err
	}
	return s.opt.Settings.SetSetting(ctx, classroom.DefaultModel, id)
}

func (s *Server) apiUpdateModel(w http.ResponseWriter, r *http.Request) error {
	m, err := s.model(r)
	if err != nil {
		return err
	}
	var in modelChange
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	key, err := plainKey(in.Key)
	if err != nil {
		return err
	}
	named := m.Name != ""
	if err := in.apply(&m); err != nil {
		return err
	}
	if m.Name == "" && (named || in.Name != nil) {
		return classroom.ErrModelName
	}
	if err := s.opt.Models.UpdateModel(r.Context(), m, key); err != nil {
		return err
	}
	if err := s.answerByDefault(r.Context(), m.ID, in.Default); err != nil {
		return err
	}
	return s.writeModel(w, r, http.StatusOK, m.ID)
}

func (s *Server) apiDeleteModel(w http.ResponseWriter, r *http.Request) error {
	m, err := s.model(r)
	if err != nil {
		return err
	}
	if err := s.opt.Models.DeleteModel(r.Context(), m.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
