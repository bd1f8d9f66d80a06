package web

import (
	"errors"
	"net/http"
	"unicode/utf8"

	"colloquy/classroom"
	"colloquy/templates"
)

const maxPersonName = 60

// rename gives the caller another name. What they wrote before keeps the old one.
func (s *Server) rename(r *http.Request, name string) (classroom.Person, error) {
	p := who(r).person
	p.Name = plainName(name)
	if p.Name == "" || utf8.RuneCountInString(p.Name) > maxPersonName {
		return p, classroom.ErrPersonName
	}
	err := s.opt.People.RenamePerson(r.Context(), p.ID, p.Name)
	if errors.Is(err, classroom.ErrNotFound) { // the API's token speaks for an owner who has yet to come
		return p, classroom.ErrNoOwner
	}
	return p, err
}

// postName changes the name of who is signed in.
func (s *Server) postName(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	p, err := s.rename(r, r.PostForm.Get("name"))
	if err == nil {
		s.tell(w, r, "Saved. What you write from now on stands under “"+p.Name+"”.")
		return goTo(w, r, "/settings")
	}
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	return s.showSettings(w, r, status, templates.Settings{Name: new(r.PostForm.Get("name")), NameError: words})
}

// apiRename changes the name of the caller.
func (s *Server) apiRename(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name *string `json:"name"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	p := who(r).person
	if in.Name != nil {
		var err error
		if p, err = s.rename(r, *in.Name); err != nil {
			return err
		}
	}
	writeJSON(w, http.StatusOK, p)
	return nil
}
