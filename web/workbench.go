package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live"
)

// workbench is the page of a session.
func (s *Server) workbench(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r)
	if err != nil {
		return err
	}
	return s.showBench(w, r, session, benchNote{status: http.StatusOK})
}

func (s *Server) showBench(w http.ResponseWriter, r *http.Request, session classroom.Session, note benchNote) error {
	b := templates.Workbench{Session: session, Examples: s.opt.Examples, Renames: s.opt.Rename != nil}
	var err error
	if b.Class, err = s.opt.Classes.Class(r.Context(), session.ClassID); err != nil {
		return err
	}
	if b.Spent.Currency, err = s.currency(r.Context()); err != nil {
		return err
	}
	answering := b.Class // its agents as they are now; those of the log come below
	if b.Nav, err = s.nav(r.Context(), session.ClassID, session.ID); err != nil {
		return err
	}
	if b.Materials, err = s.opt.Materials.Materials(r.Context(), session.ClassID); err != nil {
		return err
	}
	if err := s.live.View(r.Context(), session.ID, func(v *live.SessionView) { v.FillWorkbench(&b) }); err != nil {
		return err
	}
	s.live.NoteSidebar(session.ID, b.Cursor, b.Nav.Classes)
	b.Composer.Draft, b.Composer.Error = note.draft, note.error
	b.Page = s.pageOf(w, r, b.Session.Title, answering)
	return show(w, note.status, templates.WorkbenchPage(b))
}

// olderExchanges are cards before one, and the way to those before them.
func (s *Server) olderExchanges(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r)
	if err != nil {
		return err
	}
	before, err := strconv.Atoi(r.URL.Query().Get("before"))
	if err != nil || before < 1 {
		return classroom.ErrBadRequest
	}
	var out string
	if err = s.live.View(r.Context(), session.ID, func(v *live.SessionView) { out = v.Older(before) }); err != nil {
		return err
	}
	if !fromHTMX(r) { // without a script the link leads to the whole session, told from its start
		http.Redirect(w, r, fmt.Sprintf("/sessions/%s/replay?at=%d", session.ID, session.Head), http.StatusSeeOther)
		return nil
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(out))
	return nil
}

// postMessage takes what was typed into the page's composer.
func (s *Server) postMessage(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r)
	if err != nil {
		return err
	}
	if err := parseForm(w, r, maxBody); err != nil {
		return ofMessage(err)
	}
	post := classroom.Post{
		Text: textOf(r.PostForm), Delivery: classroom.Delivery(r.PostForm.Get("delivery")), ClientID: r.PostForm.Get("client_id"),
	}
	receipt, err := s.say(r, session.ID, post)
	if err != nil {
		return s.benchError(w, r, session, post.Text, err)
	}
	page := "/sessions/" + session.ID
	if receipt.Exchange != nil {
		page += "#" + templates.CardID(*receipt.Exchange)
	}
	return done(w, r, page)
}

// textOf is the text of a form, or the choices that were ticked instead of one.
func textOf(form url.Values) string {
	if text := form.Get("text"); text != "" {
		return text
	}
	return strings.Join(form["choice"], ", ")
}

// benchError answers a form without a script with its page: what was typed is
// still there, and the page says what was wrong.
func (s *Server) benchError(w http.ResponseWriter, r *http.Request, session classroom.Session, draft string, err error) error {
	words, status, rest := pageWords(r, err)
	if rest != nil {
		return rest
	}
	return s.showBench(w, r, session, benchNote{status, draft, words})
}

// act carries out a button of the workbench.
func (s *Server) act(w http.ResponseWriter, r *http.Request, do func(session string) error) error {
	session, err := s.session(r)
	if err != nil {
		return err
	}
	if err := do(session.ID); err != nil {
		return s.benchError(w, r, session, "", err)
	}
	return done(w, r, "/sessions/"+session.ID)
}

func (s *Server) postCancel(w http.ResponseWriter, r *http.Request) error {
	return s.act(w, r, func(id string) error { return s.opt.Runner.Cancel(r.Context(), id) })
}

func (s *Server) postResume(w http.ResponseWriter, r *http.Request) error {
	return s.act(w, r, func(id string) error { return s.opt.Runner.Resume(r.Context(), id) })
}

func (s *Server) postSendQueue(w http.ResponseWriter, r *http.Request) error {
	return s.act(w, r, func(id string) error { return s.opt.Runner.SendQueue(r.Context(), id) })
}

// postRemove takes a waiting message out of its queue.
func (s *Server) postRemove(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, maxBody); err != nil {
		return err
	}
	at, err := cursorOf(r.PostForm.Get("cursor"))
	if err != nil {
		return err
	}
	return s.act(w, r, func(id string) error { return s.opt.Runner.Unqueue(r.Context(), id, at) })
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
