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
	session := callerFrom(r).target.session
	return s.showWorkbench(w, r, session, formProblem{status: http.StatusOK})
}

func (s *Server) showWorkbench(
	w http.ResponseWriter, r *http.Request, session classroom.Session, problem formProblem,
) error {
	c := callerFrom(r)
	b := templates.Workbench{
		Session: session, Examples: s.opt.Examples, CanRename: s.opt.Rename != nil, Audience: c.audience,
		ReadOnly: c.readOnly(), Teaches: c.may(classroom.Teach, session.Object()),
	}
	var err error
	if b.Class, err = s.opt.Classes.Class(r.Context(), session.ClassID); err != nil {
		return err
	}
	if b.Spent.Currency, err = s.currency(r.Context()); err != nil {
		return err
	}
	answering := b.Class // with its present roster, which FillWorkbench replaces
	if b.Nav, err = s.nav(r, session.ClassID, session.ID); err != nil {
		return err
	}
	if b.Materials, err = s.opt.Materials.Materials(r.Context(), session.ClassID); err != nil {
		return err
	}
	if b.Share, err = s.shareOf(r, session, problem); err != nil {
		return err
	}
	err = s.live.View(r.Context(), session.ID, readerOf(r), func(v *live.SessionView) { v.FillWorkbench(&b) })
	if err != nil {
		return err
	}
	if shown := c.lists(); shown != nil {
		s.live.NoteSidebar(shown.Key, session.ID, b.Cursor, b.Nav.Classes)
	}
	b.Composer.Draft, b.Composer.Error = problem.draft, problem.error
	b.Page = s.pageForClass(w, r, b.Session.Title, answering)
	return writePage(w, r, problem.status, templates.WorkbenchPage(b))
}

// olderExchanges returns the cards before an exchange, and a link to those before them.
func (s *Server) olderExchanges(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	before, err := strconv.Atoi(r.URL.Query().Get("before"))
	if err != nil || before < 1 {
		return classroom.ErrBadRequest
	}
	var out string
	err = s.live.View(r.Context(), session.ID, readerOf(r), func(v *live.SessionView) { out = v.Older(before) })
	if err != nil {
		return err
	}
	if !fromHTMX(r) { // without scripts the link leads to the replay, which has all cards
		http.Redirect(w, r, fmt.Sprintf("/sessions/%s/replay?at=%d", session.ID, session.Head), http.StatusSeeOther)
		return nil
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(out))
	return nil
}

// postMessage sends what was typed into the composer.
func (s *Server) postMessage(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	if err := parseForm(w, r, maxBody); err != nil {
		return messageTooLong(err)
	}
	post := classroom.Post{
		Text: messageText(r.PostForm), Delivery: classroom.Delivery(r.PostForm.Get("delivery")),
		ClientID: r.PostForm.Get("client_id"), Option: r.PostForm.Get("option"),
		Speakers: r.PostForm.Get("speakers"),
	}
	receipt, err := s.send(r, session.ID, post)
	if err != nil {
		return s.workbenchError(w, r, session, post.Text, err)
	}
	page := "/sessions/" + session.ID
	if receipt.Exchange != nil {
		page += "#" + templates.CardID(*receipt.Exchange)
	}
	return redirectBrowser(w, r, page)
}

// messageText returns the text of a form, or the choices that were ticked in its place.
func messageText(form url.Values) string {
	if text := form.Get("text"); text != "" {
		return text
	}
	return strings.Join(form["choice"], ", ")
}

// workbenchError answers a form that was sent without htmx with its page, which shows
// what was typed and the error.
func (s *Server) workbenchError(
	w http.ResponseWriter, r *http.Request, session classroom.Session, draft string, err error,
) error {
	message, status, rest := formError(r, err)
	if rest != nil {
		return rest
	}
	return s.showWorkbench(w, r, session, formProblem{status: status, draft: draft, error: message})
}

// act carries out a button of the workbench.
func (s *Server) act(w http.ResponseWriter, r *http.Request, do func(session string) error) error {
	session := callerFrom(r).target.session
	if err := do(session.ID); err != nil {
		return s.workbenchError(w, r, session, "", err)
	}
	return redirectBrowser(w, r, "/sessions/"+session.ID)
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

// postUnqueue removes a waiting message from its queue.
func (s *Server) postUnqueue(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, maxBody); err != nil {
		return err
	}
	at, err := cursorOf(r.PostForm.Get("cursor"))
	if err != nil {
		return err
	}
	return s.act(w, r, func(id string) error { return s.opt.Runner.Unqueue(r.Context(), id, at) })
}

// postTitle renames a session. Open pages are sent the new title by their streams.
func (s *Server) postTitle(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
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
		return s.opt.Rename(r.Context(), session.ID, title, callerFrom(r).person.ID)
	})
}

// postDeleteSession deletes a session. The page asks for confirmation first.
func (s *Server) postDeleteSession(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	if err := s.deleteSession(r.Context(), session.ID); err != nil {
		return err
	}
	s.flash(w, r, "notice.session_deleted")
	return redirect(w, r, "/classes/"+session.ClassID)
}
