package live

import (
	"context"
	"errors"
	"net/http"
	"time"

	"colloquy/classroom"
)

// A source has what follows a reader's cursor. leave is called once the reader has
// gone.
type source interface {
	next(ctx context.Context, cursor classroom.Cursor) (step, error)
	leave()
}

// A step is what a source has for a reader: bytes and the cursor that they lead to
// or, at the head, a channel that is closed when there may be more. A step without
// bytes may lead to another cursor too.
type step struct {
	bytes []byte
	to    classroom.Cursor
	more  <-chan struct{}
}

// An endError ends a stream with a bye frame.
type endError struct{ reason string }

func (e endError) Error() string { return "stream ended: " + e.reason }

// ErrEnded is returned where the hub ends a stream before its frames end.
var ErrEnded = errors.New("stream ended by the server")

// A Stream is one connection. Only the goroutine of its request may use it.
type Stream struct {
	hub       *Hub
	request   *http.Request
	control   *streamControl
	source    source
	sidebar   *sidebarReader // of a page's stream; nil for others
	kind      string
	heartbeat <-chan struct{} // closed when a heartbeat is due, also while the stream writes
	rights    <-chan struct{} // closed when rights changed after the client's were decided; nil: never

	cursor    classroom.Cursor
	catchUpTo classroom.Cursor // caught_up is sent here
	caughtUp  bool
	sent      int // events that the meter has not counted yet

	transport transport
	cancel    context.CancelFunc // of the request's context; nil before [Stream.Detach]
	dirty     bool               // written and not flushed
	deadline  time.Time          // of the next write
}

// pageHeaders are page headers that have no effect on an event stream. A stream
// keeps its headers as long as it lives.
var pageHeaders = []string{"Content-Security-Policy", "Referrer-Policy", "Cross-Origin-Opener-Policy"}

// openStream sends the headers of a stream. The stream must be closed.
func (h *Hub) openStream(c Client, kind, session string) (*Stream, error) {
	out := httpTransport{c.Writer, http.NewResponseController(c.Writer)}
	control, err := h.streams.add(session, c.Login, out)
	if err != nil {
		return nil, err
	}
	header := c.Writer.Header()
	for _, name := range pageHeaders {
		header.Del(name)
	}
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no")
	c.Writer.WriteHeader(http.StatusOK)
	clear(header) // it has been copied; an idle stream holds as little as it can
	h.opt.Meter.StreamOpened(kind)
	h.streams.expire(control, c.Expires)
	return &Stream{
		hub: h, request: c.Request, control: control, kind: kind, transport: out,
		heartbeat: h.heartbeat.wait(), rights: c.Rights,
	}, nil
}

