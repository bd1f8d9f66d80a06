package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxEvent limits the bytes of one event.
const maxEvent = 16 << 20

var errTooLarge = errors.New("one event of the answer is larger than 16 MB")

// A bodyError reports that the body ended with an error.
type bodyError struct{ err error }

func (e *bodyError) Error() string { return "connection failed: " + e.err.Error() }
func (e *bodyError) Unwrap() error { return e.err }

// An EventBody normalises the event stream of a response for the SDKs: an event
// line, one data line and one empty line for each event that is a JSON object. It
// ends at "[DONE]", and with an error at an error event, so that the SDKs see none.
// Each event can be read as soon as it is complete.
type EventBody struct {
	src io.ReadCloser
	in  *bufio.Reader
	out bytes.Buffer
	err error // returned after out is empty

	line    []byte
	skipLF  bool // the last line ended with a CR, which an LF may follow
	started bool // a line was read, so no BOM can follow

	data      []byte
	hasData   bool
	eventType string // the value of the event field
	Done      bool   // "[DONE]" has arrived
}

// NewEventBody returns a reader of the normalised events of src.
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

// processLine reads and processes one line.
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

// readLine reads one line without its line ending. It returns at a CR without
// waiting for the LF that may follow.
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

// finish processes the end of the body. The last event counts only if it is
// complete.
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

// parseLine adds one line to the event.
func (b *EventBody) parseLine(line []byte) {
	if line[0] == '{' { // JSON without field names: one document, or one object a line
		first := !b.hasData
		if b.appendData(line); first && json.Valid(line) {
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
		b.appendData(line) // the next line of a JSON document
	}
}

// appendData appends a data line to the event. Some servers omit the blank line
// between events, so a line that begins a new object ends a complete one.
func (b *EventBody) appendData(value []byte) {
	if b.hasData && (bytes.HasPrefix(value, []byte("{")) || isDone(value)) && json.Valid(b.data) {
		b.dispatch()
	}
	if b.hasData && len(b.data) > 0 {
		b.data = append(b.data, ' ') // for the line break
	}
	if len(b.data)+len(value) > maxEvent {
		b.err = errTooLarge
		return
	}
	b.data, b.hasData = append(b.data, value...), true
}

// dispatch writes the event to out if it is a JSON object.
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
		return // a keep-alive or another message of a gateway
	}
	b.out.WriteString("event: message\ndata: ")
	b.out.Write(withoutEmptyError(data))
	b.out.WriteString("\n\n")
}

func isDone(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte("[DONE]")) }
