package live

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// A transport takes a stream's bytes to its reader. What is written is sent by
// Flush, or before.
type transport interface {
	io.Writer
	Flush() error
	SetWriteDeadline(time.Time) error
}

// An httpTransport writes to net/http's response.
type httpTransport struct {
	http.ResponseWriter
	*http.ResponseController
}

// A connTransport writes to a connection that net/http gave away in the middle of
// a response: it goes on with the response's chunks (RFC 9112, section 7.1). The
// handler's goroutine and the buffers of the request are free then, which are two
// thirds of what an idle stream would hold.
type connTransport struct {
	conn net.Conn
	buf  *[]byte // what is not sent yet, behind room for the head of its chunk; nil while there is nothing
	sent int64
}

const (
	chunkHead = "00000000\r\n"
	chunkTail = "\r\n"
	lastChunk = "0\r\n\r\n"
)

// chunkBuffers are shared by all streams: a stream needs one only between a write
// and its flush.
var chunkBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// Write implements [io.Writer].
func (t *connTransport) Write(b []byte) (int, error) {
	if t.buf == nil {
		t.buf = chunkBuffers.Get().(*[]byte)
		*t.buf = append((*t.buf)[:0], chunkHead...)
	}
	*t.buf = append(*t.buf, b...)
	if len(*t.buf) < maxWrite {
		return len(b), nil
	}
	return len(b), t.Flush()
}

// Flush sends what was written as one chunk.
func (t *connTransport) Flush() error {
	if t.buf == nil {
		return nil
	}
	b := append(*t.buf, chunkTail...)
	size := len(b) - len(chunkHead) - len(chunkTail)
	copy(b, fmt.Sprintf("%08x", size))
	n, err := t.conn.Write(b)
	t.sent += int64(n)
	if *t.buf = b; cap(b) <= maxWrite {
		chunkBuffers.Put(t.buf)
	}
	t.buf = nil
	return err
}

// SetWriteDeadline bounds the writes to come and the one under way.
func (t *connTransport) SetWriteDeadline(at time.Time) error { return t.conn.SetWriteDeadline(at) }

// close ends the response and the connection.
func (t *connTransport) close() {
	_, _ = io.WriteString(t.conn, lastChunk) // a reader that has gone needs none
	_ = t.conn.Close()
}

// maxInput is how many bytes a reader may send on its stream. It has nothing to say
// there, and each byte costs a read.
const maxInput = 4 << 10

// watch calls gone when the reader closes the connection, or sends more than maxInput
// bytes. What it sends is discarded.
func (t *connTransport) watch(gone context.CancelFunc) {
	defer gone()
	var b [1]byte
	for range maxInput {
		if _, err := t.conn.Read(b[:]); err != nil {
			return
		}
	}
}

// Detach takes the stream's connection from net/http, where the protocol allows it.
// Then the handler has to return, and [Stream.Carry] needs a goroutine of its own.
func (st *Stream) Detach() bool {
	written, ok := st.transport.(httpTransport)
	if !ok || !st.request.ProtoAtLeast(1, 1) || st.request.ProtoMajor != 1 {
		return false
	}
	conn, _, err := written.Hijack()
	if err != nil {
		return false
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(st.request.Context()))
	st.request, st.cancel = st.request.WithContext(ctx), cancel
	t := &connTransport{conn: conn}
	st.transport, st.deadline = t, time.Time{}
	st.control.setTransport(t)
	st.hub.streams.watchers.Go(func() { t.watch(cancel) })
	return true
}

// BytesSent returns how much was sent since [Stream.Detach].
func (st *Stream) BytesSent() int64 {
	if t, ok := st.transport.(*connTransport); ok {
		return t.sent
	}
	return 0
}
