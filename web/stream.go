package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"colloquy/classroom"
)

// A source says what follows a reader's cursor: bytes and where they lead, or,
// at the head, nothing and a channel that is closed when there may be more. An
// empty result with another cursor moves the reader without a byte.
type source interface {
	next(ctx context.Context, cursor classroom.Cursor) (b []byte, to classroom.Cursor, wait <-chan struct{}, err error)
	leave() // the reader has gone
}

// errOver ends a stream with a bye frame.
type errOver struct{ reason string }

func (e errOver) Error() string { return "stream over: " + e.reason }

// A stream is one connection. Only the goroutine of its request touches it.
type stream struct {
	s        *Server
	r        *http.Request
	caller   caller
	w        *recorder
	src      source
	rc       *http.ResponseController
	open     *opened
	side     *boardReader // of a page's stream; nil for others
	cursor   classroom.Cursor
	target   classroom.Cursor // caught_up is sent here
	caught   bool
	dirty    bool      // written and not flushed
	deadline time.Time // of the next write
	sent     int       // events that the metrics do not hold yet
	kind     string
	beat     <-chan struct{} // closed when a heartbeat is due, also while the stream is at work
}

// openStream answers with the headers of a stream, which has to be closed.
func (s *Server) openStream(w http.ResponseWriter, r *http.Request, kind, session string) (*stream, error) {
	c, rc := who(r), http.NewResponseController(w)
	o, err := s.open.add(session, c.token, rc)
	if err != nil {
		return nil, err
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	s.metrics.streams.WithLabelValues(kind).Inc()
	return &stream{s: s, r: r, caller: c, w: w.(*recorder), rc: rc, open: o, kind: kind, beat: s.beat.wait()}, nil
}

func (st *stream) close() {
	st.count()
	st.s.metrics.streams.WithLabelValues(st.kind).Dec()
	st.s.open.remove(st.open)
}

// count tells the metrics what was sent. All streams share a counter, so it is
// not told each event.
func (st *stream) count() {
	st.s.metrics.events.WithLabelValues(st.kind).Add(float64(st.sent))
	st.sent = 0
}

// maxWrite is how much one deadline covers: a slow reader that takes something is not cut.
const maxWrite = 64 << 10

// write sends b under deadlines of its own.
func (st *stream) write(b []byte) error {
	for len(b) > 0 {
		part := b[:min(len(b), maxWrite)]
		if err := st.extend(); err != nil {
			return err
		}
		if _, err := st.w.Write(part); err != nil {
			return err
		}
		st.dirty = true
		b = b[len(part):]
	}
	return nil
}

// extend gives the reader its time to take what is written next. A deadline that
// is far enough away stays: setting one costs as much as a small write.
func (st *stream) extend() error {
	now, limit := time.Now(), st.s.opt.FrameLimit
	if st.deadline.Sub(now) > limit-limit/8 {
		return nil
	}
	st.deadline = now.Add(limit)
	err := st.rc.SetWriteDeadline(st.deadline)
	if st.open.until.Load() != nil { // the last deadline may have been set just before this one
		st.open.hurry()
	}
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

func (st *stream) flush() error {
	if !st.dirty {
		return nil
	}
	st.dirty = false
	return st.rc.Flush()
}

// send writes b and flushes it.
func (st *stream) send(b []byte) error {
	if err := st.write(b); err != nil {
		return err
	}
	return st.flush()
}

// begin has the stream carried once its handler has returned.
func (st *stream) begin(src source) error {
	st.src, st.w.stream = src, st
	return nil
}

// carry carries the source to the reader until one of them ends. A reader that
// went away is no error.
func (st *stream) carry() error {
	defer st.close()
	defer st.src.leave()
	return st.finish(st.loop(st.src))
}

// finish says bye where err is the end of the stream.
func (st *stream) finish(err error) error {
	if over, ok := errors.AsType[errOver](err); ok {
		if over.reason == "shutdown" {
			st.lastWords()
		}
		st.open.hurry()
		_ = st.send(controlFrame("bye", byeData{over.reason})) // the last word, heard or not
		return nil
	}
	if st.r.Context().Err() != nil {
		return nil
	}
	return err
}

// lastPatience is how long a closing stream waits for what the log holds.
const lastPatience = 2 * time.Second

// lastWords carries what the log held when the server closed: a reader is to see
// how its run was interrupted.
func (st *stream) lastWords() {
	ctx, cancel := context.WithTimeout(st.r.Context(), lastPatience)
	defer cancel()
	head, err := st.s.opt.Log.Head(ctx, st.open.session)
	for err == nil && st.cursor < head && ctx.Err() == nil {
		b, to, wait, bad := st.src.next(ctx, st.cursor)
		if bad != nil || st.step(b, to) != nil {
			return
		}
		if wait != nil && st.cursor < head && !pause(ctx, wait) {
			return
		}
	}
}

func (st *stream) loop(src source) error {
	ctx := st.r.Context()
	for rested := true; ; {
		if err := st.told(); !rested && err != nil { // a long backlog ends too
			return err
		}
		b, to, wait, err := src.next(ctx, st.cursor)
		if err != nil {
			return err
		}
		if err := st.step(b, to); err != nil {
			return err
		}
		if rested = wait != nil; !rested {
			continue
		}
		if st.side != nil {
			if err := st.write(st.side.patch()); err != nil {
				return gone{err}
			}
		}
		if err := st.rest(wait); err != nil {
			return err
		}
	}
}

// told returns why the stream has to end, if it has. Asking changes nothing.
func (st *stream) told() error {
	if err := st.open.over(); err != nil {
		return err
	}
	return st.r.Context().Err()
}

// step writes what src gave, and caught_up once the reader is where the log was
// when it came.
func (st *stream) step(b []byte, to classroom.Cursor) error {
	if err := st.write(b); err != nil {
		return gone{err}
	}
	st.sent += int(to - st.cursor)
	st.cursor = to
	if !st.caught && st.cursor >= st.target {
		st.caught = true
		if err := st.write(controlFrame("caught_up", caughtUpData{st.cursor})); err != nil {
			return gone{err}
		}
		st.count()
	}
	return nil
}

// rest flushes and waits for news, sending a heartbeat at each beat.
func (st *stream) rest(wait <-chan struct{}) error {
	if err := st.flush(); err != nil {
		return gone{err}
	}
	var side <-chan struct{}
	if st.side != nil {
		side = st.side.news()
	}
	for {
		select {
		case <-wait:
			return nil
		case <-side:
			return nil
		case <-st.open.ended:
			return st.told()
		case <-st.r.Context().Done():
			return st.told()
		case <-st.beat:
			st.beat = st.s.beat.wait()
			st.count()
			if !st.s.holds(st.r, st.caller) {
				return errOver{"logout"}
			}
			if err := st.send(heartbeat); err != nil {
				return gone{err}
			}
		}
	}
}

// gone wraps the error of a write: the reader has left or takes nothing.
type gone struct{ err error }

func (g gone) Error() string { return "reader gone: " + g.err.Error() }
func (g gone) Unwrap() error { return g.err }
