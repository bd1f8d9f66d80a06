package web

import (
	"errors"
	"net/http"
	"slices"
	"unicode/utf8"

	"colloquy/classroom"
	"colloquy/templates"

	"github.com/gorilla/sessions"
)

// loginPage is for visitors who are not signed in.
func (s *Server) loginPage(w http.ResponseWriter, r *http.Request) error {
	back := local(r.URL.Query().Get("return"))
	if _, err := s.identify(r); err == nil {
		http.Redirect(w, r, back, http.StatusSeeOther)
		return nil
	}
	return show(w, http.StatusOK, templates.LoginPage(templates.Login{
		Page: s.page(w, r, "Sign in"), Return: back, LinkHint: true,
	}))
}

// readPrefs returns what this browser prefers, and a notice, which is shown once.
func (s *Server) readPrefs(w http.ResponseWriter, r *http.Request) (templates.Prefs, string) {
	kept := s.prefs(r)
	theme, _ := kept.Values["theme"].(string)
	text, _ := kept.Values["text"].(string)
	notice, _ := kept.Values["notice"].(string)
	if notice != "" {
		delete(kept.Values, "notice")
		_ = kept.Save(r, w) // at worst the notice is shown twice
	}
	return templates.Prefs{Theme: theme, Text: text}, notice
}

// tell leaves a sentence for the next page that this browser opens.
func (s *Server) tell(w http.ResponseWriter, r *http.Request, notice string) {
	kept := s.prefs(r)
	kept.Values["notice"] = notice
	_ = kept.Save(r, w) // at worst it is not told
}

// prefs returns the browser's cookie; one that cannot be read is a new one.
func (s *Server) prefs(r *http.Request) *sessions.Session {
	kept, _ := s.cookies.Get(r, prefsCookie)
	return kept
}

// postPrefs keeps what the form gives; what it does not name stays.
func (s *Server) postPrefs(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, 4<<10); err != nil {
		return err
	}
	kept := s.prefs(r)
	for name, known := range map[string][]string{
		"theme": {"", "light", "dark"},
		"text":  {"", "large", "projector"},
	} {
		if value := r.PostForm.Get(name); r.PostForm.Has(name) && slices.Contains(known, value) {
			kept.Values[name] = value
		}
	}
	if err := kept.Save(r, w); err != nil {
		return err
	}
	return done(w, r, local(r.PostForm.Get("return")))
}

const maxPersonName = 60

// rename gives the caller another name. What they wrote before keeps the old one.
func (s *Server) rename(r *http.Request, name string) (classroom.Person, error) {
	p := who(r).person
	p.Name = plainName(name)
	if p.Name == "" || utf8.RuneCountInString(p.Name) > maxPersonName {
		return p, classroom.ErrPersonName
	}
	err := s.opt.People.RenamePerson(r.Context(), p.ID, p.Name)
	if errors.Is(err, classroom.ErrNotFound) { // the API's token speaks for an owner who has yet to come
		return p, classroom.ErrNoOwner
	}
	return p, err
}

// postName changes the name of who is signed in.
func (s *Server) postName(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	p, err := s.rename(r, r.PostForm.Get("name"))
	if err == nil {
		s.tell(w, r, "Saved. What you write from now on stands under “"+p.Name+"”.")
		return goTo(w, r, "/settings")
	}
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	return s.showSettings(w, r, status, templates.Settings{Name: new(r.PostForm.Get("name")), NameError: words})
}

// apiRename changes the name of the caller.
func (s *Server) apiRename(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name *string `json:"name"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	p := who(r).person
	if in.Name != nil {
		var err error
		if p, err = s.rename(r, *in.Name); err != nil {
			return err
		}
	}
	writeJSON(w, http.StatusOK, p)
	return nil
}
