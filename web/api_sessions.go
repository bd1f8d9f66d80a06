package web

import (
	"context"
	"fmt"
	"net/http"

	"colloquy/classroom"
)

// A sessionJSON is a session in the API.
type sessionJSON struct {
	classroom.Session
	Running bool `json:"running"`
}

func asJSON(s classroom.Session) sessionJSON {
	return sessionJSON{s, s.Status == classroom.Running}
}

func (s *Server) apiSessions(w http.ResponseWriter, r *http.Request) error {
	list, err := s.opt.Sessions.Sessions(r.Context(), r.URL.Query().Get("class"))
	if err != nil {
		return err
	}
	out := make([]sessionJSON, 0, len(list))
	for _, x := range list {
		if callerFrom(r).may(classroom.Read, x.Object()) {
			out = append(out, asJSON(x))
		}
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

func (s *Server) apiSession(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	if !callerFrom(r).may(classroom.Teach, session.Object()) {
		writeJSON(w, http.StatusOK, asJSON(session))
		return nil
	}
	spent, err := s.opt.Sessions.SessionSpent(r.Context(), session.ID)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct {
		sessionJSON
		classroom.Spent
	}{asJSON(session), spent})
	return nil
}

func (s *Server) apiCreateSession(w http.ResponseWriter, r *http.Request) error {
	var in newSession
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	session, err := s.createSession(r, in)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/sessions/"+session.ID)
	writeJSON(w, http.StatusCreated, asJSON(session))
	return nil
}

func (s *Server) apiDeleteSession(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	if err := s.deleteSession(r.Context(), session.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// deleteSession stops the session's run, deletes the session, and ends its streams.
func (s *Server) deleteSession(ctx context.Context, id string) error {
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
	session := callerFrom(r).target.session
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
	writeJSON(w, http.StatusCreated, asJSON(fork))
	return nil
}