// openSession opens a stream of a session and sends connected at once. Where the
// cursor is beyond the head it sends reset too, and the stream begins with the
// first event.
func (h *Hub) openSession(c Client, kind string, session classroom.Session, after classroom.Cursor) (*Stream, error) {
	st, err := h.openStream(c, kind, session.ID)
	if err != nil {
		return nil, err
	}
	b := controlFrame("connected", connectedData{session.ID, session.Head, session.Status == classroom.Running})
	st.cursor, st.catchUpTo = after, session.Head
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

// Close removes the stream from its hub. [Stream.Carry] does so too.
func (st *Stream) Close() {
	if t, ok := st.transport.(*connTransport); ok {
		t.close()
		st.cancel()
	}
	st.countEvents()
	st.hub.opt.Meter.StreamClosed(st.kind)
	st.hub.streams.remove(st.control)
}

// countEvents adds what was sent to the meter, which all streams share: it is not
// called for each event.
func (st *Stream) countEvents() {
	st.hub.opt.Meter.EventsSent(st.kind, st.sent)
	st.sent = 0
}

// Request returns the request that opened the stream.
func (st *Stream) Request() *http.Request { return st.request }

// Carry sends what the stream's source has, until the source or the reader ends. A
// reader that went away is no error.
func (st *Stream) Carry() error {
	defer st.Close()
	defer st.source.leave()
	return st.finish(st.loop())
}

func (st *Stream) loop() error {
	ctx := st.request.Context()
	for waited := true; ; {
		if !waited { // stop even while there is a backlog
			if err := st.ended(); err != nil {
				return err
			}
			if err := st.noteRights(); err != nil {
				return err
			}
		}
		next, err := st.source.next(ctx, st.cursor)
		if err != nil {
			return err
		}
		if err := st.deliver(next); err != nil {
			return err
		}
		if waited = next.more != nil; !waited {
			continue
		}
		if st.sidebar != nil {
			if err := st.write(st.sidebar.patch()); err != nil {
				return DisconnectError{err}
			}
		}
		if err := st.wait(next.more); err != nil {
			return err
		}
	}
}

// ended returns why the stream has to end, if it has. It changes nothing.
func (st *Stream) ended() error {
	if err := st.control.err(); err != nil {
		return err
	}
	return st.request.Context().Err()
}

// noteRights decides again if rights have changed.
func (st *Stream) noteRights() error {
	select {
	case <-st.rights:
		return st.decide()
	default:
		return nil
	}
}

// decide returns an error if the client may not read on. The channel of the next change
// is taken first, so that no change falls between.
func (st *Stream) decide() error {
	if st.rights != nil {
		st.rights = st.hub.opt.RightsChanged()
	}
	d := st.hub.opt.Decide(st.request)
	if d.End != "" {
		return endError{d.End}
	}
	if st.sidebar != nil && d.Lists != nil {
		st.sidebar.shown = d.Lists
	}
	return nil
}

// deliver writes what the source gave, and caught_up once the reader has reached
// what was the head when the stream was opened.
func (st *Stream) deliver(s step) error {
	if err := st.write(s.bytes); err != nil {
		return DisconnectError{err}
	}
	st.sent += int(s.to - st.cursor)
	st.cursor = s.to
	if !st.caughtUp && st.cursor >= st.catchUpTo {
		st.caughtUp = true
		if err := st.write(controlFrame("caught_up", caughtUpData{st.cursor})); err != nil {
			return DisconnectError{err}
		}
		st.countEvents()
	}
	return nil
}

// wait flushes, and returns when more may have come. It sends the heartbeats.
func (st *Stream) wait(more <-chan struct{}) error {
	if err := st.flush(); err != nil {
		return DisconnectError{err}
	}
	var sidebar <-chan struct{}
	if st.sidebar != nil {
		sidebar = st.sidebar.changed()
	}
	for {
		select {
		case <-more:
			return nil
		case <-sidebar:
			return nil
		case <-st.control.ended:
			return st.ended()
		case <-st.request.Context().Done():
			return st.ended()
		case <-st.rights:
			return st.decide()
		case <-st.heartbeat:
			st.heartbeat = st.hub.heartbeat.wait()
			st.countEvents()
			if err := st.decide(); err != nil {
				return err
			}
			if err := st.Send(heartbeatFrame); err != nil {
				return DisconnectError{err}
			}
		}
	}
}

// finish sends bye where err is an endError.
func (st *Stream) finish(err error) error {
	if end, ok := errors.AsType[endError](err); ok {
		if end.reason == "shutdown" {
			st.deliverRest()
		}
		st.control.limitLastWrite()
		_ = st.Send(controlFrame("bye", byeData{end.reason})) // the stream ends either way
		return nil
	}
	if st.request.Context().Err() != nil {
		return nil
	}
	return err
}

// restLimit is how long a stream goes on at a shutdown to send what the log holds.
const restLimit = 2 * time.Second

// deliverRest sends what the log held when the server closed, so that readers
// receive run_interrupt before bye.
func (st *Stream) deliverRest() {
	ctx, cancel := context.WithTimeout(st.request.Context(), restLimit)
	defer cancel()
	head, err := st.hub.opt.Log.Head(ctx, st.control.session)
	for err == nil && st.cursor < head && ctx.Err() == nil {
		next, nextErr := st.source.next(ctx, st.cursor)
		if nextErr != nil || st.deliver(next) != nil {
			return
		}
		if next.more != nil && st.cursor < head && !waitForChange(ctx, next.more) {
			return
		}
	}
}
