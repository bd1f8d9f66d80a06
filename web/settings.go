package web

import (
	"net/http"

	"colloquy/classroom"
	"colloquy/templates"
)

// settings is the page of settings: how this browser shows pages, and for the owner
// which models answer.
func (s *Server) settings(w http.ResponseWriter, r *http.Request) error {
	return s.showSettings(w, r, http.StatusOK, templates.Settings{})
}

func (s *Server) showSettings(w http.ResponseWriter, r *http.Request, status int, v templates.Settings) error {
	var err error
	if v.Nav, err = s.nav(r, "", ""); err != nil {
		return err
	}
	v.Nav.Unlisted = true
	v.CanConnect = callerFrom(r).person.Role == classroom.Owner && s.opt.Provider != nil
	if v.Choice, err = s.modelChoice(r.Context()); err != nil {
		return err
	}
	v.Facts = []templates.Fact{{Label: "Version", Value: s.opt.Version}}
	v.Page = s.pageForClass(w, r, text(r, "page.settings"), classroom.Class{})
	if !v.Page.Tutor && s.opt.FixedModel != "" {
		v.Page.Model = s.opt.FixedModel // with its server, for those who can see the settings
	}
	v.Page.Path = "/settings"
	return writePage(w, r, status, templates.SettingsPage(v))
}

// settingsError shows the settings with what was typed and the error.
func (s *Server) settingsError(w http.ResponseWriter, r *http.Request, v templates.Settings, err error) error {
	message, status, rest := formError(r, err)
	if rest != nil {
		return rest
	}
	v.Error = message
	return s.showSettings(w, r, status, v)
}

// postDefaultModel chooses the model that answers where neither class nor agent
// chooses one.
func (s *Server) postDefaultModel(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	id := r.PostForm.Get("model")
	err := s.checkModelChoice(r.Context(), id)
	if err == nil {
		err = s.opt.Settings.SetSetting(r.Context(), classroom.DefaultModel, id)
	}
	if err != nil {
		return s.settingsError(w, r, templates.Settings{}, err)
	}
	s.flash(w, r, "notice.saved")
	return redirect(w, r, "/settings")
}
