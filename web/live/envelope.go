package live

import (
	"bytes"
	"encoding/json"
	"strconv"

	"colloquy/classroom"
)

// appendEnvelope appends the JSON of e, with the bytes that json.Marshal returns.
// The payload is encoded already, so it is checked and copied in one pass.
func appendEnvelope(b []byte, e classroom.Event) ([]byte, error) {
	if len(e.Data) == 0 || needsEscape(e.Data) {
		return marshalEnvelope(b, e)
	}
	start := len(b)
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, int64(e.ID), 10)
	b = append(b, `,"ts":"`...)
	b = append(b, e.Time.String()...)
	b = append(b, `","type":`...)
	b = appendString(b, string(e.Type))
	if e.Exchange != 0 {
		b = append(b, `,"exchange":`...)
		b = strconv.AppendInt(b, int64(e.Exchange), 10)
	}
	if e.Agent != "" {
		b = append(b, `,"agent":`...)
		b = appendString(b, e.Agent)
	}
	if e.Attempt != 0 {
		b = append(b, `,"attempt":`...)
		b = strconv.AppendInt(b, int64(e.Attempt), 10)
	}
	b = append(b, `,"data":`...)
	buf := bytes.NewBuffer(b)
	if err := json.Compact(buf, e.Data); err != nil { // it checks the payload, and removes line breaks
		return marshalEnvelope(b[:start], e)
	}
	return append(buf.Bytes(), '}'), nil
}

func marshalEnvelope(b []byte, e classroom.Event) ([]byte, error) {
	envelope, err := json.Marshal(e)
	return append(b, envelope...), err
}

// needsEscape reports whether a payload has characters that json.Marshal escapes.
// It has none if json.Marshal made it.
func needsEscape(data []byte) bool {
	return bytes.IndexByte(data, '<') >= 0 || bytes.IndexByte(data, '>') >= 0 || bytes.IndexByte(data, '&') >= 0 ||
		bytes.Contains(data, []byte("\u2028")) || bytes.Contains(data, []byte("\u2029"))
}

// appendString appends text as a JSON string.
func appendString(b []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			quoted, _ := json.Marshal(text) // a string is always encoded
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}
