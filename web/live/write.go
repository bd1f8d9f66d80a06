package live

import (
	"errors"
	"net/http"
	"time"
)

// A DisconnectError is the error of a write: the reader has gone, or takes nothing.
type DisconnectError struct{ Err error }

func (e DisconnectError) Error() string { return "reader gone: " + e.Err.Error() }
func (e DisconnectError) Unwrap() error { return e.Err }

// maxWrite is what one deadline covers at most, so that a slow reader that takes
// something is not cut off.
const maxWrite = 64 << 10

// write writes b, each part under a deadline of its own.
func (st *Stream) write(b []byte) error {
	for len(b) > 0 {
		part := b[:min(len(b), maxWrite)]
		if err := st.extendDeadline(); err != nil {
			return err
		}
		if _, err := st.transport.Write(part); err != nil {
			return err
		}
		st.dirty = true
		b = b[len(part):]
	}
	return nil
}

// extendDeadline gives the reader its time to take the next write. A deadline that
// is far enough away stays, since setting one costs as much as a small write.
func (st *Stream) extendDeadline() error {
	now, limit := time.Now(), st.hub.opt.FrameLimit
	if st.deadline.Sub(now) > limit-limit/8 {
		return nil
	}
	st.deadline = now.Add(limit)
	err := st.transport.SetWriteDeadline(st.deadline)
	if st.control.lastWrite.Load() != nil { // the deadline of the last write may have been replaced by this one
		st.control.limitLastWrite()
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
	return st.transport.Flush()
}

// Send writes b and flushes it.
func (st *Stream) Send(b []byte) error {
	if err := st.write(b); err != nil {
		return err
	}
	return st.flush()
}

// Relay sends frames, with heartbeats between them, until their channel is closed.
// It returns [ErrEnded] where the hub ends the stream.
func (st *Stream) Relay(frames <-chan []byte) error {
	if err := st.Send(heartbeatFrame); err != nil { // the first byte at once
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
		case <-st.heartbeat:
			st.heartbeat = st.hub.heartbeat.wait()
			err = st.Send(heartbeatFrame)
		case <-st.control.ended:
			return ErrEnded
		case <-st.request.Context().Done():
			err = st.request.Context().Err()
		}
		if err != nil {
			return DisconnectError{err}
		}
	}
}
