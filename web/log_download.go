package web

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"colloquy/classroom"
	"colloquy/templates/locale"
	"colloquy/web/live"
)

const (
	logLimit    = 1000
	logLimitMax = 10000
	logPage     = 500 // events of one read
)

// downloadLog sends events as JSON lines.
func (s *Server) downloadLog(w http.ResponseWriter, r *http.Request) error {
	after, err := cursorFrom(r)
	if err != nil {
		return err
	}
	left, err := limitOf(r.URL.Query().Get("limit"), logLimit, logLimitMax)
	if err != nil {
		return err
	}
	session := callerFrom(r).target.session
	w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	out, rc := bufio.NewWriterSize(w, 32<<10), http.NewResponseController(w)
	for left > 0 {
		events, err := s.opt.Log.Read(r.Context(), session.ID, after, min(left, logPage))
		if err != nil {
			return err
		}
		if len(events) == 0 {
			break
		}
		for _, e := range callerFrom(r).audience.FilterAll(events) {
			_ = rc.SetWriteDeadline(time.Now().Add(s.opt.FrameLimit))
			if err := writeEventLine(out, locale.From(r.Context()).Event(e)); err != nil {
				return live.DisconnectError{Err: err}
			}
			after = e.ID
		}
		left -= len(events)
	}
	if err := out.Flush(); err != nil {
		return live.DisconnectError{Err: err}
	}
	return nil
}

func writeEventLine(out *bufio.Writer, e classroom.Event) error {
	line, err := json.Marshal(classroom.WithoutOpaque(e))
	if err != nil {
		return fmt.Errorf("encode event %d: %w", e.ID, err)
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.WriteByte('\n')
}
