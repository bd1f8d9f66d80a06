package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"colloquy/classroom"
)

// events is the JSON stream of a session.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	if _, err := place(r); err != nil {
		return err
	}
	session, err := s.session(r)
	if err != nil || r.Method == http.MethodHead {
		return err
	}
	st, err := s.greet(w, r, "json", session)
	if err != nil {
		return err
	}
	f := s.feeds.join(session.ID, session.Head)
	return st.begin(&eventSource{log: s.opt.Log, feeds: s.feeds, feed: f, limit: pageEvents})
}

// greet opens a stream of a session at the reader's place. It sends connected at
// once, and reset where that place is beyond the head: the reader drops what it
// showed and is given the log from its start.
func (s *Server) greet(w http.ResponseWriter, r *http.Request, kind string, session classroom.Session) (*stream, error) {
	after, err := place(r)
	if err != nil {
		return nil, err
	}
	st, err := s.openStream(w, r, kind, session.ID)
	if err != nil {
		return nil, err
	}
	b := controlFrame("connected", connectedData{session.ID, session.Head, session.Status == classroom.Running})
	st.cursor, st.target = after, session.Head
	if after > session.Head {
		st.cursor = 0
		b = append(b, controlFrame("reset", resetData{"beyond_head", session.Head, 0})...)
	}
	if err := st.send(b); err != nil {
		st.close()
		return nil, gone{err}
	}
	return st, nil
}

// An eventSource reads a session's log for one reader: from the feed's tail, or
// page by page where the reader is behind it.
type eventSource struct {
	log   Log
	feeds *feeds
	feed  *feed
	limit int // events a page, fewer where they are large
}

func (src *eventSource) next(ctx context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	t := src.feed.tail.Load()
	b, to, ok := t.after(cursor)
	if !ok {
		return src.page(ctx, cursor)
	}
	if to > cursor {
		return b, to, nil, nil
	}
	if t.over != "" {
		return nil, cursor, nil, errOver{t.over}
	}
	return nil, cursor, t.news, nil
}

func (src *eventSource) leave() { src.feeds.leave(src.feed) }

// page reads what follows from the log. No read is held open between pages.
func (src *eventSource) page(ctx context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	events, err := src.log.Read(ctx, src.feed.session, cursor, src.limit)
	if err != nil {
		return nil, cursor, nil, overOf(err)
	}
	if len(events) == 0 {
		return nil, cursor, nil, fmt.Errorf("read log of %s after %d: it ends before its head", src.feed.session, cursor)
	}
	b, err := encodePage(cursor, events)
	if err != nil {
		return nil, cursor, nil, err
	}
	src.limit = max(1, min(pageEvents, pageBytes*len(events)/max(1, len(b.bytes))))
	return b.bytes, b.to, nil, nil
}

// overOf makes the deletion of a session the end of its streams.
func overOf(err error) error {
	if code, ok := visibleCode(err); ok && code == classroom.ErrNotFound.Code {
		return errOver{"deleted"}
	}
	return err
}

const (
	logLimit    = 1000
	logLimitMax = 10000
)

// downloadLog gives events as JSON lines.
func (s *Server) downloadLog(w http.ResponseWriter, r *http.Request) error {
	after, err := place(r)
	if err != nil {
		return err
	}
	left, err := limitOf(r.URL.Query().Get("limit"), logLimit, logLimitMax)
	if err != nil {
		return err
	}
	session, err := s.session(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	out, rc := bufio.NewWriterSize(w, 32<<10), http.NewResponseController(w)
	for left > 0 {
		events, err := s.opt.Log.Read(r.Context(), session.ID, after, min(left, pageEvents))
		if err != nil {
			return err
		}
		if len(events) == 0 {
			break
		}
		for _, e := range events {
			_ = rc.SetWriteDeadline(time.Now().Add(s.opt.FrameLimit))
			if err := writeLine(out, e); err != nil {
				return gone{err}
			}
			after = e.ID
		}
		left -= len(events)
	}
	if err := out.Flush(); err != nil {
		return gone{err}
	}
	return nil
}

func writeLine(out *bufio.Writer, e classroom.Event) error {
	line, err := json.Marshal(classroom.WithoutOpaque(e))
	if err != nil {
		return fmt.Errorf("encode event %d: %w", e.ID, err)
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.WriteByte('\n')
}
