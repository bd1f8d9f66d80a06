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

// An eventError is an event in which the provider reports an error.
type eventError struct{ data []byte }

func (e *eventError) Error() string { return "the provider reports an error in the answer" }

// An EventReader reads the events of a body that are JSON objects; see the package comment
// for the formats. Each event can be read as soon as it is complete.
type EventReader struct {
	Done bool // "[DONE]" has arrived

	lines   *bufio.Scanner
	afterCR bool // the last line ended with a CR, which an LF may follow
	scanned int  // bytes of the current line without a line ending
	started bool // a line was read, so no BOM can follow

	data      []byte // of the current event
	hasData   bool
	eventType string            // the value of the event field
	ready     []json.RawMessage // complete events
	err       error             // returned after the ready events
}

// NewEventReader returns a reader of the events of body.
func NewEventReader(body io.Reader) *EventReader {
	r := &EventReader{lines: bufio.NewScanner(body)}
	r.lines.Buffer(make([]byte, 0, 32<<10), maxEvent)
	r.lines.Split(r.splitLine)
	return r
}

// Next returns the next event. At the end of the body and at "[DONE]" the error is
// [io.EOF].
func (r *EventReader) Next() (json.RawMessage, error) {
	for len(r.ready) == 0 {
		switch {
		case r.err != nil:
			return nil, r.err
		case !r.lines.Scan():
			r.finish()
		default:
			r.addLine(r.lines.Bytes())
		}
	}
	event := r.ready[0]
	r.ready = r.ready[1:]
	return event, nil
}

// splitLine is a [bufio.SplitFunc] for lines that end in CR, LF or CRLF. It returns a
// line at its CR without waiting for the LF that may follow.
func (r *EventReader) splitLine(data []byte, atEOF bool) (advance int, line []byte, err error) {
	begin := 0
	if r.afterCR && len(data) > 0 && data[0] == '\n' {
		begin = 1
	}
	searched := max(begin, r.scanned)
	i := bytes.IndexAny(data[min(searched, len(data)):], "\r\n")
	switch {
	case i >= 0:
		end := searched + i
		r.afterCR, r.scanned = data[end] == '\r', 0
		return end + 1, data[begin:end], nil
	case atEOF && len(data) > begin:
		return len(data), data[begin:], nil
	}
	r.scanned = len(data)
	return 0, nil, nil
}

// finish processes the end of the body. The last event counts only if it is complete.
func (r *EventReader) finish() {
	err := r.lines.Err()
	if isDone(r.data) || json.Valid(r.data) || r.eventType == "error" && r.hasData {
		r.dispatch()
	}
	switch {
	case r.err != nil:
	case err == nil:
		r.err = io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		r.err = errTooLarge
	default:
		r.err = &bodyError{err}
	}
}

// addLine processes one line without its line ending.
func (r *EventReader) addLine(line []byte) {
	if !r.started {
		line, r.started = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), true
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch {
	case len(line) == 0:
		r.dispatch()
	case line[0] == '{': // JSON without field names: one document, or one object a line
		first := !r.hasData
		if r.addData(line); first && json.Valid(line) {
			r.dispatch()
		}
	case string(name) == "data":
		r.addData(value)
	case string(name) == "event":
		r.eventType = string(value)
	case r.hasData && bytes.IndexByte([]byte(" \t\"}],"), line[0]) >= 0:
		r.addData(line) // the next line of a JSON document
	}
}

// addData adds a data line to the event. Some servers omit the blank line between
// events, so a line that begins a new object ends a complete one.
func (r *EventReader) addData(value []byte) {
	if r.hasData && (bytes.HasPrefix(value, []byte("{")) || isDone(value)) && json.Valid(r.data) {
		r.dispatch()
	}
	if r.hasData && len(r.data) > 0 {
		r.data = append(r.data, ' ') // for the line break
	}
	if len(r.data)+len(value) > maxEvent {
		r.err = errTooLarge
		return
	}
	r.data, r.hasData = append(r.data, value...), true
}

// dispatch ends the current event. It is ready if it is a JSON object.
func (r *EventReader) dispatch() {
	data, kind := bytes.TrimSpace(r.data), r.eventType
	r.data, r.hasData, r.eventType = r.data[:0], false, ""
	switch {
	case r.err != nil:
	case isDone(data):
		r.Done, r.err = true, io.EOF
	case kind == "error" || isErrorEvent(data):
		r.err = &eventError{bytes.Clone(data)}
	case len(data) > 0 && data[0] == '{': // anything else is a keep-alive of a gateway
		r.ready = append(r.ready, bytes.Clone(data))
	}
}

func isDone(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte("[DONE]")) }

// isErrorEvent reports whether an event has a key "error" with a value. Some servers
// send the key without a value in every chunk.
func isErrorEvent(data []byte) bool {
	var event map[string]json.RawMessage
	if !bytes.Contains(data, []byte(`"error"`)) || json.Unmarshal(data, &event) != nil {
		return false
	}
	switch string(event["error"]) {
	case "", "null", `""`, "false", "{}":
		return false
	}
	return true
}
