package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
)

// How long a page waits for the server of a model. On a small machine the first
// request loads the model into memory.
const (
	tryLimit   = 45 * time.Second
	listLimit  = 10 * time.Second
	localLimit = 5 * time.Second
)

// postModel is the first step of connecting a model: it stores the address and the
// key. The next page asks which model of the server it is.
func (s *Server) postModel(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	f := r.PostForm
	draft := templates.ModelDraft{
		Provider: f.Get("provider"), BaseURL: f.Get("base_url"), Private: f.Has("private"),
		KeyTyped: f.Get("key") != "",
	}
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
		s.flash(w, r, savedNotice(classroom.Model{}, false))
	}
	return redirect(w, r, "/settings/models/"+m.ID)
}

// connect stores a new model. If there is an unfinished one of the same provider it
// changes that, so that a second attempt, also with a corrected address, leaves no second
// entry; an empty key keeps its key at the same address.
func (s *Server) connect(ctx context.Context, m classroom.Model, key string) (classroom.Model, error) {
	models, err := s.opt.Models.Models(ctx)
	if err != nil {
		return m, err
	}
	unfinished := slices.IndexFunc(models, func(x classroom.Model) bool {
		return x.Name == "" && x.Provider == m.Provider
	})
	if unfinished < 0 {
		return s.opt.Models.CreateModel(ctx, m, key)
	}
	begun := models[unfinished]
	begun.Private, begun.Name, begun.BaseURL = m.Private, m.Name, m.BaseURL
	if key == "" {
		return begun, s.opt.Models.UpdateModel(ctx, begun, nil)
	}
	return begun, s.opt.Models.UpdateModel(ctx, begun, &key)
}

// postLocalModels searches this machine for servers of models.
func (s *Server) postLocalModels(w http.ResponseWriter, r *http.Request) error {
	ctx, stop := context.WithTimeout(r.Context(), localLimit)
	defer stop()
	found, err := s.opt.Provider.Local(ctx)
	if err != nil {
		return s.settingsError(w, r, templates.Settings{}, err)
	}
	local := templates.LocalModels{Searched: true, Servers: found}
	if fromHTMX(r) {
		return writePage(w, r, http.StatusOK, templates.LocalModelsFound(local))
	}
	return s.showSettings(w, r, http.StatusOK, templates.Settings{Local: local})
}

// postConnection changes address and key. Without a key in the form the model keeps
// its key, unless the address changed.
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
	s.flash(w, r, connectionNotice(m, changed, key))
	return redirect(w, r, "/settings/models/"+m.ID)
}

func connectionNotice(before, now classroom.Model, key *string) string {
	if before.HasKey && before.BaseURL != now.BaseURL && key == nil {
		return "notice.model_key_removed"
	}
	return "notice.saved"
}
