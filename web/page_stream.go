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
	st, err := s.greet(w, r, "html", session)
	if err != nil {
		return err
	}
	p := s.projectors.borrow(session.ID)
	s.projectors.join(p)
	st.side = s.board.reader(session.ClassID, session.ID, after)
	return st.begin(&patchSource{s: s, projector: p})
}

// A patchSource reads a session's patches for one reader: the shared ones, or,
// where it is behind them, what it takes to come up to date.
type patchSource struct {
	s         *Server
	projector *projector
	met       bool // the projector has a boundary at or past the head that the reader was told
}

func (src *patchSource) leave() {
	src.s.board.leave()
	src.s.projectors.leave(src.projector)
	src.s.projectors.giveBack(src.projector)
}

func (src *patchSource) next(ctx context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	if !src.met {
		if err := src.projector.view(ctx, src.s.opt.Log, nil); err != nil {
			return nil, cursor, nil, overOf(err)
		}
		src.met = true
	}
	t := src.projector.tail.Load()
	b, to, ok := t.after(cursor)
	if !ok {
		b, to, err := src.projector.catchUp(ctx, src.s.opt.Log, cursor)
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
	st, err := s.greet(w, r, "html", classroom.Session{})
	if err != nil {
		return err
	}
	st.side = s.board.reader(r.URL.Query().Get("class"), "", 0)
	return st.begin(silence{s.board, make(chan struct{})})
}

// silence is a source that never has anything.
type silence struct {
	board *board
	never chan struct{}
}

func (quiet silence) next(_ context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	return nil, cursor, quiet.never, nil
}

func (quiet silence) leave() { quiet.board.leave() }
