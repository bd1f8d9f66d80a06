package web

import (
	"net/http"

	"colloquy/web/live"
)

// events is the JSON stream of a session.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	after, err := cursorFrom(r)
	if err != nil {
		return err
	}
	session := callerFrom(r).target.session
	if r.Method == http.MethodHead {
		return nil
	}
	st, err := s.live.Events(client(w, r), session, after)
	return serveLater(w, st, err)
}

// pageStream is the HTML stream of a session: patches for its page.
func (s *Server) pageStream(w http.ResponseWriter, r *http.Request) error {
	after, err := cursorFrom(r)
	if err != nil {
		return err
	}
	session := callerFrom(r).target.session
	if r.Method == http.MethodHead {
		return nil
	}
	st, err := s.live.Page(client(w, r), session, after)
	return serveLater(w, st, err)
}

// sidebarStream is the stream of a page without a session: patches for the sidebar.
func (s *Server) sidebarStream(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodHead {
		return nil
	}
	after, err := cursorFrom(r)
	if err != nil {
		return err
	}
	st, err := s.live.Sidebar(client(w, r), r.URL.Query().Get("class"), after)
	return serveLater(w, st, err)
}

// client returns the client of a stream that the request opens.
func client(w http.ResponseWriter, r *http.Request) live.Client {
	c := callerFrom(r)
	out := live.Client{
		Reader: readerOf(r), Writer: w, Request: r, Login: c.token, Rights: c.rights, Lists: c.lists(),
	}
	if c.person.Link != nil {
		out.Expires = c.person.Link.Expires.Time()
	}
	return out
}

// serveLater hands a stream to [Server.serveStreams], which runs it once the
// handler has returned.
func serveLater(w http.ResponseWriter, st *live.Stream, err error) error {
	w.(*recorder).stream = st
	return err
}
