package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
)

// replayPage shows a session as it was at a cursor.
func (s *Server) replayPage(w http.ResponseWriter, r *http.Request) error {
	session, at, speed, err := s.replayOf(r)
	if err != nil {
		return err
	}
	past, err := s.pastScreen(r.Context(), session.ID, at)
	if err != nil {
		return err
	}
	v := templates.Replay{Session: session, At: at, Head: session.Head, Speed: speed, Playing: speed > 0}
	if v.Nav, err = s.nav(r.Context(), session.ClassID, session.ID); err != nil {
		return err
	}
	if err := s.look(r, session.ID, func(sc *screen) { sc.stops(&v) }); err != nil {
		return err
	}
	v.Cards = past.between(past.firstShown(), len(past.fold.Cards)+1)
	v.Exchange = len(past.fold.Cards)
	if past.fold.Title != "" {
		v.Session.Title = past.fold.Title
	}
	v.Page = s.page(w, r, "Replay: "+v.Session.Title)
	if speed > 0 {
		v.Stream = "/sessions/" + session.ID + "/replay/stream?play=" + strconv.Itoa(speed)
	}
	return show(w, http.StatusOK, templates.ReplayPage(v))
}

// replayOf reads what a replay's address asks for. A place beyond the head is the
// head; without a place a replay opens at the end, where there is something to see.
func (s *Server) replayOf(r *http.Request) (session classroom.Session, at classroom.Cursor, speed int, err error) {
	if at, err = place(r); err != nil {
		return session, 0, 0, err
	}
	given, err := cursorOf(r.URL.Query().Get("at"))
	if err != nil {
		return session, 0, 0, err
	}
	switch r.URL.Query().Get("play") {
	case "", "0":
	case "1":
		speed = 1
	case "2":
		speed = 2
	case "4":
		speed = 4
	default:
		return session, 0, 0, classroom.ErrBadRequest
	}
	session, err = s.session(r)
	if q := r.URL.Query(); !q.Has("at") && !q.Has("after") && speed == 0 {
		at = session.Head
	}
	return session, min(max(at, given), session.Head), speed, err
}

// pastScreen folds the log up to a cursor.
func (s *Server) pastScreen(ctx context.Context, session string, at classroom.Cursor) (*screen, error) {
	sc := newScreen(session, false)
	for sc.fold.Cursor < at {
		events, err := s.opt.Log.Read(ctx, session, sc.fold.Cursor, int(min(pageEvents, at-sc.fold.Cursor)))
		if err != nil {
			return nil, err
		}
		if len(events) == 0 {
			break
		}
		sc.take(events)
	}
	sc.prime()
	return sc, nil
}

// stops notes where the exchanges end, as seen from v.At.
func (sc *screen) stops(v *templates.Replay) {
	v.Exchanges, v.Last, v.Next = len(sc.fold.Cards), v.Head, v.Head
	var ends []classroom.Cursor
	for i, end := range sc.ended {
		if end == 0 && i+1 < len(sc.born) {
			end = sc.born[i+1] - 1
		}
		if end == 0 || end > v.Head || i == len(sc.ended)-1 {
			end = v.Head
		}
		ends = append(ends, end)
	}
	v.First = v.Head
	if len(ends) > 0 {
		v.First = ends[0]
	}
	v.Prev = v.First
	for _, end := range ends {
		if end < v.At {
			v.Prev = end
		}
		if end > v.At && end < v.Next {
			v.Next = end
		}
	}
}

const longestPause = 2 * time.Second

// replayStream plays the log on from a cursor, at its own pace or faster, as the
// patches that a live page would have been sent.
func (s *Server) replayStream(w http.ResponseWriter, r *http.Request) error {
	session, at, speed, err := s.replayOf(r)
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		return nil
	}
	past, err := s.pastScreen(r.Context(), session.ID, at)
	if err != nil {
		return err
	}
	session.Status = classroom.Idle // nothing of this stream is at work
	st, err := s.greet(w, r, "replay", session)
	if err != nil {
		return err
	}
	st.cursor = at
	return st.begin(&player{log: s.opt.Log, screen: past, head: session.Head, speed: max(1, speed)})
}

// A player is a source that gives what is recorded with its pauses.
type player struct {
	log    Log
	screen *screen
	head   classroom.Cursor
	speed  int
	events []classroom.Event // read and not yet played
	due    time.Time         // of events[0]; zero where it is not set yet
	last   classroom.Stamp   // of the event played before
}

func (p *player) next(ctx context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	if p.screen.fold.Cursor >= p.head {
		return nil, cursor, nil, errOver{"end"}
	}
	if len(p.events) == 0 {
		events, err := p.log.Read(ctx, p.screen.session, p.screen.fold.Cursor, pageEvents)
		if err != nil {
			return nil, cursor, nil, overOf(err)
		}
		if len(events) == 0 {
			return nil, cursor, nil, errOver{"end"}
		}
		p.events = events
	}
	if wait := p.wait(); wait > 0 {
		return nil, cursor, after(wait), nil
	}
	b, to := p.play()
	return b, to, nil, nil
}

func (p *player) leave() {}

// wait returns how long the next event has to wait.
func (p *player) wait() time.Duration {
	if p.due.IsZero() {
		pause := time.Duration(0)
		if p.last != 0 {
			pause = min(longestPause, time.Duration(p.events[0].Time-p.last)*time.Millisecond) / time.Duration(p.speed)
		}
		p.due = time.Now().Add(pause)
	}
	return time.Until(p.due)
}

// play takes the next event, and those of the same moment, and cuts.
func (p *player) play() ([]byte, classroom.Cursor) {
	n := 1
	for n < len(p.events) && p.events[n].ID <= p.head && p.events[n].Time-p.events[0].Time < classroom.Stamp(cutPause.Milliseconds())*classroom.Stamp(p.speed) {
		n++
	}
	p.screen.take(p.events[:n])
	p.last, p.due = p.events[n-1].Time, time.Time{}
	p.events = p.events[n:]
	to := p.screen.fold.Cursor
	return p.screen.cut().frame(to), to
}

// after returns a channel that is closed once d has passed.
func after(d time.Duration) <-chan struct{} {
	c := make(chan struct{})
	time.AfterFunc(d, func() { close(c) })
	return c
}
