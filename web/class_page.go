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
	class := callerFrom(r).target.class
	v := templates.ClassPageView{Class: class, Reviews: callerFrom(r).may(classroom.Review, class.Object())}
	if asked := r.URL.Query(); asked.Has("back") {
		v.Back = sessionAt(cmp.Or(asked.Get("back"), cameFrom(r, "")))
	}
	return s.showClass(w, r, http.StatusOK, v)
}

// sessionAt returns the id of the session whose page has a path; empty for the path
// of another page.
func sessionAt(path string) string {
	path, _, _ = strings.Cut(localPath(path), "?")
	if id, ok := strings.CutPrefix(path, "/sessions/"); ok && classroom.ValidID(id) {
		return id
	}
	return ""
}

func (s *Server) showClass(w http.ResponseWriter, r *http.Request, status int, v templates.ClassPageView) error {
	var err error
	if v.Nav, err = s.nav(r, v.Class.ID, ""); err != nil {
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
	v.Page = s.pageForClass(w, r, v.Class.Title, v.Class)
	return writePage(w, r, status, templates.ClassPage(v))
}

// postClass creates a class with the title in the form.
func (s *Server) postClass(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	title := r.PostForm.Get("title")
	class := classroom.Class{Mode: classroom.ModeQA, Roster: s.opt.Roster, Owner: callerFrom(r).owner()}
	err := classChange{Title: &title}.apply(&class)
	if err == nil {
		class, err = s.opt.Classes.CreateClass(r.Context(), class)
	}
	if err == nil {
		s.flash(w, r, "notice.class_created")
		return redirect(w, r, "/classes/"+class.ID)
	}
	message, status, rest := formError(r, err)
	if rest != nil {
		return rest
	}
	return s.showHome(w, r, "", formProblem{status: status, error: message})
}

// postRules changes a class's title and how its agents teach. Fields that are not in
// the form keep their values.
func (s *Server) postRules(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	changed, err := rulesForm(r, class)
	if err == nil {
		err = s.opt.Classes.UpdateClass(r.Context(), changed)
	}
	if err == nil {
		s.flash(w, r, "notice.class_changed")
		page := "/classes/" + class.ID
		if r.PostForm.Has("withheld_shown") {
			page += "/review"
		}
		return redirect(w, r, page)
	}
	message, status, rest := formError(r, err)
	if rest != nil {
		return rest
	}
	return s.showClass(w, r, status, templates.ClassPageView{Class: changed, Error: message})
}

// rulesForm returns the class with the changes of a form. It returns them with an
// error too, so that the page can show what was typed.
func rulesForm(r *http.Request, class classroom.Class) (classroom.Class, error) {
	given := func(name, now string) string {
		if r.PostForm.Has(name) {
			return r.PostForm.Get(name)
		}
		return now
	}
	title := given("title", class.Title)
	rules := classroom.Rules{
		Aim:          given("aim", class.Rules.Aim),
		Manner:       given("stance", class.Rules.Manner),
		Withheld:     given("withheld", class.Rules.Withheld),
		WithheldFree: withheldFree(r, class.Rules),
		DeliverAll:   given("waiting", deliveryOf(class.Rules)) == "together",
		Speakers:     given("speakers", class.Rules.Speakers),
	}
	now := class.Rules.Lines()
	for i, l := range rules.Lines() {
		*l.Value = strings.TrimSpace(given(l.Key, *now[i].Value))
	}
	class.Title, class.Rules = "", rules // apply refuses an empty title
	err := classChange{Title: &title, Rules: &rules}.apply(&class)
	return class, err
}

// deliveryOf returns the value in the form for how waiting messages are delivered.
func deliveryOf(r classroom.Rules) string {
	if r.DeliverAll {
		return "together"
	}
	return "one"
}

// postClassModels chooses the models that answer in a class.
func (s *Server) postClassModels(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
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
	err := s.checkModelChoices(r.Context(), class, changed)
	if err == nil {
		err = s.opt.Classes.UpdateClass(r.Context(), changed)
	}
	if err == nil {
		s.flash(w, r, "notice.saved")
		return redirect(w, r, "/classes/"+class.ID)
	}
	message, status, rest := formError(r, err)
	if rest != nil {
		return rest
	}
	return s.showClass(w, r, status, templates.ClassPageView{Class: changed, Error: message})
}

// postDeleteClass deletes a class with its sessions and materials. The page asks for
// confirmation first.
func (s *Server) postDeleteClass(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	if err := s.deleteClass(r.Context(), class.ID); err != nil {
		return err
	}
	s.flash(w, r, "notice.class_deleted", "Title", class.Title)
	return redirect(w, r, "/")
}
