package llmtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// A Write is one step of an answer's body.
type Write func(*writer) error

// errEndBody ends a body before its last step, as its script says.
var errEndBody = errors.New("llmtest: end of body")

// Bytes writes each piece and flushes it.
func Bytes(pieces ...string) []Write {
	out := make([]Write, 0, len(pieces))
	for _, s := range pieces {
		out = append(out, func(w *writer) error { return w.piece(s) })
	}
	return out
}

// EachByte writes the text byte by byte.
func EachByte(text string) []Write {
	out := make([]Write, 0, len(text))
	for i := range len(text) {
		out = append(out, func(w *writer) error { return w.piece(text[i : i+1]) })
	}
	return out
}

// Body joins steps.
func Body(parts ...[]Write) []Write {
	var out []Write
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// Sleep waits for d, or until the client closes the connection.
func Sleep(d time.Duration) []Write {
	return []Write{func(w *writer) error {
		t := time.NewTimer(d)
		defer t.Stop()
		return waitFor(w, t.C)
	}}
}

// Until waits until gate is closed or sends, or until the client closes the connection.
// A nil gate waits for the client.
func Until(gate <-chan struct{}) []Write {
	return []Write{func(w *writer) error { return waitFor(w, gate) }}
}

func waitFor[T any](w *writer, gate <-chan T) error {
	select {
	case <-gate:
		return nil
	case <-w.request.closed:
	case <-w.ctx.Done():
	}
	return errEndBody
}

// FIN closes the connection in an orderly way before the end that the framing requires.
func FIN() []Write { return []Write{func(*writer) error { return errEndBody }} }

// RST resets the connection.
func RST() []Write {
	return []Write{func(w *writer) error {
		w.conn.SetLinger(0)
		return errEndBody
	}}
}

// Data returns an event stream: a data line and an empty line for each payload.
func Data(payloads ...string) string {
	var b strings.Builder
	for _, p := range payloads {
		fmt.Fprintf(&b, "data: %s\n\n", p)
	}
	return b.String()
}

// A writer writes one answer.
type writer struct {
	ctx     context.Context
	conn    *net.TCPConn
	ended   chan struct{} // closed at the end of the answer
	request *Request
	answer  Answer
}

// watch notes that the client closes the connection before the end of the answer.
func (w *writer) watch(in *bufio.Reader) {
	_, err := in.ReadByte()
	select {
	case <-w.ended:
	case <-w.ctx.Done():
	default:
		if err != nil {
			w.request.markClosed()
		}
	}
}

// write writes the answer up to its end, or until a write fails.
func (w *writer) write() {
	if w.answer.Framing != NoHead {
		if _, err := w.conn.Write(w.head()); err != nil {
			w.request.markClosed()
			close(w.ended)
			return
		}
	}
	for _, step := range w.answer.Body {
		if err := step(w); err != nil {
			if !errors.Is(err, errEndBody) {
				w.request.markClosed() // watch may not have noticed yet
			}
			close(w.ended)
			return
		}
	}
	close(w.ended) // before the last bytes, after which the client may close
	if w.answer.Framing == Chunked {
		w.conn.Write([]byte("0\r\n\r\n")) // watch notes a client that closed early
	}
}

func (w *writer) head() []byte {
	status := w.answer.Status
	if status == 0 {
		status = http.StatusOK
	}
	h := http.Header{"Content-Type": {"text/event-stream"}}
	if w.answer.Header != nil {
		h = w.answer.Header.Clone()
	}
	h.Set("Connection", "close")
	if w.answer.Framing == Chunked {
		h.Set("Transfer-Encoding", "chunked")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	h.Write(&b)
	b.WriteString("\r\n")
	return b.Bytes()
}

func (w *writer) piece(s string) error {
	if s == "" {
		return nil // an empty chunk would end the body
	}
	if w.answer.Framing == Chunked {
		s = fmt.Sprintf("%x\r\n%s\r\n", len(s), s)
	}
	_, err := w.conn.Write([]byte(s))
	return err
}
