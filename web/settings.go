package web

import (
	"net/http"

	"colloquy/classroom"
	"colloquy/templates"
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
