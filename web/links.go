package web

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"time"

	"colloquy/classroom"
	"colloquy/classroom/address"
	"colloquy/templates"
)

// validities are how long a link may be valid.
var validities = map[string]time.Duration{"lesson": 90 * time.Minute, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour}

const maxOpenLinks = 50 // to one session

// createLink creates a link to a session and returns the path that opens it. Only the
// hash of its token is stored, so the path cannot be shown again.
func (s *Server) createLink(
	r *http.Request, session classroom.Session, right, valid string,
) (link classroom.GuestLink, path string, err error) {
	limit, ok := validities[valid]
	if !ok {
		return link, "", classroom.ErrLinkValidity
	}
	link = classroom.GuestLink{
		Kind: classroom.SessionObject, Object: session.ID, Right: classroom.Action(right),
		CreatedBy: callerFrom(r).person.ID, Expires: classroom.StampOf(time.Now().Add(limit)),
	}
	if link.Right != classroom.Read && link.Right != classroom.Take {
		return link, "", classroom.ErrLinkRight
	}
	open, err := s.openLinks(r, session.ID)
	if err == nil && len(open) >= maxOpenLinks {
		err = classroom.ErrManyLinks
	}
	if err != nil {
		return link, "", err
	}
	token := strings.ToLower(rand.Text())
	link, err = s.opt.Links.CreateLink(r.Context(), link, hashOf(token))
	return link, "/link?token=" + token, err
}

// openLinks returns the links of a session that still let guests in.
func (s *Server) openLinks(r *http.Request, session string) ([]classroom.GuestLink, error) {
	all, err := s.opt.Links.Links(r.Context(), classroom.SessionObject, session)
	if err != nil {
		return nil, err
	}
	now := classroom.StampOf(time.Now())
	open := make([]classroom.GuestLink, 0, len(all))
	for _, l := range all {
		if l.Valid(now) {
			open = append(open, l)
		}
	}
	return open, nil
}

// postLink creates a link by the form on a session's page, which then shows it once.
func (s *Server) postLink(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	_, path, err := s.createLink(r, session, r.PostForm.Get("right"), r.PostForm.Get("valid"))
	if err != nil {
		message, status, rest := formError(r, err)
		if rest != nil {
			return rest
		}
		return s.showWorkbench(w, r, session, formProblem{status: status, linkError: message})
	}
	return s.showWorkbench(w, r, session, formProblem{status: http.StatusOK, newLink: s.absolute(r, path)})
}

// hostOf returns the host of the address at which a browser reached the server.
func hostOf(r *http.Request) string {
	return (&url.URL{Host: r.Host}).Hostname()
}

// absolute returns the address of a path as the browser that sent r reaches it.
func (s *Server) absolute(r *http.Request, path string) string {
	if s.opt.Secure || r.TLS != nil {
		return "https://" + r.Host + path
	}
	return "http://" + r.Host + path
}

// postRevokeLink ends a link. The streams of its guests end with it.
func (s *Server) postRevokeLink(w http.ResponseWriter, r *http.Request) error {
	t := callerFrom(r).target
	if err := s.opt.Links.RevokeLink(r.Context(), t.link.ID); err != nil {
		return err
	}
	s.flash(w, r, "notice.link_revoked")
	return redirect(w, r, "/sessions/"+t.session.ID)
}

// A linkJSON is a link in the API. Path opens it, and is known only when it is created.
type linkJSON struct {
	classroom.GuestLink
	Path string `json:"path,omitempty"`
}

func (s *Server) apiCreateLink(w http.ResponseWriter, r *http.Request) error {
	var in struct{ Session, Right, Valid string }
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if !classroom.ValidID(in.Session) {
		return classroom.ErrNotFound
	}
	session, err := s.opt.Sessions.Session(r.Context(), in.Session)
	if err == nil {
		err = require(r, classroom.Own, session.Object())
	}
	if err != nil {
		return err
	}
	link, path, err := s.createLink(r, session, in.Right, in.Valid)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, linkJSON{link, path})
	return nil
}

func (s *Server) apiLinks(w http.ResponseWriter, r *http.Request) error {
	open, err := s.openLinks(r, callerFrom(r).target.session.ID)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, open)
	return nil
}

func (s *Server) apiRevokeLink(w http.ResponseWriter, r *http.Request) error {
	if err := s.opt.Links.RevokeLink(r.Context(), callerFrom(r).target.link.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// shareOf returns the form that shares a session; nil for a caller who may not share it.
func (s *Server) shareOf(r *http.Request, session classroom.Session, p formProblem) (*templates.Share, error) {
	if !callerFrom(r).may(classroom.Own, session.Object()) {
		return nil, nil
	}
	open, err := s.openLinks(r, session.ID)
	return &templates.Share{
		Session: session.ID, Links: open, New: p.newLink, Error: p.linkError,
		OnlyHere: address.Of(hostOf(r)) == address.Loopback,
	}, err
}
