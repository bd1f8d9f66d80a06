package web

import (
	"errors"
	"net/http"
	"unicode/utf8"

	"colloquy/classroom"
	"colloquy/templates"
)

const maxPersonName = 60

// rename changes the caller's name. Earlier messages keep the old name.
func (s *Server) rename(r *http.Request, name string) (classroom.Person, error) {
	p := callerFrom(r).person
	p.Name = plainName(name)
	if p.Name == "" || utf8.RuneCountInString(p.Name) > maxPersonName {
		return p, classroom.ErrPersonName
	}
	err := s.opt.People.RenamePerson(r.Context(), p.ID, p.Name)
	if errors.Is(err, classroom.ErrNotFound) { // the API token was used before the owner first signed in
		return p, classroom.ErrNoOwner
	}
	return p, err
}

// postName changes the caller's name by the form on the settings page.
func (s *Server) postName(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	p, err := s.rename(r, r.PostForm.Get("name"))
	if err == nil {
		s.flash(w, r, "notice.renamed", "Name", p.Name)
		return redirect(w, r, "/settings")
	}
	message, status, rest := formError(r, err)
	if rest != nil {
		return rest
	}
	return s.showSettings(w, r, status, templates.Settings{Name: new(r.PostForm.Get("name")), NameError: message})
}

// apiRename changes the caller's name by the API.
func (s *Server) apiRename(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name *string `json:"name"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	p := callerFrom(r).person
	if in.Name != nil {
		var err error
		if p, err = s.rename(r, *in.Name); err != nil {
			return err
		}
	}
	writeJSON(w, http.StatusOK, p)
	return nil
}
