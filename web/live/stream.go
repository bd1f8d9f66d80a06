package live

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

// A Stream is one connection. Only the goroutine of its request touches it.
type Stream struct {
	hub      *Hub
	r        *http.Request
	w        http.ResponseWriter
	src      source
	rc       *http.ResponseController
	open     *opened
	side     *sidebarReader // of a page's stream; nil for others
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
func (h *Hub) openStream(c Client, kind, session string) (*Stream, error) {
	rc := http.NewResponseController(c.Writer)
	o, err := h.open.add(session, c.Login, rc)
	if err != nil {
		return nil, err
	}
	header := c.Writer.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no")
	c.Writer.WriteHeader(http.StatusOK)
	h.opt.Meter.StreamOpened(kind)
	return &Stream{hub: h, r: c.Request, w: c.Writer, rc: rc, open: o, kind: kind, beat: h.beat.wait()}, nil
}

// openSession opens a stream of a session at the reader's place. It sends connected at
// once, and reset where that place is beyond the head: the reader drops what it
// showed and is given the log from its start.
func (h *Hub) openSession(c Client, kind string, session classroom.Session, after classroom.Cursor) (*Stream, error) {
	st, err := h.openStream(c, kind, session.ID)
	if err != nil {
		return nil, err
	}
	b := controlFrame("connected", connectedData{session.ID, session.Head, session.Status == classroom.Running})
	st.cursor, st.target = after, session.Head
	if after > session.Head {
		st.cursor = 0
		b = append(b, controlFrame("reset", resetData{"beyond_head", session.Head, 0})...)
	}
	if err := st.Send(b); err != nil {
		st.Close()
		return nil, DisconnectError{err}
	}
	return st, nil
}

// Close takes the stream off. [Stream.Carry] does so itself.
func (st *Stream) Close() {
	st.count()
	st.hub.opt.Meter.StreamClosed(st.kind)
	st.hub.open.remove(st.open)
}

// count tells the metrics what was sent. All streams share a counter, so it is
// not told each event.
func (st *Stream) count() {
	st.hub.opt.Meter.EventsSent(st.kind, st.sent)
	st.sent = 0
}

// maxWrite is how much one deadline covers: a slow reader that takes something is not cut.
const maxWrite = 64 << 10

// write sends b under deadlines of its own.
func (st *Stream) write(b []byte) error {
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
func (st *Stream) extend() error {
	now, limit := time.Now(), st.hub.opt.FrameLimit
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

func (st *Stream) flush() error {
	if !st.dirty {
		return nil
	}
	st.dirty = false
	return st.rc.Flush()
}

// Send writes b and flushes it.
func (st *Stream) Send(b []byte) error {
	if err := st.write(b); err != nil {
		return err
	}
	return st.flush()
}

// Request returns the request that opened the stream.
func (st *Stream) Request() *http.Request { return st.r }

// Carry carries the source to the reader until one of them ends. A reader that
// went away is no error.
func (st *Stream) Carry() error {
	defer st.Close()
	defer st.src.leave()
	return st.finish(st.loop(st.src))
}

// finish says bye where err is the end of the stream.
func (st *Stream) finish(err error) error {
	if over, ok := errors.AsType[errOver](err); ok {
		if over.reason == "shutdown" {
			st.lastWords()
		}
		st.open.hurry()
		_ = st.Send(controlFrame("bye", byeData{over.reason})) // the last word, heard or not
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
func (st *Stream) lastWords() {
	ctx, cancel := context.WithTimeout(st.r.Context(), lastPatience)
	defer cancel()
	head, err := st.hub.opt.Log.Head(ctx, st.open.session)
	for err == nil && st.cursor < head && ctx.Err() == nil {
		b, to, wait, bad := st.src.next(ctx, st.cursor)
		if bad != nil || st.step(b, to) != nil {
			return
		}
		if wait != nil && st.cursor < head && !waitForChange(ctx, wait) {
			return
		}
	}
}

func (st *Stream) loop(src source) error {
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
				return DisconnectError{err}
			}
		}
		if err := st.rest(wait); err != nil {
			return err
		}
	}
}

// told returns why the stream has to end, if it has. Asking changes nothing.
func (st *Stream) told() error {
	if err := st.open.over(); err != nil {
		return err
	}
	return st.r.Context().Err()
}

// step writes what src gave, and caught_up once the reader is where the log was
// when it came.
func (st *Stream) step(b []byte, to classroom.Cursor) error {
	if err := st.write(b); err != nil {
		return DisconnectError{err}
	}
	st.sent += int(to - st.cursor)
	st.cursor = to
	if !st.caught && st.cursor >= st.target {
		st.caught = true
		if err := st.write(controlFrame("caught_up", caughtUpData{st.cursor})); err != nil {
			return DisconnectError{err}
		}
		st.count()
	}
	return nil
}

// rest flushes and waits for news, sending a heartbeat at each beat.
func (st *Stream) rest(wait <-chan struct{}) error {
	if err := st.flush(); err != nil {
		return DisconnectError{err}
	}
	var side <-chan struct{}
	if st.side != nil {
		side = st.side.changed()
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
			st.beat = st.hub.beat.wait()
			st.count()
			if !st.hub.opt.LoginValid(st.r) {
				return errOver{"logout"}
			}
			if err := st.Send(heartbeat); err != nil {
				return DisconnectError{err}
			}
		}
	}
}

// A DisconnectError is the error of a write: the reader has left or takes nothing.
type DisconnectError struct{ Err error }

func (e DisconnectError) Error() string { return "reader gone: " + e.Err.Error() }
func (e DisconnectError) Unwrap() error { return e.Err }

// ErrEnded is returned where a stream has to end before its frames do.
var ErrEnded = errors.New("stream ended by the server")

// Relay writes frames with heartbeats between them until the channel is closed.
func (st *Stream) Relay(frames <-chan []byte) error {
	if err := st.Send(heartbeat); err != nil { // the first byte at once
		return DisconnectError{err}
	}
	for {
		var err error
		select {
		case b, more := <-frames:
			if !more {
				return nil
			}
			err = st.Send(b)
		case <-st.beat:
			st.beat = st.hub.beat.wait()
			err = st.Send(heartbeat)
		case <-st.open.ended:
			return ErrEnded
		case <-st.r.Context().Done():
			return DisconnectError{st.r.Context().Err()}
		}
		if err != nil {
			return DisconnectError{err}
		}
	}
}
