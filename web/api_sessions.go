package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"colloquy/classroom"
)

// A sessionJSON is a session as the API shows it.
type sessionJSON struct {
	classroom.Session
	Running bool `json:"running"`
}

func shown(s classroom.Session) sessionJSON {
	return sessionJSON{s, s.Status == classroom.Running}
}

func (s *Server) apiSessions(w http.ResponseWriter, r *http.Request) error {
	if !who(r).teaches() {
		return classroom.ErrForbidden
	}
	list, err := s.opt.Sessions.Sessions(r.Context(), r.URL.Query().Get("class"))
	if err != nil {
		return err
	}
	out := make([]sessionJSON, 0, len(list))
	for _, x := range list {
		out = append(out, shown(x))
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

func (s *Server) apiSession(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r)
	if err != nil {
		return err
	}
	spent, err := s.opt.Sessions.SessionSpent(r.Context(), session.ID)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct {
		sessionJSON
		classroom.Spent
	}{shown(session), spent})
	return nil
}

type newSession struct {
	Class  string   `json:"class"`
	Title  string   `json:"title"`
	Mode   string   `json:"mode"`
	Rounds *int     `json:"rounds"`
	Agents []string `json:"agents"` // ids or roles that narrow the roster
}

func (s *Server) apiCreateSession(w http.ResponseWriter, r *http.Request) error {
	var in newSession
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if !who(r).teaches() {
		return classroom.ErrForbidden
	}
	session, err := s.makeSession(r.Context(), in)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/sessions/"+session.ID)
	writeJSON(w, http.StatusCreated, shown(session))
	return nil
}

// makeSession makes a session in the class it names, or in the newest class, or
// in a first class that it makes for the purpose.
func (s *Server) makeSession(ctx context.Context, in newSession) (classroom.Session, error) {
	class, err := s.pickClass(ctx, in.Class)
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
	roster, err := narrow(class.Roster, in.Agents)
	if err != nil {
		return classroom.Session{}, err
	}
	if len(roster) < classroom.AgentsNeeded(in.Mode) {
		return classroom.Session{}, classroom.ErrFewAgents
	}
	session := classroom.Session{ClassID: class.ID, Title: title, Mode: in.Mode}
	if in.Rounds != nil {
		if session.Rounds = *in.Rounds; session.Rounds < 1 || session.Rounds > classroom.MaxRounds {
			return classroom.Session{}, classroom.ErrBadRounds
		}
	}
	return s.opt.Sessions.CreateSession(ctx, session, roster)
}

func (s *Server) pickClass(ctx context.Context, id string) (classroom.Class, error) {
	if id != "" {
		if !classroom.ValidID(id) {
			return classroom.Class{}, classroom.ErrNotFound
		}
		return s.opt.Classes.Class(ctx, id)
	}
	list, err := s.opt.Classes.Classes(ctx)
	if err != nil {
		return classroom.Class{}, err
	}
	if len(list) > 0 {
		return list[0], nil
	}
	return s.opt.Classes.CreateClass(ctx, classroom.Class{Title: "My class", Mode: classroom.ModeQA, Roster: s.opt.Roster})
}

func validMode(mode string) bool {
	return slices.Contains([]string{classroom.ModeQA, classroom.ModeDiscussion, classroom.ModeDebate, classroom.ModeLecture}, mode)
}

// narrow keeps the agents whose id or role is named; none named keeps all.
func narrow(roster []classroom.Agent, names []string) ([]classroom.Agent, error) {
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

// titleOf trims a title and checks it; an empty one becomes otherwise.
func titleOf(title, otherwise string) (string, error) {
	given := title
	title = plainName(title)
	if title == "" && strings.TrimSpace(given) == "" {
		return otherwise, nil
	}
	if title == "" || len([]rune(title)) > 200 {
		return "", classroom.ErrBadTitle
	}
	return title, nil
}

func (s *Server) apiDeleteSession(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r)
	if err != nil {
		return err
	}
	if err := s.removeSession(r.Context(), session.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// removeSession stops the session's run, deletes it, and ends its streams.
func (s *Server) removeSession(ctx context.Context, id string) error {
	if err := s.opt.Runner.Cancel(ctx, id); err != nil {
		return fmt.Errorf("stop session %s before its deletion: %w", id, err)
	}
	if err := s.opt.Sessions.DeleteSession(ctx, id); err != nil {
		return err
	}
	s.live.EndSession(id)
	return nil
}

func (s *Server) apiFork(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r)
	if err != nil {
		return err
	}
	var in struct {
		At *classroom.Cursor `json:"at"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	at := session.Head
	if in.At != nil {
		at = *in.At
	}
	if at < 1 || at > session.Head {
		return classroom.ErrBadFork
	}
	fork, err := s.opt.Sessions.ForkSession(r.Context(), session.ID, at)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/sessions/"+fork.ID)
	writeJSON(w, http.StatusCreated, shown(fork))
	return nil
}
