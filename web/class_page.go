package web

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"colloquy/classroom"
	"colloquy/templates"
)

func (s *Server) classPage(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	v := templates.ClassPageView{Class: class}
	if asked := r.URL.Query(); asked.Has("back") {
		v.Back = sessionAt(cmp.Or(asked.Get("back"), cameFrom(r, "")))
	}
	return s.showClass(w, r, http.StatusOK, v)
}

// sessionAt is the id of the session that a path of ours leads to; empty where it
// leads elsewhere.
func sessionAt(path string) string {
	path, _, _ = strings.Cut(local(path), "?")
	if id, ok := strings.CutPrefix(path, "/sessions/"); ok && classroom.ValidID(id) {
		return id
	}
	return ""
}

func (s *Server) showClass(w http.ResponseWriter, r *http.Request, status int, v templates.ClassPageView) error {
	var err error
	if v.Nav, err = s.nav(r.Context(), v.Class.ID, ""); err != nil {
		return err
	}
	if v.Sessions, err = s.opt.Sessions.Sessions(r.Context(), v.Class.ID); err != nil {
		return err
	}
	if v.Materials, err = s.opt.Materials.Materials(r.Context(), v.Class.ID); err != nil {
		return err
	}
	if v.Spent, err = s.opt.Classes.ClassSpent(r.Context(), v.Class.ID); err != nil {
		return err
	}
	if v.Choice, err = s.modelChoice(r.Context()); err != nil {
		return err
	}
	if progress, due := s.opt.Indexing(); due {
		v.Indexing = &progress
	}
	v.Page = s.pageOf(w, r, v.Class.Title, v.Class)
	return show(w, status, templates.ClassPage(v))
}

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

// postClassModels chooses which models answer in a class.
func (s *Server) postClassModels(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	changed := class
	changed.Roster = slices.Clone(class.Roster)
	if r.PostForm.Has("model") {
		changed.Model = r.PostForm.Get("model")
	}
	for i, a := range changed.Roster {
		if name := "model-" + a.ID; r.PostForm.Has(name) {
			changed.Roster[i].Model = r.PostForm.Get(name)
		}
	}
	if err = s.choosableAll(r.Context(), class, changed); err == nil {
		err = s.opt.Classes.UpdateClass(r.Context(), changed)
	}
	if err == nil {
		s.tell(w, r, "Saved. It holds from the next question on.")
		return goTo(w, r, "/classes/"+class.ID)
	}
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	return s.showClass(w, r, status, templates.ClassPageView{Class: changed, Error: words})
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
