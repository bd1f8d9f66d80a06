package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"colloquy/classroom"
	"colloquy/templates/locale"
	"colloquy/web/live"
)

const (
	loginCookie = "colloquy_login"
	personKey   = "person" // of a login's data: the id of the person
	ownerName   = "Owner"

	linkKey      = "link" // of a guest's login: the id of the link
	guestNameKey = "name" // of a guest's login

	unsavedOwner = "owner" // the id of the owner of the workbench before the first login
)

// A caller is the person who makes a request, and what [Server.allow] found for it.
type caller struct {
	person   classroom.Person
	token    string // of the login's cookie; empty for a request with the API token
	expired  bool   // the person is a guest whose link is no longer valid because of its age
	action   classroom.Action
	find     finder // of target
	target   *target
	audience classroom.Audience // what the caller reads the target as
	rights   <-chan struct{}    // closed when rights changed since the caller's were decided
}

func (c *caller) author() classroom.Author {
	return classroom.Author{ID: c.person.ID, Name: c.person.Name}
}

// may reports whether the caller may do an action with an object.
func (c *caller) may(a classroom.Action, o classroom.Object) bool {
	return classroom.Can(c.person, a, o)
}

// owner returns the owner of a class that the caller creates; empty where the owner of
// the workbench has not signed in yet.
func (c *caller) owner() string {
	if c.person.ID == unsavedOwner {
		return ""
	}
	return c.person.ID
}

// lists returns what the caller is shown of the lists; nil for one who may not see them.
func (c *caller) lists() *live.Lists {
	if !c.may(classroom.Teach, classroom.Workbench()) {
		return nil
	}
	var key strings.Builder
	key.WriteString(c.person.ID)
	for _, class := range slices.Sorted(maps.Keys(c.person.Classes)) {
		fmt.Fprintf(&key, " %s:%s", class, c.person.Classes[class])
	}
	return &live.Lists{Key: key.String(), Shows: c.teaches}
}

// teaches reports whether the caller may change a class.
func (c *caller) teaches(class classroom.Class) bool { return c.may(classroom.Teach, class.Object()) }

// readOnly reports whether the caller may read its target and do nothing else with it.
func (c *caller) readOnly() bool { return !c.may(classroom.Take, c.target.object) }

// readerOf returns the caller as a reader of the session that a request is about.
func readerOf(r *http.Request) live.Reader {
	c := callerFrom(r)
	return live.Reader{Audience: c.audience, Language: locale.From(r.Context()), ReadOnly: c.readOnly()}
}

type callerKey struct{}

// callerFrom returns the caller of a request that passed [Server.allow].
func callerFrom(r *http.Request) *caller { return r.Context().Value(callerKey{}).(*caller) }

// withProvider refuses requests where no model can be connected: the route does not
// exist then.
func (s *Server) withProvider(h handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if s.opt.Provider == nil {
			return classroom.ErrNotFound
		}
		return h(w, r)
	}
}

// identify returns the caller: the owner for the API token, or else the person of
// the login in the cookie. A wrong token is refused, whatever the cookie holds.
func (s *Server) identify(r *http.Request) (*caller, error) {
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return s.identifyToken(r, given)
	}
	cookie, err := r.Cookie(loginCookie)
	if err != nil {
		return nil, classroom.ErrSignIn
	}
	return s.identifyLogin(r, cookie.Value)
}

func (s *Server) identifyToken(r *http.Request, given string) (*caller, error) {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.opt.Token))
	if s.opt.Token == "" || subtle.ConstantTimeCompare(a[:], b[:]) != 1 {
		return nil, classroom.ErrSignIn
	}
	owner, ok, err := s.opt.People.Owner(r.Context())
	if err != nil {
		return nil, fmt.Errorf("find owner: %w", err)
	}
	if !ok {
		owner = classroom.Person{ID: unsavedOwner, Name: ownerName, Role: classroom.Owner}
	}
	owner.Classes, err = s.memberships(r.Context(), owner.ID)
	return &caller{person: owner}, err
}

func (s *Server) identifyLogin(r *http.Request, token string) (*caller, error) {
	ctx, err := s.logins.Load(r.Context(), token)
	if err != nil {
		return nil, fmt.Errorf("load login: %w", err)
	}
	if link := s.logins.GetString(ctx, linkKey); link != "" {
		return s.identifyGuest(ctx, token, link)
	}
	id := s.logins.GetString(ctx, personKey)
	if id == "" {
		return nil, classroom.ErrSignIn
	}
	p, err := s.opt.People.Person(ctx, id)
	if e, ok := errorCode(err); ok && e == "not_found" {
		return nil, classroom.ErrSignIn
	}
	if err != nil {
		return nil, fmt.Errorf("load person of login: %w", err)
	}
	p.Classes, err = s.memberships(ctx, p.ID)
	return &caller{person: p, token: token}, err
}

// identifyGuest returns the guest of a login. One whose link is no longer valid may do
// nothing.
func (s *Server) identifyGuest(ctx context.Context, token, linkID string) (*caller, error) {
	c := &caller{token: token, person: classroom.Person{
		ID: s.logins.GetString(ctx, personKey), Name: s.logins.GetString(ctx, guestNameKey), Role: classroom.GuestRole,
	}}
	link, err := s.opt.Links.Link(ctx, linkID)
	if e, ok := errorCode(err); ok && e == "not_found" { // its session was deleted
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("load link of guest: %w", err)
	}
	if link.Valid(classroom.StampOf(time.Now())) {
		c.person.Link = &link
	} else {
		c.expired = link.Revoked == 0
	}
	return c, nil
}

// memberships returns what a person is in the classes of others, by class.
func (s *Server) memberships(ctx context.Context, person string) (map[string]classroom.PersonRole, error) {
	list, err := s.opt.Memberships.Memberships(ctx, person)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	out := make(map[string]classroom.PersonRole, len(list))
	for _, m := range list {
		out[m.ClassID] = m.Role
	}
	return out, nil
}

// errorCode returns the code of an expected error; false for nil and for any other.
func errorCode(err error) (string, bool) {
	if err == nil {
		return "", false
	}
	e, expected := publicError(err)
	return e.Code, expected
}

// model returns the model that the request names.
func (s *Server) model(r *http.Request) (classroom.Model, error) {
	id := r.PathValue("id")
	if !classroom.ValidID(id) {
		return classroom.Model{}, classroom.ErrNotFound
	}
	return s.opt.Models.Model(r.Context(), id)
}
