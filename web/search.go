package web

import (
	"net/http"
	"strings"

	"colloquy/classroom"
	"colloquy/classroom/withheld"
	"colloquy/templates"
)

const (
	foundPassages = 12  // on the page of a search
	maxSought     = 500 // characters of what is looked for
)

// find looks the parameter q of the address up in the materials of the class. Whoever may
// review reads what is for teachers too.
func (s *Server) find(r *http.Request) (sought string, found classroom.Found, err error) {
	class := callerFrom(r).target.class
	sought = strings.TrimSpace(r.URL.Query().Get("q"))
	if runes := []rune(sought); len(runes) > maxSought {
		sought = string(runes[:maxSought])
	}
	if sought == "" {
		return "", classroom.Found{Passages: []classroom.Passage{}}, nil
	}
	found, err = s.opt.Materials.SearchMaterials(r.Context(), class.ID, classroom.MaterialQuery{
		Question: sought, Limit: foundPassages, Topic: true, Staff: callerFrom(r).audience == classroom.ForStaff,
	})
	if err == nil && callerFrom(r).audience != classroom.ForStaff {
		var set withheld.Set
		set, err = s.withheldIn(r.Context(), class)
		found.Passages, found.Near = set.RedactAll(found.Passages), set.RedactAll(found.Near)
	}
	if found.Passages == nil {
		found.Passages = []classroom.Passage{}
	}
	return sought, found, err
}

// classSearch shows what the materials of a class hold about something.
func (s *Server) classSearch(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	sought, found, err := s.find(r)
	if err != nil {
		return err
	}
	v := templates.ClassSearch{Class: class, Sought: sought, Found: found}
	v.Page = s.page(w, r, text(r, "page.search", "Title", class.Title))
	return writePage(w, r, http.StatusOK, templates.ClassSearchPage(v))
}

func (s *Server) apiClassSearch(w http.ResponseWriter, r *http.Request) error {
	_, found, err := s.find(r)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, found)
	return nil
}
