package web

import (
	"fmt"
	"net/http"
	"strings"

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
	spent, err := s.opt.Spending.ClassSpent(r.Context(), class.ID)
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
	case !validRules(c.Rules):
		return classroom.ErrBadRequest
	}
	return nil
}

func validRules(r classroom.Rules) bool {
	known := r.Stance == "" || r.Stance == "explain" || r.Stance == "hints" || r.Stance == "socratic"
	return known && len(r.Aim) <= 4000 && len(r.Withheld) <= 4000
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
	class, err := s.opt.ClassEdits.CreateClass(r.Context(), class)
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
	if err := s.opt.ClassEdits.UpdateClass(r.Context(), class); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, class)
	return nil
}

// apiDeleteClass deletes a class after its sessions, whose runs and streams end first.
func (s *Server) apiDeleteClass(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	list, err := s.opt.Sessions.Sessions(r.Context(), class.ID)
	if err != nil {
		return err
	}
	for _, x := range list {
		if err := s.removeSession(r.Context(), x.ID); err != nil {
			return err
		}
	}
	if err := s.opt.ClassEdits.DeleteClass(r.Context(), class.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

const maxAgents = 12

// rosterOf checks a roster and gives an id to each agent that has none.
func rosterOf(in []classroom.Agent) ([]classroom.Agent, error) {
	if len(in) < 1 || len(in) > maxAgents {
		return nil, classroom.ErrBadRoster
	}
	taken := map[string]bool{}
	out := make([]classroom.Agent, 0, len(in))
	for _, a := range in {
		a.Name = plainName(a.Name)
		if a.ID == "" {
			a.ID = idOf(a.Name, taken)
		}
		role := a.Role == classroom.Teacher || a.Role == classroom.Assistant || a.Role == classroom.Student
		if a.Name == "" || len([]rune(a.Name)) > 60 || !role || !classroom.ValidID(a.ID) || taken[a.ID] || reserved(a.ID) || len(a.Persona) > 4000 {
			return nil, classroom.ErrBadRoster
		}
		taken[a.ID] = true
		out = append(out, a)
	}
	return out, nil
}

// idOf makes an id of a name: its plain letters and digits, numbered where taken.
// reserved reports whether an id is a word of the director's, who answers with
// an agent's id or with one of these.
func reserved(id string) bool { return strings.EqualFold(id, "end") || strings.EqualFold(id, "user") }

func idOf(name string, taken map[string]bool) string {
	plain := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	if plain == "" {
		plain = "agent"
	}
	plain = plain[:min(len(plain), 32)]
	id := plain
	for n := 2; taken[id] || reserved(id); n++ {
		id = fmt.Sprintf("%s-%d", plain, n)
	}
	return id
}
