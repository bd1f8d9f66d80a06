package web

import (
	"net/http"

	"colloquy/templates"
)

const reviewNotes = 100 // on one page

// reviewPage shows what only the staff of a class may read.
func (s *Server) reviewPage(w http.ResponseWriter, r *http.Request) error {
	v := templates.Review{Class: callerFrom(r).target.class}
	var err error
	if v.Nav, err = s.nav(r, v.Class.ID, ""); err != nil {
		return err
	}
	if v.Notes, err = s.opt.Reviews.ReviewNotes(r.Context(), v.Class.ID, reviewNotes); err != nil {
		return err
	}
	set, err := s.withheldIn(r.Context(), v.Class)
	if err != nil {
		return err
	}
	for _, x := range set.Sentences() {
		v.Withheld = append(v.Withheld, templates.WithheldSentence(x))
	}
	v.Page = s.page(w, r, text(r, "page.review", "Title", v.Class.Title))
	return writePage(w, r, http.StatusOK, templates.ReviewPage(v))
}

// postReviewed takes the mark from a class in the sidebar.
func (s *Server) postReviewed(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	if err := s.opt.Reviews.MarkReviewed(r.Context(), class.ID); err != nil {
		return err
	}
	return redirect(w, r, "/classes/"+class.ID+"/review")
}
