package web

import (
	"net/http"
	"strconv"

	"colloquy/classroom"
)

// postLift gives the answer free that the hints of a card hold back.
func (s *Server) postLift(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	question, _ := strconv.ParseInt(r.PostForm.Get("question"), 10, 64) // none is the last
	err := s.opt.Runner.Lift(r.Context(), session.ID, classroom.Cursor(question), callerFrom(r).person.ID)
	if err != nil {
		return err
	}
	return redirect(w, r, "/sessions/"+session.ID)
}

func (s *Server) apiLift(w http.ResponseWriter, r *http.Request) error {
	var in struct{ Question classroom.Cursor }
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	err := s.opt.Runner.Lift(r.Context(), callerFrom(r).target.session.ID, in.Question, callerFrom(r).person.ID)
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}
