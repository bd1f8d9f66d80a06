package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxEvent bounds one event of a provider.
const maxEvent = 16 << 20

var errTooLarge = errors.New("one event of the answer is larger than 16 MB")

// A brokenError says that the body broke off, rather than ended.
type bodyError struct{ err error }

func (e *bodyError) Error() string { return "connection broke: " + e.err.Error() }
func (e *bodyError) Unwrap() error { return e.err }

// An EventBody is a response body made plain for the SDKs: an event line, one
// data line and one empty line for each event that holds a JSON object. It ends
// at "[DONE]", and with an error at an event that is the provider's complaint,
// so that no SDK has to know one. Whatever the provider sends, it is handed on
// as soon as its event is whole.
type EventBody struct {
	src io.ReadCloser
	in  *bufio.Reader
	out bytes.Buffer
	err error // once the last event is in out

	line    []byte
	skipLF  bool // a CR ended the last line; an LF after it belongs to it
	started bool // a line was read, so that no BOM can come

	data      []byte
	hasData   bool
	eventType string // the event field
	Done      bool   // "[DONE]" came
}

// NewEventBody makes src plain.
func NewEventBody(src io.ReadCloser) *EventBody {
	return &EventBody{src: src, in: bufio.NewReaderSize(src, 32<<10)}
}

func (b *EventBody) Close() error { return b.src.Close() }

func (b *EventBody) Read(p []byte) (int, error) {
	for b.out.Len() == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.processLine()
	}
	return b.out.Read(p)
}

// step takes one line.
func (b *EventBody) processLine() {
	err := b.readLine()
	switch {
	case err != nil:
		b.finish(err)
	case len(b.line) == 0:
		b.dispatch()
	default:
		b.parseLine(b.line)
	}
}

// readLine reads up to a line's end, which it does not keep. It returns at a
// CR without waiting for the LF that may follow.
func (b *EventBody) readLine() error {
	b.line = b.line[:0]
	for {
		if _, err := b.in.Peek(1); err != nil {
			return err
		}
		buf, _ := b.in.Peek(b.in.Buffered())
		if b.skipLF && buf[0] == '\n' {
			b.skipLF = false
			b.in.Discard(1)
			continue
		}
		b.skipLF = false
		i := bytes.IndexAny(buf, "\r\n")
		n := i
		if i < 0 {
			n = len(buf)
		}
		if len(b.line)+n > maxEvent {
			return errTooLarge
		}
		b.line = append(b.line, buf[:n]...)
		if i >= 0 {
			b.skipLF = buf[i] == '\r'
			n++
		}
		b.in.Discard(n)
		if i >= 0 {
			b.stripBOM()
			return nil
		}
	}
}

func (b *EventBody) stripBOM() {
	if !b.started {
		b.line = bytes.TrimPrefix(b.line, []byte("\xef\xbb\xbf"))
	}
	b.started = true
}

// last takes what stands before the end of the body. A last event counts only
// if it is whole: half an event is no news.
func (b *EventBody) finish(err error) {
	b.stripBOM()
	if len(b.line) > 0 && !errors.Is(err, errTooLarge) {
		b.parseLine(b.line)
	}
	if isDone(b.data) || json.Valid(b.data) || b.eventType == "error" && b.hasData {
		b.dispatch()
	}
	if b.err != nil {
		return
	}
	if err != io.EOF && !errors.Is(err, errTooLarge) {
		err = &bodyError{err}
	}
	b.err = err
}

func (b *EventBody) parseLine(line []byte) {
	if line[0] == '{' { // a body that is bare JSON, or bare JSON lines
		fresh := !b.hasData
		if b.appendData(line); fresh && json.Valid(line) {
			b.dispatch()
		}
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch {
	case string(name) == "data":
		b.appendData(value)
	case string(name) == "event":
		b.eventType = string(value)
	case b.hasData && bytes.IndexByte([]byte(" \t\"}],"), line[0]) >= 0:
		b.appendData(line) // bare JSON goes on
	}
}

// add appends a data line to the event. Some servers leave out the blank line
// between events: a line that begins a new object ends a whole one.
func (b *EventBody) appendData(value []byte) {
	if b.hasData && (bytes.HasPrefix(value, []byte("{")) || isDone(value)) && json.Valid(b.data) {
		b.dispatch()
	}
	if b.hasData && len(b.data) > 0 {
		b.data = append(b.data, ' ') // a line break between the tokens of JSON
	}
	if len(b.data)+len(value) > maxEvent {
		b.err = errTooLarge
		return
	}
	b.data, b.hasData = append(b.data, value...), true
}

// dispatch hands the event on, if it is one.
func (b *EventBody) dispatch() {
	data, kind := bytes.TrimSpace(b.data), b.eventType
	b.data, b.hasData, b.eventType = b.data[:0], false, ""
	switch {
	case isDone(data):
		b.Done, b.err = true, io.EOF
		return
	case kind == "error" || isErrorEvent(data):
		b.err = &eventError{bytes.Clone(data)}
		return
	case len(data) == 0 || data[0] != '{':
		return // a keep-alive, or a gateway's chatter
	}
	b.out.WriteString("event: message\ndata: ")
	b.out.Write(withoutEmptyError(data))
	b.out.WriteString("\n\n")
}

func isDone(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte("[DONE]")) }
