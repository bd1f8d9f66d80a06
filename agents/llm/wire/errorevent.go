package wire

import (
	"bytes"
	"encoding/json"
)

// A complaintError is an event in which the provider says what went wrong.
type eventError struct{ data []byte }

func (e *eventError) Error() string { return "the provider complains in the answer" }

// complains reports whether an event is a complaint: it has a key "error" that
// says something. Some servers send the key in every chunk, empty.
func isErrorEvent(data []byte) bool {
	raw, ok := errorField(data)
	return ok && !isEmptyError(raw)
}

// withoutError drops a key "error" that says nothing: the SDKs take any such key for an error.
func withoutEmptyError(data []byte) []byte {
	if _, ok := errorField(data); !ok {
		return data
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(data, &o) != nil {
		return data
	}
	delete(o, "error")
	out, err := json.Marshal(o)
	if err != nil {
		return data
	}
	return out
}

func errorField(data []byte) (json.RawMessage, bool) {
	if !bytes.Contains(data, []byte(`"error"`)) {
		return nil, false
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(data, &o) != nil {
		return nil, false
	}
	raw, ok := o["error"]
	return raw, ok
}

func isEmptyError(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "null", `""`, "false", "{}":
		return true
	}
	return false
}
