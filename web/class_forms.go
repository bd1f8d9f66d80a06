package web

import (
	"net/http"

	"colloquy/classroom"
	"colloquy/templates"
)

const formBytes = 64 << 10

// postClass makes a class of the title that the form gives.
func (s *Server) postClass(w http.ResponseWriter, r *http.Request) error {
	if !who(r).teaches() {
		return classroom.ErrForbidden
	}
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	title := r.PostForm.Get("title")
	class := classroom.Class{Mode: classroom.ModeQA, Roster: s.opt.Roster}
	err := classChange{Title: &title}.apply(&class)
	if err == nil {
		class, err = s.opt.Classes.CreateClass(r.Context(), class)
	}
	if err == nil {
		s.tell(w, r, "The class was made. Add materials, then start a session.")
		return goTo(w, r, "/classes/"+class.ID)
	}
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	return s.showHome(w, r, "", benchNote{status: status, error: words})
}

// postRules changes a class's title and how its agents teach. What the form does
// not name stays.
func (s *Server) postRules(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	changed, err := rulesForm(r, class)
	if err == nil {
		err = s.opt.Classes.UpdateClass(r.Context(), changed)
	}
	if err == nil {
		s.tell(w, r, "The class was changed. It holds from the next question on.")
		return goTo(w, r, "/classes/"+class.ID)
	}
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	return s.showClass(w, r, status, templates.ClassPageView{Class: changed, Error: words})
}

func rulesForm(r *http.Request, class classroom.Class) (classroom.Class, error) {
	given := func(name, now string) string {
		if r.PostForm.Has(name) {
			return r.PostForm.Get(name)
		}
		return now
	}
	title := given("title", class.Title)
	rules := classroom.Rules{
		Aim:        given("aim", class.Rules.Aim),
		Manner:     given("stance", class.Rules.Manner),
		Withheld:   given("withheld", class.Rules.Withheld),
		DeliverAll: given("waiting", waitingOf(class.Rules)) == "together",
	}
	class.Title, class.Rules = "", rules // an empty title is refused, and the form shows what was typed
	err := classChange{Title: &title, Rules: &rules}.apply(&class)
	return class, err
}

// waitingOf is how the form names the way a class takes waiting messages.
func waitingOf(r classroom.Rules) string {
	if r.DeliverAll {
		return "together"
	}
	return "one"
}

// postTitle renames a session; its stream carries the title to every page.
func (s *Server) postTitle(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r)
	if err != nil {
		return err
	}
	if s.opt.Rename == nil {
		return classroom.ErrNotFound
	}
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	title, err := titleOf(r.PostForm.Get("title"), "")
	if err == nil && title == "" {
		err = classroom.ErrBadTitle
	}
	return s.act(w, r, func(id string) error {
		if err != nil {
			return err
		}
		return s.opt.Rename(r.Context(), session.ID, title, who(r).person.ID)
	})
}

// postDeleteSession removes a session for good; the page asks before it sends this.
func (s *Server) postDeleteSession(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r)
	if err != nil {
		return err
	}
	if err := s.removeSession(r.Context(), session.ID); err != nil {
		return err
	}
	s.tell(w, r, "The session was deleted.")
	return goTo(w, r, "/classes/"+session.ClassID)
}

// postDeleteClass removes a class with all it holds; the page asks before it sends this.
func (s *Server) postDeleteClass(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	if err := s.removeClass(r.Context(), class.ID); err != nil {
		return err
	}
	s.tell(w, r, "“"+class.Title+"” was deleted, with its sessions and materials.")
	return goTo(w, r, "/")
}
