package web

import (
	"net/http"
	"strconv"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live"
)

// replayPage shows a session as it was at a cursor.
func (s *Server) replayPage(w http.ResponseWriter, r *http.Request) error {
	session, at, speed, err := s.replayFrom(r)
	if err != nil {
		return err
	}
	past, err := s.live.ViewAt(r.Context(), session.ID, readerOf(r), at)
	if err != nil {
		return err
	}
	v := templates.Replay{Session: session, At: at, Head: session.Head, Speed: speed, Playing: speed > 0}
	if v.Nav, err = s.nav(r, session.ClassID, session.ID); err != nil {
		return err
	}
	err = s.live.View(r.Context(), session.ID, readerOf(r), func(sv *live.SessionView) { sv.FillStops(&v) })
	if err != nil {
		return err
	}
	past.FillReplay(&v)
	v.Page = s.page(w, r, text(r, "page.replay", "Title", v.Session.Title))
	if speed > 0 {
		v.Stream = "/sessions/" + session.ID + "/replay/stream?play=" + strconv.Itoa(speed) + audienceQuery(r)
	}
	return writePage(w, r, http.StatusOK, templates.ReplayPage(v))
}

// replayFrom reads the session, cursor and speed of a replay from its address. A
// cursor beyond the head is the head. A replay without a cursor opens at the head,
// where its page is not empty.
func (s *Server) replayFrom(r *http.Request) (session classroom.Session, at classroom.Cursor, speed int, err error) {
	if at, err = cursorFrom(r); err != nil {
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
	session = callerFrom(r).target.session
	if q := r.URL.Query(); !q.Has("at") && !q.Has("after") && speed == 0 {
		at = session.Head
	}
	return session, min(max(at, given), session.Head), speed, nil
}

// replayStream plays the log from a cursor, at its own pace or faster, as the patches
// that a live page would have received.
func (s *Server) replayStream(w http.ResponseWriter, r *http.Request) error {
	session, at, speed, err := s.replayFrom(r)
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		return nil
	}
	after, err := cursorFrom(r)
	if err != nil {
		return err
	}
	st, err := s.live.Replay(client(w, r), session, live.Playback{After: after, From: at, Speed: speed})
	return serveLater(w, st, err)
}
