package web

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"

	"colloquy/classroom"
	"colloquy/templates"

	"github.com/a-h/templ"
)

// page is what every page of this request shows around its content.
func (s *Server) page(w http.ResponseWriter, r *http.Request, title string) templates.Page {
	p := templates.Page{Title: title, Path: r.URL.RequestURI(), Version: s.opt.Version}
	p.Prefs, p.Notice = s.readPrefs(w, r)
	if c, ok := r.Context().Value(callerKey{}).(caller); ok {
		p.Person = c.person
	}
	return p
}

// pageOf is page with a word on who answers in a class.
func (s *Server) pageOf(w http.ResponseWriter, r *http.Request, title string, class classroom.Class) templates.Page {
	p := s.page(w, r, title)
	p.Model, p.Tutor = s.opt.Answers(r.Context(), class)
	return p
}

// show writes a page. It is rendered first, so that a page is whole or an error.
func show(w http.ResponseWriter, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(context.Background(), &b); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}

const navSessions = 40 // of a class, listed beside a page

// classNavs lists the classes with their newest sessions.
func (s *Server) classNavs(ctx context.Context) ([]templates.ClassNav, error) {
	classes, err := s.opt.Classes.Classes(ctx)
	if err != nil {
		return nil, err
	}
	sessions, err := s.opt.Sessions.Sessions(ctx, "")
	if err != nil {
		return nil, err
	}
	out := make([]templates.ClassNav, 0, len(classes))
	at := map[string]int{}
	for i, c := range classes {
		at[c.ID] = i
		out = append(out, templates.ClassNav{Class: c})
	}
	for _, x := range sessions {
		if i, ok := at[x.ClassID]; ok && len(out[i].Sessions) < navSessions {
			out[i].Sessions = append(out[i].Sessions, x)
		}
	}
	return out, nil
}

func (s *Server) nav(ctx context.Context, class, session string) (templates.Nav, error) {
	classes, err := s.classNavs(ctx)
	return templates.Nav{Classes: classes, ClassID: class, SessionID: session}, err
}

// fromHTMX reports whether the page's script asks, not the browser itself.
func fromHTMX(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// done answers a form that was carried out: a browser goes to the page, a script
// knows enough.
func done(w http.ResponseWriter, r *http.Request, page string) error {
	if fromHTMX(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, page, http.StatusSeeOther)
	return nil
}

// goTo leads both a browser and a script to a page.
func goTo(w http.ResponseWriter, r *http.Request, page string) error {
	if fromHTMX(r) {
		w.Header().Set("HX-Redirect", page)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, page, http.StatusSeeOther)
	return nil
}

// local returns a path of ours to lead to: never another site's.
func local(path string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, "\\") {
		return "/"
	}
	return u.RequestURI()
}

// parseForm reads a form of at most limit bytes.
func parseForm(w http.ResponseWriter, r *http.Request, limit int64) error {
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	if err := r.ParseForm(); err != nil {
		return formError(err)
	}
	return nil
}

// wordsOf is what a person is told of err, or err itself where that is no matter for them.
func wordsOf(err error) (message string, status int, rest error) {
	e, expected := visible(err)
	if !expected || e == classroom.ErrNotFound || e == classroom.ErrSignIn {
		return "", 0, err
	}
	return e.Message, e.HTTPStatus(), nil
}

// pageWords is wordsOf for a form whose page is shown again with them; what asks
// for no page gets err itself.
func pageWords(r *http.Request, err error) (message string, status int, rest error) {
	if fromHTMX(r) || wantsJSON(r) {
		return "", 0, err
	}
	return wordsOf(err)
}
