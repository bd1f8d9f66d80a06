package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"colloquy/classroom"
)

// heartbeatFrame is a comment: no event comes of it, and the client's cursor stays.
var heartbeatFrame = []byte(":\n\n")

// appendEvent appends the frame of e: its type, its cursor and its envelope on one line.
func appendEvent(b []byte, e classroom.Event) ([]byte, error) {
	b = append(b, "event: "...)
	b = appendType(b, string(e.Type))
	b = append(b, "\nid: "...)
	b = strconv.AppendInt(b, int64(e.ID), 10)
	b = append(b, "\ndata: "...)
	b, err := appendEnvelope(b, e)
	if err != nil {
		return b, fmt.Errorf("encode event %d: %w", e.ID, err)
	}
	return append(b, "\n\n"...), nil
}

// appendType appends a type's name. A log of a later version may hold a type that
// this version does not know, so spaces and control characters are left out: a line
// break would begin another field.
func appendType(b []byte, name string) []byte {
	for _, r := range []byte(name) {
		if r > ' ' && r != 0x7f {
			b = append(b, r)
		}
	}
	return b
}

// controlFrame returns a named frame without an id.
func controlFrame(name string, data any) []byte {
	body, err := json.Marshal(data)
	if err != nil { // data is one of the types below
		panic("encode control frame " + name + ": " + err.Error())
	}
	return []byte("event: " + name + "\ndata: " + string(body) + "\n\n")
}

// appendHTML appends an unnamed frame, which a page swaps in. Each line has a data
// field of its own. A carriage return would end a field too, so it is written as
// the line feed that an HTML parser makes of it. An id of 0 is left out.
func appendHTML(b []byte, id classroom.Cursor, html []byte) []byte {
	if id > 0 {
		b = append(b, "id: "...)
		b = strconv.AppendInt(b, int64(id), 10)
		b = append(b, '\n')
	}
	html = bytes.ReplaceAll(html, []byte("\r\n"), []byte("\n"))
	html = bytes.ReplaceAll(html, []byte("\r"), []byte("\n"))
	for line := range bytes.SplitSeq(html, []byte("\n")) {
		b = append(b, "data:"...)
		if len(line) > 0 && line[0] == ' ' {
			b = append(b, ' ')
		}
		b = append(b, line...)
		b = append(b, '\n')
	}
	return append(b, '\n')
}

// frame returns the frame of a patch that brings a page to cursor id; nil for an
// empty patch.
func (p *patch) frame(id classroom.Cursor) []byte {
	if p.len() == 0 {
		return nil
	}
	return appendHTML(nil, id, p.buf.Bytes())
}

// The data of control frames: see "Frames that are no events" in docs/events.md.
type (
	connectedData struct {
		Session string           `json:"session"`
		Head    classroom.Cursor `json:"head"`
		Running bool             `json:"running"`
	}
	caughtUpData struct {
		Cursor classroom.Cursor `json:"cursor"`
	}
	resetData struct {
		Reason string           `json:"reason"`
		Head   classroom.Cursor `json:"head"`
		Cursor classroom.Cursor `json:"cursor"` // where the stream goes on from
	}
	byeData struct {
		Reason string `json:"reason"`
	}
)
