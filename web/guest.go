package web

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"colloquy/classroom"
	"colloquy/templates"
)

// guestLinkPage shows a button that lets the visitor in. Opening the link changes
// nothing, so that a program that previews it does not come in.
func (s *Server) guestLinkPage(w http.ResponseWriter, r *http.Request) error {
	token := r.URL.Query().Get("token")
	link, session, err := s.guestLink(r, token)
	if err != nil {
		return err
	}
	if c, err := s.identify(r); err == nil && c.may(link.Right, session.Object()) {
		http.Redirect(w, r, "/sessions/"+session.ID, http.StatusSeeOther)
		return nil
	}
	return s.showGuestLink(w, r, http.StatusOK, templates.GuestLink{
		Token: token, Session: session.Title, AsksName: link.Right == classroom.Take,
	})
}

func (s *Server) showGuestLink(w http.ResponseWriter, r *http.Request, status int, v templates.GuestLink) error {
	v.Page = s.page(w, r, text(r, "page.guest_link"))
	v.Page.Path = "/"
	return writePage(w, r, status, templates.GuestLinkPage(v))
}

// guestLink returns the valid link of a token, and its session. One that has ended is
// reported as one that never was.
func (s *Server) guestLink(r *http.Request, token string) (classroom.GuestLink, classroom.Session, error) {
	link, err := s.opt.Links.LinkByToken(r.Context(), hashOf(token))
	if code, ok := errorCode(err); ok && code == classroom.ErrNotFound.Code {
		err = classroom.ErrLinkEnded
	}
	if err == nil && !link.Valid(classroom.StampOf(time.Now())) {
		err = classroom.ErrLinkEnded
	}
	if err != nil {
		return link, classroom.Session{}, err
	}
	session, err := s.opt.Sessions.Session(r.Context(), link.Object)
	return link, session, err
}

// postGuestLink makes the visitor a guest, who may do what the link allows.
func (s *Server) postGuestLink(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	token := r.PostForm.Get("token")
	link, session, err := s.guestLink(r, token)
	if err != nil {
		return err
	}
	if c, err := s.identify(r); err == nil && c.may(link.Right, session.Object()) { // the owner stays the owner
		http.Redirect(w, r, "/sessions/"+session.ID, http.StatusSeeOther)
		return nil
	}
	if s.hasAccount(r) {
		return classroom.ErrHasAccount
	}
	guest := classroom.Person{ID: "guest-" + strings.ToLower(rand.Text())[:12], Role: classroom.GuestRole}
	if link.Right == classroom.Take {
		guest.Name = plainName(r.PostForm.Get("name"))
		refused, err := s.checkGuestName(r, guest.Name, session)
		if err != nil {
			return err
		}
		if refused != nil {
			return s.showGuestLink(w, r, refused.HTTPStatus(), templates.GuestLink{
				Token: token, Session: session.Title, AsksName: true, Name: r.PostForm.Get("name"),
				Error: sentence(r, refused),
			})
		}
	}
	if err := s.logInGuest(w, r, guest, link); err != nil {
		return err
	}
	http.Redirect(w, r, "/sessions/"+session.ID, http.StatusSeeOther)
	return nil
}

// checkGuestName returns why a guest may not have a name: it is none, or that of an agent
// or of the owner, for whom a guest must not be taken.
func (s *Server) checkGuestName(
	r *http.Request, name string, session classroom.Session,
) (refused *classroom.Error, err error) {
	if name == "" || utf8.RuneCountInString(name) > maxPersonName {
		return classroom.ErrPersonName, nil
	}
	class, err := s.opt.Classes.Class(r.Context(), session.ClassID)
	if err != nil {
		return nil, err
	}
	owner, _, err := s.opt.People.Owner(r.Context())
	taken := []string{ownerName, owner.Name}
	for _, a := range class.Roster {
		taken = append(taken, a.Name)
	}
	if slices.ContainsFunc(taken, func(t string) bool { return strings.EqualFold(t, name) }) {
		refused = classroom.ErrNameTaken
	}
	return refused, err
}

// afterLink is how long the login of a guest outlives the link, so that whoever comes back
// is told that the link has ended, and not how to sign in.
const afterLink = 24 * time.Hour

// logInGuest creates a login of a guest, who has no account: the login holds the name.
func (s *Server) logInGuest(
	w http.ResponseWriter, r *http.Request, guest classroom.Person, link classroom.GuestLink,
) error {
	values := map[string]string{personKey: guest.ID, guestNameKey: guest.Name, linkKey: link.ID}
	return s.startLogin(w, r, values, link.Expires.Time().Add(afterLink))
}

// startLogin creates a login with a new token and sets its cookie. The login ends at
// until, or after the usual time if that is zero.
func (s *Server) startLogin(w http.ResponseWriter, r *http.Request, values map[string]string, until time.Time) error {
	ctx, err := s.logins.Load(r.Context(), "")
	if err != nil {
		return fmt.Errorf("start login: %w", err)
	}
	if err := s.logins.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew login: %w", err)
	}
	for key, value := range values {
		s.logins.Put(ctx, key, value)
	}
	if !until.IsZero() {
		s.logins.SetDeadline(ctx, until)
	}
	token, expiry, err := s.logins.Commit(ctx)
	if err != nil {
		return fmt.Errorf("store login: %w", err)
	}
	s.logins.WriteSessionCookie(ctx, w, token, expiry)
	return nil
}

// guestHome sends a guest to the session of the link, and has h answer all others.
func (s *Server) guestHome(h handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		c, err := s.identify(r)
		if err != nil || c.person.Link == nil {
			return h(w, r)
		}
		http.Redirect(w, r, "/sessions/"+c.person.Link.Object, http.StatusSeeOther)
		return nil
	}
}
