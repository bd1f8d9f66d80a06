package web

import (
	"context"
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
	st, err := s.openStream(w, r, "html", session.ID)
	if err != nil {
		return err
	}
	defer st.close()
	if err := st.hello(session, after); err != nil {
		return err
	}
	p := s.projectors.borrow(session.ID)
	defer s.projectors.giveBack(p)
	if err := p.view(r.Context(), s.opt.Log, nil); err != nil { // a boundary at or past every cursor there is
		return st.finish(overOf(err))
	}
	s.projectors.join(p)
	defer s.projectors.leave(p)
	st.side = s.board.reader(session.ClassID, session.ID, after)
	defer s.board.leave()
	return st.run(&patchSource{log: s.opt.Log, projector: p})
}

// A patchSource reads a session's patches for one reader: the shared ones, or,
// where it is behind them, what it takes to come up to date.
type patchSource struct {
	log       Log
	projector *projector
}

func (src *patchSource) next(ctx context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	t := src.projector.tail.Load()
	b, to, ok := t.after(cursor)
	if !ok {
		b, to, err := src.projector.catchUp(ctx, src.log, cursor)
		if err != nil {
			return nil, cursor, nil, overOf(err)
		}
		return b, to, nil, nil
	}
	if to > cursor {
		return b, to, nil, nil
	}
	if t.over != "" {
		return nil, cursor, nil, errOver{t.over}
	}
	return nil, cursor, t.news, nil
}

// navStream keeps the list of sessions of a page that shows none.
func (s *Server) navStream(w http.ResponseWriter, r *http.Request) error {
	if !who(r).teaches() {
		return classroom.ErrNotFound
	}
	if r.Method == http.MethodHead {
		return nil
	}
	st, err := s.openStream(w, r, "html", "")
	if err != nil {
		return err
	}
	defer st.close()
	if err := st.hello(classroom.Session{}, 0); err != nil {
		return err
	}
	st.side = s.board.reader(r.URL.Query().Get("class"), "", 0)
	defer s.board.leave()
	return st.run(silence(make(chan struct{})))
}

// silence is a source that never has anything.
type silence chan struct{}

func (quiet silence) next(_ context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	return nil, cursor, quiet, nil
}
