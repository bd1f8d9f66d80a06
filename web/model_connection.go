package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
)

// What a press on a button waits for: a model on a small machine is first loaded
// into memory when it is asked.
const (
	tryLimit   = 45 * time.Second
	listLimit  = 10 * time.Second
	localLimit = 5 * time.Second
)

// postModel is the first step of connecting a model: it keeps address and key.
// Which of the server's models it is, is asked on the page that follows.
func (s *Server) postModel(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	f := r.PostForm
	draft := templates.ModelDraft{Provider: f.Get("provider"), BaseURL: f.Get("base_url"), Private: f.Has("private"), Keyed: f.Get("key") != ""}
	in := modelChange{Provider: &draft.Provider, BaseURL: &draft.BaseURL, Private: &draft.Private}
	if f.Has("name") {
		in.Name = new(f.Get("name"))
	}
	key, err := plainKey(new(f.Get("key")))
	var m classroom.Model
	if err == nil {
		err = in.apply(&m)
	}
	if err == nil {
		m, err = s.connect(r.Context(), m, *key)
	}
	if err != nil {
		return s.settingsError(w, r, templates.Settings{Draft: draft}, err)
	}
	if m.Name != "" {
		s.tell(w, r, savedWords(classroom.Model{}, false))
	}
	return goTo(w, r, "/settings/models/"+m.ID)
}

// connect keeps a new model. One that was begun at the same address and not
// finished is gone on with, so that a second try leaves no second entry; without
// a key it keeps the one it has.
func (s *Server) connect(ctx context.Context, m classroom.Model, key string) (classroom.Model, error) {
	models, err := s.opt.Models.Models(ctx)
	if err != nil {
		return m, err
	}
	begun := slices.IndexFunc(models, func(x classroom.Model) bool {
		return x.Name == "" && x.Provider == m.Provider && x.BaseURL == m.BaseURL
	})
	if begun < 0 {
		return s.opt.Models.CreateModel(ctx, m, key)
	}
	again := models[begun]
	again.Private, again.Name = m.Private, m.Name
	if key == "" {
		return again, s.opt.Models.UpdateModel(ctx, again, nil)
	}
	return again, s.opt.Models.UpdateModel(ctx, again, &key)
}

// postLocalModels looks for servers of models on this machine.
func (s *Server) postLocalModels(w http.ResponseWriter, r *http.Request) error {
	ctx, stop := context.WithTimeout(r.Context(), localLimit)
	defer stop()
	found, err := s.opt.Provider.Local(ctx)
	if err != nil {
		return s.settingsError(w, r, templates.Settings{}, err)
	}
	local := templates.LocalModels{Looked: true, Servers: found}
	if fromHTMX(r) {
		return show(w, http.StatusOK, templates.LocalModelsFound(local))
	}
	return s.showSettings(w, r, http.StatusOK, templates.Settings{Local: local})
}

// postConnection changes address and key. A key that is not given stays, as long
// as the address does.
func (s *Server) postConnection(w http.ResponseWriter, r *http.Request) error {
	m, err := s.model(r)
	if err != nil {
		return err
	}
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	f, changed := r.PostForm, m
	v := templates.ModelPageView{Model: m, Draft: templates.DraftOf(m)}
	v.Draft.BaseURL, v.Draft.Private = f.Get("base_url"), f.Has("private")
	var key *string
	if f.Get("key") != "" || f.Has("forget") {
		key = new(f.Get("key"))
	}
	if key, err = plainKey(key); err == nil {
		err = modelChange{BaseURL: &v.Draft.BaseURL, Private: &v.Draft.Private}.apply(&changed)
	}
	if err == nil {
		err = s.opt.Models.UpdateModel(r.Context(), changed, key)
	}
	if err != nil {
		return s.modelError(w, r, v, err)
	}
	s.tell(w, r, connectionWords(m, changed, key))
	return goTo(w, r, "/settings/models/"+m.ID)
}

func connectionWords(before, now classroom.Model, key *string) string {
	if before.HasKey && before.BaseURL != now.BaseURL && key == nil {
		return "Saved. The key was entered for the old address and was not taken along; enter the key of the new one below."
	}
	return "Saved. It holds from the next question on."
}
