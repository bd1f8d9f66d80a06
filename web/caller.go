package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"

	"colloquy/classroom"
)

const (
	loginCookie = "colloquy_login"
	personKey   = "person" // of a login's data: the id of the person
	ownerName   = "Owner"
)

// A caller is the person who makes a request.
type caller struct {
	person classroom.Person
	token  string // of the login's cookie; empty for a request with the API token
}

func (c caller) author() classroom.Author {
	return classroom.Author{ID: c.person.ID, Name: c.person.Name}
}

// teaches reports whether the caller may see and change every class.
func (c caller) teaches() bool {
	return c.person.Role == classroom.Owner || c.person.Role == classroom.TeacherRole
}

type callerKey struct{}

// callerFrom returns the caller of a request that passed [Server.requireLogin].
func callerFrom(r *http.Request) caller { return r.Context().Value(callerKey{}).(caller) }

// requireLogin refuses a request without a login or the API token.
func (s *Server) requireLogin(h handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		c, err := s.identify(r)
		if err != nil {
			return err
		}
		return h(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, c)))
	}
}

// requireOwner refuses everybody but the owner. Where no model can be connected the
// route does not exist.
func (s *Server) requireOwner(h handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if callerFrom(r).person.Role != classroom.Owner {
			return classroom.ErrForbidden
		}
		if s.opt.Provider == nil {
			return classroom.ErrNotFound
		}
		return h(w, r)
	}
}

// identify returns the caller: the owner for the API token, or else the person of
// the login in the cookie. A wrong token is refused, whatever the cookie holds.
func (s *Server) identify(r *http.Request) (caller, error) {
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return s.identifyToken(r, given)
	}
	cookie, err := r.Cookie(loginCookie)
	if err != nil {
		return caller{}, classroom.ErrSignIn
	}
	return s.identifyLogin(r, cookie.Value)
}

func (s *Server) identifyToken(r *http.Request, given string) (caller, error) {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.opt.Token))
	if s.opt.Token == "" || subtle.ConstantTimeCompare(a[:], b[:]) != 1 {
		return caller{}, classroom.ErrSignIn
	}
	owner, ok, err := s.opt.People.Owner(r.Context())
	if err != nil {
		return caller{}, fmt.Errorf("find owner: %w", err)
	}
	if !ok {
		owner = classroom.Person{ID: "owner", Name: ownerName, Role: classroom.Owner}
	}
	return caller{person: owner}, nil
}

func (s *Server) identifyLogin(r *http.Request, token string) (caller, error) {
	ctx, err := s.logins.Load(r.Context(), token)
	if err != nil {
		return caller{}, fmt.Errorf("load login: %w", err)
	}
	id := s.logins.GetString(ctx, personKey)
	if id == "" {
		return caller{}, classroom.ErrSignIn
	}
	p, err := s.opt.People.Person(ctx, id)
	if e, ok := errorCode(err); ok && e == "not_found" {
		return caller{}, classroom.ErrSignIn
	}
	if err != nil {
		return caller{}, fmt.Errorf("load person of login: %w", err)
	}
	return caller{person: p, token: token}, nil
}

// loginValid reports whether the caller's login still exists. It is taken to exist
// while the database does not answer, so that such a failure ends no stream.
func (s *Server) loginValid(r *http.Request) bool {
	c := callerFrom(r)
	if c.token == "" {
		return true
	}
	_, err := s.identifyLogin(r, c.token)
	code, ok := errorCode(err)
	return !ok || code != classroom.ErrSignIn.Code
}

// errorCode returns the code of an expected error; false for nil and for any other.
func errorCode(err error) (string, bool) {
	if err == nil {
		return "", false
	}
	e, expected := publicError(err)
	return e.Code, expected
}

// session returns the session that the request names, if the caller may see it. One
// that the caller may not see is reported as not found.
func (s *Server) session(r *http.Request) (classroom.Session, error) {
	id := r.PathValue("id")
	if !classroom.ValidID(id) || !callerFrom(r).teaches() {
		return classroom.Session{}, classroom.ErrNotFound
	}
	return s.opt.Sessions.Session(r.Context(), id)
}

// class returns the class that the request names, if the caller may see it.
func (s *Server) class(r *http.Request) (classroom.Class, error) {
	id := r.PathValue("id")
	if !classroom.ValidID(id) || !callerFrom(r).teaches() {
		return classroom.Class{}, classroom.ErrNotFound
	}
	return s.opt.Classes.Class(r.Context(), id)
}

// model returns the model that the request names.
func (s *Server) model(r *http.Request) (classroom.Model, error) {
	id := r.PathValue("id")
	if !classroom.ValidID(id) {
		return classroom.Model{}, classroom.ErrNotFound
	}
	return s.opt.Models.Model(r.Context(), id)
}
