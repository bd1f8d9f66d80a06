package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"colloquy/classroom"
)

// heartbeat is a comment: it dispatches nothing and moves no cursor.
var heartbeat = []byte(":\n\n")

// appendEvent appends the frame of e: its type, its cursor and its envelope on one line.
func appendEvent(b []byte, e classroom.Event) ([]byte, error) {
	envelope, err := json.Marshal(e)
	if err != nil {
		return b, fmt.Errorf("encode event %d: %w", e.ID, err)
	}
	b = append(b, "event: "...)
	b = appendWord(b, string(e.Type))
	b = append(b, "\nid: "...)
	b = strconv.AppendInt(b, int64(e.ID), 10)
	b = append(b, "\ndata: "...)
	b = append(b, envelope...)
	return append(b, "\n\n"...), nil
}

// appendWord appends a type's name. A log of a newer version may hold a type
// that this one does not know, so what could break the line is left out.
func appendWord(b []byte, word string) []byte {
	for _, r := range []byte(word) {
		if r > ' ' && r != 0x7f {
			b = append(b, r)
		}
	}
	return b
}

// controlFrame returns a named frame without an id.
func controlFrame(name string, data any) []byte {
	body, err := json.Marshal(data)
	if err != nil { // only values of this package come here
		panic("encode control frame " + name + ": " + err.Error())
	}
	return []byte("event: " + name + "\ndata: " + string(body) + "\n\n")
}

// appendHTML appends an unnamed frame that a page swaps in. Every line gets its
// own data field, and a carriage return, which would end a line too, is written
// as the line feed that an HTML parser makes of it. id 0 leaves the id out.
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

// frame returns the frame of a patch that brings a page to cursor id; nothing for an empty one.
func (p *patch) frame(id classroom.Cursor) []byte {
	if p.len() == 0 {
		return nil
	}
	return appendHTML(nil, id, p.buf.Bytes())
}

// The control frames of docs/events.md.
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
