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

// settings is what a person can choose: how this browser shows pages, and for
// the owner who answers.
func (s *Server) settings(w http.ResponseWriter, r *http.Request) error {
	return s.showSettings(w, r, http.StatusOK, templates.Settings{})
}

func (s *Server) showSettings(w http.ResponseWriter, r *http.Request, status int, v templates.Settings) error {
	var err error
	if v.Nav, err = s.nav(r.Context(), "", ""); err != nil {
		return err
	}
	v.Nav.Apart = true
	v.Connects = who(r).person.Role == classroom.Owner && s.opt.Provider != nil
	if v.Choice, err = s.modelChoice(r.Context()); err != nil {
		return err
	}
	v.Facts = []templates.Fact{{Label: "Version", Value: s.opt.Version}}
	v.Page = s.pageOf(w, r, "Settings", classroom.Class{})
	if !v.Page.Tutor && s.opt.FixedModel != "" {
		v.Page.Model = s.opt.FixedModel // with its server, which no list shows
	}
	v.Page.Path = "/settings"
	return show(w, status, templates.SettingsPage(v))
}

// settingsError shows the settings with what was typed and what was wrong.
func (s *Server) settingsError(w http.ResponseWriter, r *http.Request, v templates.Settings, err error) error {
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	v.Error = words
	return s.showSettings(w, r, status, v)
}

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
