package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"colloquy/classroom"
	"colloquy/web/live"
)

// A target is what a route acts on: the object that rights are asked about, and what was
// read to find it.
type target struct {
	object   classroom.Object
	class    classroom.Class    // of a class or a material
	session  classroom.Session  // of a session or a link
	material classroom.Material // of a material
	text     string             // of a material
	link     classroom.GuestLink
}

// A finder finds what a request acts on. It decides nothing.
type finder func(*http.Request) (*target, error)

// allow has h answer those who may do an action with what find finds. To all others the
// route does not exist; a request without a login is told to sign in.
func (s *Server) allow(a classroom.Action, find finder, h handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		changed := s.opt.Memberships.RightsChanged() // before the reads, so that no change falls between
		c, err := s.identify(r)
		if err != nil {
			return err
		}
		c.action, c.find, c.rights = a, find, changed
		if c.person.Role == classroom.GuestRole && c.person.Link == nil {
			return classroom.ErrLinkEnded
		}
		if c.target, err = find(r); err != nil {
			return err
		}
		if !classroom.Can(c.person, a, c.target.object) {
			return classroom.ErrNotFound
		}
		if c.audience, err = audienceFrom(r, c); err != nil {
			return err
		}
		return h(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, c)))
	}
}

// require refuses a caller who may not do an action with an object that only the body of
// the request names.
func require(r *http.Request, a classroom.Action, o classroom.Object) error {
	if !callerFrom(r).may(a, o) {
		return classroom.ErrNotFound
	}
	return nil
}

// audienceFrom returns the audience that a caller reads as: the one that the address
// names, for those who may review, or else the caller's own.
func audienceFrom(r *http.Request, c *caller) (classroom.Audience, error) {
	asked := ""
	if strings.Contains(r.URL.RawQuery, "audience") { // most addresses have none
		asked = r.URL.Query().Get("audience")
	}
	switch {
	case asked == string(classroom.ForStaff) && c.may(classroom.Review, c.target.object):
		return classroom.ForStaff, nil
	case asked != "" && asked != string(classroom.ForClass):
		return "", classroom.ErrNotFound
	case c.may(classroom.Teach, c.target.object):
		return classroom.ForClass, nil
	}
	return classroom.ForPupils, nil
}

// decideLimit is how long a stream waits for the database to decide about it.
const decideLimit = 2 * time.Second

// decideAgain decides whether the streams of a request go on. They do while the database
// does not answer, so that such a failure ends no stream.
func (s *Server) decideAgain(r *http.Request) live.Decision {
	c := callerFrom(r)
	if c.token == "" {
		return live.Decision{}
	}
	ctx, stop := context.WithTimeout(r.Context(), decideLimit)
	defer stop()
	now, err := s.identifyLogin(r.WithContext(ctx), c.token)
	if code, ok := errorCode(err); ok && code == classroom.ErrSignIn.Code {
		return live.Decision{End: "logout"}
	}
	switch {
	case err != nil:
		return live.Decision{}
	case now.expired:
		return live.Decision{End: "expired"}
	}
	now.target, err = c.find(r.WithContext(ctx)) // another process may have deleted it
	if code, ok := errorCode(err); ok && code == classroom.ErrNotFound.Code {
		return live.Decision{End: "deleted"}
	}
	switch {
	case err != nil:
		return live.Decision{}
	case !classroom.Can(now.person, c.action, now.target.object):
		return live.Decision{End: "revoked"}
	}
	if audience, err := audienceFrom(r, now); err != nil || audience != c.audience || now.readOnly() != c.readOnly() {
		return live.Decision{End: "revoked"} // the page that comes next is another
	}
	return live.Decision{Lists: now.lists()}
}

// inWorkbench is the finder of routes that act on no class.
func (s *Server) inWorkbench(*http.Request) (*target, error) {
	return &target{object: classroom.Workbench()}, nil
}

// ofClass finds the class whose id is in the path.
func (s *Server) ofClass(r *http.Request) (*target, error) {
	id, err := pathID(r)
	if err != nil {
		return nil, err
	}
	class, err := s.opt.Classes.Class(r.Context(), id)
	return &target{object: class.Object(), class: class}, err
}

// ofSession finds the session whose id is in the path.
func (s *Server) ofSession(r *http.Request) (*target, error) {
	id, err := pathID(r)
	if err != nil {
		return nil, err
	}
	session, err := s.opt.Sessions.Session(r.Context(), id)
	return &target{object: session.Object(), session: session}, err
}

// ofMaterial finds the material whose id is in the path.
func (s *Server) ofMaterial(r *http.Request) (*target, error) {
	id, err := pathID(r)
	if err != nil {
		return nil, err
	}
	m, text, err := s.opt.Materials.Material(r.Context(), id)
	if err != nil {
		return nil, err
	}
	class, err := s.opt.Classes.Class(r.Context(), m.ClassID)
	return &target{object: m.Object(class), class: class, material: m, text: text}, err
}

// ofLink finds the session of the link whose id is in the path.
func (s *Server) ofLink(r *http.Request) (*target, error) {
	id, err := pathID(r)
	if err != nil {
		return nil, err
	}
	link, err := s.opt.Links.Link(r.Context(), id)
	if err != nil {
		return nil, err
	}
	session, err := s.opt.Sessions.Session(r.Context(), link.Object)
	return &target{object: session.Object(), session: session, link: link}, err
}

// ofAskedSession finds the session that the parameter session of the address names.
func (s *Server) ofAskedSession(r *http.Request) (*target, error) {
	id := r.URL.Query().Get("session")
	if !classroom.ValidID(id) {
		return nil, classroom.ErrNotFound
	}
	session, err := s.opt.Sessions.Session(r.Context(), id)
	return &target{object: session.Object(), session: session}, err
}

func pathID(r *http.Request) (string, error) {
	id := r.PathValue("id")
	if !classroom.ValidID(id) {
		return "", classroom.ErrNotFound
	}
	return id, nil
}

// audienceQuery returns the parameter that keeps the audience in the address of a stream.
func audienceQuery(r *http.Request) string {
	if a := callerFrom(r).audience; a == classroom.ForStaff {
		return "&audience=" + string(a)
	}
	return ""
}
