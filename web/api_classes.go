package web

import (
	"context"
	"net/http"

	"colloquy/classroom"
)

func (s *Server) apiClasses(w http.ResponseWriter, r *http.Request) error {
	list, err := s.opt.Classes.Classes(r.Context())
	if err != nil {
		return err
	}
	taught := make([]classroom.Class, 0, len(list))
	for _, class := range list {
		if callerFrom(r).teaches(class) {
			taught = append(taught, class)
		}
	}
	writeJSON(w, http.StatusOK, taught)
	return nil
}

func (s *Server) apiClass(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
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

func (s *Server) apiCreateClass(w http.ResponseWriter, r *http.Request) error {
	var in classChange
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	class := classroom.Class{Mode: classroom.ModeQA, Roster: s.opt.Roster, Owner: callerFrom(r).owner()}
	if err := in.apply(&class); err != nil {
		return err
	}
	if err := s.checkModelChoices(r.Context(), classroom.Class{}, class); err != nil {
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
	class := callerFrom(r).target.class
	var in classChange
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	before := class
	if err := in.apply(&class); err != nil {
		return err
	}
	if err := s.checkModelChoices(r.Context(), before, class); err != nil {
		return err
	}
	if err := s.opt.Classes.UpdateClass(r.Context(), class); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, class)
	return nil
}

func (s *Server) apiDeleteClass(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	if err := s.deleteClass(r.Context(), class.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// deleteClass deletes a class after it has stopped and deleted its sessions.
func (s *Server) deleteClass(ctx context.Context, id string) error {
	list, err := s.opt.Sessions.Sessions(ctx, id)
	if err != nil {
		return err
	}
	for _, x := range list {
		if err := s.deleteSession(ctx, x.ID); err != nil {
			return err
		}
	}
	return s.opt.Classes.DeleteClass(ctx, id)
}
