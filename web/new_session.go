package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"colloquy/classroom"
	"colloquy/templates"
)

// A newSession is a request for a session.
type newSession struct {
	Class  string   `json:"class"`
	Title  string   `json:"title"`
	Mode   string   `json:"mode"`
	Rounds *int     `json:"rounds"`
	Agents []string `json:"agents"` // ids or roles of the agents that take part; empty: all
}

// postSession creates an empty session in a class.
func (s *Server) postSession(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	in, err := sessionForm(r, class.ID)
	var session classroom.Session
	if err == nil {
		session, err = s.createSession(r, in)
	}
	if err == nil {
		return redirect(w, r, "/sessions/"+session.ID)
	}
	message, status, rest := formError(r, err)
	if rest != nil {
		return rest
	}
	v := templates.ClassPageView{Class: class, Error: message, Mode: in.Mode, Rounds: r.PostForm.Get("rounds")}
	return s.showClass(w, r, status, v)
}

// sessionForm reads the form of a new session. Where a field is empty the session gets
// the class's value.
func sessionForm(r *http.Request, class string) (newSession, error) {
	in := newSession{Class: class, Mode: r.PostForm.Get("mode"), Agents: r.PostForm["agents"]}
	given := strings.TrimSpace(r.PostForm.Get("rounds"))
	if given == "" || classroom.ModeOf(in.Mode).Rounds == 0 {
		return in, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil {
		return in, classroom.ErrBadRounds
	}
	in.Rounds = &n
	return in, nil
}

// createSession creates a session in the class that in names. Without one it takes the
// newest class, and creates a class if there is none.
func (s *Server) createSession(r *http.Request, in newSession) (classroom.Session, error) {
	class, err := s.classForSession(r, in.Class)
	if err != nil {
		return classroom.Session{}, err
	}
	title, err := titleOf(in.Title, "")
	if err != nil {
		return classroom.Session{}, err
	}
	if in.Mode == "" {
		in.Mode = class.Mode
	}
	if !validMode(in.Mode) {
		return classroom.Session{}, classroom.ErrBadMode
	}
	roster, err := selectAgents(class.Roster, in.Agents)
	if err != nil {
		return classroom.Session{}, err
	}
	if len(roster) < classroom.ModeOf(in.Mode).Agents {
		return classroom.Session{}, classroom.ErrFewAgents
	}
	session := classroom.Session{ClassID: class.ID, Title: title, Mode: in.Mode}
	if in.Rounds != nil {
		if session.Rounds = *in.Rounds; session.Rounds < 1 || session.Rounds > classroom.MaxRounds {
			return classroom.Session{}, classroom.ErrBadRounds
		}
	}
	return s.opt.Sessions.CreateSession(r.Context(), session, roster)
}

// classForSession returns the class with an id, if the caller teaches it. For an empty id
// it returns the newest class, and creates one if there is none.
func (s *Server) classForSession(r *http.Request, id string) (classroom.Class, error) {
	if id != "" {
		if !classroom.ValidID(id) {
			return classroom.Class{}, classroom.ErrNotFound
		}
		class, err := s.opt.Classes.Class(r.Context(), id)
		if err == nil {
			err = require(r, classroom.Teach, class.Object())
		}
		return class, err
	}
	newest, err := s.newestClass(r)
	if err != nil || newest.ID != "" {
		return newest, err
	}
	return s.opt.Classes.CreateClass(r.Context(), classroom.Class{
		Title: text(r, "class.first_title"), Mode: classroom.ModeQA, Roster: s.opt.Roster, Owner: callerFrom(r).owner(),
	})
}

// newestClass returns the newest class that the caller teaches; the zero class if there
// is none.
func (s *Server) newestClass(r *http.Request) (classroom.Class, error) {
	list, err := s.opt.Classes.Classes(r.Context())
	for _, class := range list {
		if callerFrom(r).teaches(class) {
			return class, nil
		}
	}
	return classroom.Class{}, err
}

// selectAgents returns the agents whose id or role is named, or all if no name is
// given.
func selectAgents(roster []classroom.Agent, names []string) ([]classroom.Agent, error) {
	if len(names) == 0 {
		return roster, nil
	}
	var out []classroom.Agent
	for _, a := range roster {
		if slices.Contains(names, a.ID) || slices.Contains(names, string(a.Role)) {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return nil, classroom.ErrBadRoster
	}
	return out, nil
}
