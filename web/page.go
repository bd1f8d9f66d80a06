package web

import (
	"context"
	"net/http"
	"slices"

	"colloquy/classroom"
	"colloquy/templates"
)

// page returns what a page shows around its content.
func (s *Server) page(w http.ResponseWriter, r *http.Request, title string) templates.Page {
	p := templates.Page{Title: title, Path: r.URL.RequestURI(), Version: s.opt.Version}
	if r.Method == http.MethodPost { // that address has no page
		p.Path = cameFrom(r, "/")
	}
	p.Prefs, p.Notice = s.prefsOf(w, r)
	if c, ok := r.Context().Value(callerKey{}).(*caller); ok {
		p.Person, p.Lists = c.person, c.lists() != nil
	}
	return p
}

// pageForClass returns a page that names the models that answer in a class.
func (s *Server) pageForClass(
	w http.ResponseWriter, r *http.Request, title string, class classroom.Class,
) templates.Page {
	p := s.page(w, r, title)
	p.Model, p.Tutor = s.opt.Answers(r.Context(), class)
	return p
}

const navSessions = 40 // of one class in the sidebar

// classNavs returns the classes with their newest sessions, for the sidebar.
func (s *Server) classNavs(ctx context.Context) ([]templates.ClassNav, error) {
	classes, err := s.opt.Classes.Classes(ctx)
	if err != nil {
		return nil, err
	}
	sessions, err := s.opt.Sessions.Sessions(ctx, "")
	if err != nil {
		return nil, err
	}
	toReview, err := s.opt.Reviews.Unreviewed(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]templates.ClassNav, 0, len(classes))
	at := map[string]int{}
	for i, c := range classes {
		at[c.ID] = i
		out = append(out, templates.ClassNav{Class: c, ToReview: toReview[c.ID]})
	}
	for _, x := range sessions {
		if i, ok := at[x.ClassID]; ok && len(out[i].Sessions) < navSessions {
			out[i].Sessions = append(out[i].Sessions, x)
		}
	}
	return out, nil
}

// nav returns the sidebar of a page that shows a class and a session; each may be
// empty. It holds the classes that the caller teaches.
func (s *Server) nav(r *http.Request, class, session string) (templates.Nav, error) {
	c := callerFrom(r)
	shown := c.lists()
	if shown == nil {
		return templates.Nav{}, nil
	}
	classes, err := s.classNavs(r.Context())
	classes = slices.DeleteFunc(classes, func(nav templates.ClassNav) bool { return !shown.Shows(nav.Class) })
	return templates.Nav{Classes: classes, ClassID: class, SessionID: session}, err
}
