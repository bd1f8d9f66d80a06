package wire

import (
	"bytes"
	"encoding/json"
)

// An eventError is an event in which the provider reports an error.
type eventError struct{ data []byte }

func (e *eventError) Error() string { return "the provider reports an error in the answer" }

// isErrorEvent reports whether an event has a key "error" with a value. Some
// servers send the key without a value in every chunk.
func isErrorEvent(data []byte) bool {
	raw, ok := errorField(data)
	return ok && !isEmptyError(raw)
}

// withoutEmptyError removes a key "error" without a value, which the SDKs would
// take for an error.
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
