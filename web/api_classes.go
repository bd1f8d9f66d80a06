package web

import (
	"context"
	"net/http"
	"slices"
	"unicode/utf8"

	"colloquy/classroom"
)

func (s *Server) apiClasses(w http.ResponseWriter, r *http.Request) error {
	if !who(r).teaches() {
		return classroom.ErrForbidden
	}
	list, err := s.opt.Classes.Classes(r.Context())
	if err != nil {
		return err
	}
	if list == nil {
		list = []classroom.Class{}
	}
	writeJSON(w, http.StatusOK, list)
	return nil
}

func (s *Server) apiClass(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	spent, err := s.opt.Classes.ClassSpent(r.Context(), class.ID)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct {
		classroom.Class
		classroom.Spent
	}{class, spent})
	return nil
}

// A classChange holds the fields of a class that a request gives; nil leaves one as it is.
type classChange struct {
	Title  *string            `json:"title"`
	Mode   *string            `json:"mode"`
	Rules  *classroom.Rules   `json:"rules"`
	Roster *[]classroom.Agent `json:"roster"`
	Model  *string            `json:"model"`
}

func (ch classChange) apply(c *classroom.Class) error {
	var err error
	if ch.Title != nil {
		if c.Title, err = titleOf(*ch.Title, ""); err != nil {
			return err
		}
	}
	if ch.Mode != nil {
		c.Mode = *ch.Mode
	}
	if ch.Rules != nil {
		c.Rules = *ch.Rules
	}
	if ch.Roster != nil {
		if c.Roster, err = rosterOf(*ch.Roster); err != nil {
			return err
		}
	}
	set(&c.Model, ch.Model)
	switch {
	case c.Title == "":
		return classroom.ErrBadTitle
	case !validMode(c.Mode):
		return classroom.ErrBadMode
	}
	return checkRules(c.Rules)
}

// maxProse is how many characters a person may write of an aim, of what is
// withheld, or of a persona: every question carries them to the model.
const maxProse = 4000

func checkRules(r classroom.Rules) error {
	switch {
	case !slices.Contains([]string{"", "explain", "hints", "socratic"}, r.Manner):
		return classroom.ErrManner
	case utf8.RuneCountInString(r.Aim) > maxProse:
		return classroom.ErrAim
	case utf8.RuneCountInString(r.Withheld) > maxProse:
		return classroom.ErrWithheld
	}
	return nil
}

func (s *Server) apiCreateClass(w http.ResponseWriter, r *http.Request) error {
	if !who(r).teaches() {
		return classroom.ErrForbidden
	}
	var in classChange
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	class := classroom.Class{Mode: classroom.ModeQA, Roster: s.opt.Roster}
	if err := in.apply(&class); err != nil {
		return err
	}
	if err := s.choosableAll(r.Context(), classroom.Class{}, class); err != nil {
		return err
	}
	class, err := s.opt.Classes.CreateClass(r.Context(), class)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/classes/"+class.ID)
	writeJSON(w, http.StatusCreated, class)
	return nil
}

func (s *Server) apiUpdateClass(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	var in classChange
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	before := class
	if err := in.apply(&class); err != nil {
		return err
	}
	if err := s.choosableAll(r.Context(), before, class); err != nil {
		return err
	}
	if err := s.opt.Classes.UpdateClass(r.Context(), class); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, class)
	return nil
}

func (s *Server) apiDeleteClass(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	if err := s.removeClass(r.Context(), class.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// removeClass deletes a class after its sessions, whose runs and streams end first.
func (s *Server) removeClass(ctx context.Context, id string) error {
	list, err := s.opt.Sessions.Sessions(ctx, id)
	if err != nil {
		return err
	}
	for _, x := range list {
		if err := s.removeSession(ctx, x.ID); err != nil {
			return err
		}
	}
	return s.opt.Classes.DeleteClass(ctx, id)
}
