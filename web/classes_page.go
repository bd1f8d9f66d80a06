package web

import (
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

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

// modeOr is the mode that was chosen, or else the class's.
func modeOr(chosen, class string) string {
	if validMode(chosen) {
		return chosen
	}
	return class
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

// startSession opens an empty session of a class.
func (s *Server) startSession(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	in, err := sessionForm(r, class.ID)
	var session classroom.Session
	if err == nil {
		session, err = s.makeSession(r.Context(), in)
	}
	if err == nil {
		return goTo(w, r, "/sessions/"+session.ID)
	}
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	return s.showClass(w, r, status, templates.ClassPageView{Class: class, Error: words, Mode: in.Mode, Rounds: r.PostForm.Get("rounds")})
}

// sessionForm is what a form says of a new session. What it leaves empty is the
// class's own.
func sessionForm(r *http.Request, class string) (newSession, error) {
	in := newSession{Class: class, Mode: r.PostForm.Get("mode"), Agents: r.PostForm["agents"]}
	given := strings.TrimSpace(r.PostForm.Get("rounds"))
	if given == "" || in.Mode == classroom.ModeQA {
		return in, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil {
		return in, classroom.ErrBadRounds
	}
	in.Rounds = &n
	return in, nil
}

// postMaterials adds files, or a text that was pasted.
func (s *Server) postMaterials(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "multipart/form-data" {
		return s.pasteMaterial(w, r, class)
	}
	results, err := s.addMaterials(w, r, class.ID)
	if err != nil && len(results) == 0 {
		return err
	}
	var errors []string
	if err != nil {
		e, _ := visible(err)
		errors = append(errors, e.Message)
	}
	var names []string
	for _, x := range results {
		if x.Error != nil {
			errors = append(errors, x.Name+": "+x.Error.Message)
		} else {
			names = append(names, x.Name)
		}
	}
	news := ""
	if len(names) > 0 {
		news = added(names)
	}
	if news != "" && !fromHTMX(r) {
		s.tell(w, r, news)
	}
	status := http.StatusOK
	if err := noneAdded(results); err != nil {
		e, _ := visible(err)
		status = e.HTTPStatus()
		if len(results) == 0 {
			errors = append(errors, e.Message)
		}
	}
	return s.afterMaterials(w, r, status, templates.ClassPageView{Class: class, Errors: errors, Added: news})
}

const maxPaste = 3*maxFile + 64<<10 // every byte escaped

func (s *Server) pasteMaterial(w http.ResponseWriter, r *http.Request, class classroom.Class) error {
	if err := parseForm(w, r, maxPaste); tooLarge(err) {
		return classroom.ErrFileTooLarge
	} else if err != nil {
		return err
	}
	v := templates.ClassPageView{
		Class: class, DraftName: r.PostForm.Get("name"), Draft: r.PostForm.Get("text"), Back: sessionAt(r.PostForm.Get("back")),
	}
	m := classroom.Material{ClassID: class.ID, Name: fileName(v.DraftName), MediaType: "text/markdown"}
	var err error
	if strings.TrimSpace(v.Draft) == "" {
		err = classroom.ErrEmptyPaste
	} else {
		_, err = s.addText(r.Context(), m, []byte(v.Draft))
	}
	if err != nil {
		words, status, rest := wordsOf(err)
		if rest != nil || fromHTMX(r) {
			return err
		}
		v.Error = words
		return s.showClass(w, r, status, v)
	}
	s.tell(w, r, added([]string{m.Name}))
	if v.Back != "" {
		return goTo(w, r, "/sessions/"+v.Back)
	}
	return goTo(w, r, "/classes/"+class.ID)
}

// added says which materials are new.
func added(names []string) string {
	switch n := len(names); n {
	case 1:
		return names[0] + " was added."
	default:
		return fmt.Sprintf("%s and %d more were added.", names[0], n-1)
	}
}

// afterMaterials shows the list: to a script as the part of the page, to a
// browser as a page of its own.
func (s *Server) afterMaterials(w http.ResponseWriter, r *http.Request, status int, v templates.ClassPageView) error {
	if fromHTMX(r) {
		list, err := s.opt.Materials.Materials(r.Context(), v.Class.ID)
		if err != nil {
			return err
		}
		return show(w, status, templates.MaterialsList(v.Class, list, v.Errors, v.Added))
	}
	if len(v.Errors) > 0 {
		return s.showClass(w, r, status, v)
	}
	http.Redirect(w, r, "/classes/"+v.Class.ID, http.StatusSeeOther)
	return nil
}

func (s *Server) postDeleteMaterial(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if !classroom.ValidID(id) || !who(r).teaches() {
		return classroom.ErrNotFound
	}
	m, _, err := s.opt.Materials.Material(r.Context(), id)
	if err != nil {
		return err
	}
	if err := s.opt.Materials.DeleteMaterial(r.Context(), id); err != nil {
		return err
	}
	return goTo(w, r, cameFrom(r, "/classes/"+m.ClassID))
}

// cameFrom is the page of ours that a form stood on.
func cameFrom(r *http.Request, otherwise string) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host || u.Path == "" {
		return otherwise
	}
	return local(u.RequestURI())
}
