package web

import (
	"net/http"

	"colloquy/classroom"
	"colloquy/templates"
)

// home is the first page: a question box and what was asked before.
func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	if !who(r).teaches() {
		return classroom.ErrForbidden
	}
	return s.showHome(w, r, r.URL.Query().Get("class"), benchNote{status: http.StatusOK})
}

func (s *Server) showHome(w http.ResponseWriter, r *http.Request, class string, note benchNote) error {
	nav, err := s.nav(r.Context(), "", "")
	if err != nil {
		return err
	}
	var chosen classroom.Class
	for i, c := range nav.Classes {
		if i == 0 || c.Class.ID == class {
			chosen = c.Class
		}
	}
	return show(w, note.status, templates.HomePage(templates.Home{
		Mode: modeOr(r.PostForm.Get("mode"), chosen.Mode),
		Page: s.pageOf(w, r, "", chosen), Nav: nav, ClassID: chosen.ID, Examples: s.opt.Examples, Draft: note.draft, Error: note.error,
	}))
}

// ask opens a session with its first question.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) error {
	if !who(r).teaches() {
		return classroom.ErrForbidden
	}
	if err := parseForm(w, r, maxBody); err != nil {
		return ofMessage(err)
	}
	post := classroom.Post{Text: r.PostForm.Get("text"), ClientID: r.PostForm.Get("client_id")}
	in, err := sessionForm(r, r.PostForm.Get("class"))
	var session classroom.Session
	if err == nil {
		session, err = s.askFirst(r, in, post)
	}
	if err == nil {
		return goTo(w, r, "/sessions/"+session.ID)
	}
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	return s.showHome(w, r, r.PostForm.Get("class"), benchNote{status, post.Text, words})
}

// askFirst checks the question before it makes a session for it.
func (s *Server) askFirst(r *http.Request, in newSession, post classroom.Post) (classroom.Session, error) {
	post.Text = plainText(post.Text)
	if err := post.Check(); err != nil {
		return classroom.Session{}, err
	}
	session, err := s.makeSession(r.Context(), in)
	if err != nil {
		return classroom.Session{}, err
	}
	_, err = s.say(r, session.ID, post)
	return session, err
}

// modeOr is the mode that was chosen, or else the class's.
func modeOr(chosen, class string) string {
	if validMode(chosen) {
		return chosen
	}
	return class
}
