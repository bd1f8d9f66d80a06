package web

import (
	"net/http"

	"colloquy/classroom"
	"colloquy/templates"
)

// home is the first page: a box for a question, and the list of sessions.
func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	return s.showHome(w, r, r.URL.Query().Get("class"), formProblem{status: http.StatusOK})
}

func (s *Server) showHome(w http.ResponseWriter, r *http.Request, class string, problem formProblem) error {
	nav, err := s.nav(r, "", "")
	if err != nil {
		return err
	}
	var chosen classroom.Class
	for i, c := range nav.Classes {
		if i == 0 || c.Class.ID == class {
			chosen = c.Class
		}
	}
	return writePage(w, r, problem.status, templates.HomePage(templates.Home{
		Page: s.pageForClass(w, r, "", chosen), Nav: nav,
		ClassID: chosen.ID, Mode: chosenMode(r.PostForm.Get("mode"), chosen.Mode), Examples: s.opt.Examples,
		Draft: problem.draft, Error: problem.error,
	}))
}

// postQuestion creates a session and sends it its first question.
func (s *Server) postQuestion(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, maxBody); err != nil {
		return messageTooLong(err)
	}
	post := classroom.Post{Text: r.PostForm.Get("text"), ClientID: r.PostForm.Get("client_id")}
	in, err := sessionForm(r, r.PostForm.Get("class"))
	var session classroom.Session
	if err == nil {
		session, err = s.startWithQuestion(r, in, post)
	}
	if err == nil {
		return redirect(w, r, "/sessions/"+session.ID)
	}
	message, status, rest := formError(r, err)
	if rest != nil {
		return rest
	}
	return s.showHome(w, r, r.PostForm.Get("class"), formProblem{status: status, draft: post.Text, error: message})
}

// startWithQuestion checks the question before it creates a session for it.
func (s *Server) startWithQuestion(r *http.Request, in newSession, post classroom.Post) (classroom.Session, error) {
	post.Text = plainText(post.Text)
	if err := post.Check(); err != nil {
		return classroom.Session{}, err
	}
	session, err := s.createSession(r, in)
	if err != nil {
		return classroom.Session{}, err
	}
	_, err = s.send(r, session.ID, post)
	return session, err
}

// chosenMode returns the mode that was chosen, or the class's if none was.
func chosenMode(chosen, class string) string {
	if validMode(chosen) {
		return chosen
	}
	return class
}
