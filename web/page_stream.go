package web

import (
	"net/http"

	"colloquy/classroom"
)

// pageStream is the HTML stream of a session: patches for its page.
func (s *Server) pageStream(w http.ResponseWriter, r *http.Request) error {
	after, err := place(r)
	if err != nil {
		return err
	}
	session, err := s.session(r)
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		return nil
	}
	st, err := s.live.Page(client(w, r), session, after)
	return carryLater(w, st, err)
}

// navStream keeps the list of sessions of a page that shows none.
func (s *Server) navStream(w http.ResponseWriter, r *http.Request) error {
	if !who(r).teaches() {
		return classroom.ErrNotFound
	}
	if r.Method == http.MethodHead {
		return nil
	}
	after, err := place(r)
	if err != nil {
		return err
	}
	st, err := s.live.Sidebar(client(w, r), r.URL.Query().Get("class"), after)
	return carryLater(w, st, err)
}
