package openai

import (
	"bytes"
	"encoding/json"
)

// asError makes the data of an "event: error" an object with the key "error",
// as the SDK looks for it.
func asError(data []byte) []byte {
	var o map[string]json.RawMessage
	if json.Unmarshal(data, &o) == nil {
		if _, ok := o["error"]; ok {
			return data
		}
		return bytes.Join([][]byte{[]byte(`{"error":`), data, []byte(`}`)}, nil)
	}
	text, _ := json.Marshal(string(data)) // a string always encodes
	return bytes.Join([][]byte{[]byte(`{"error":{"message":`), text, []byte(`}}`)}, nil)
}

// withoutNullError drops a key "error" that says nothing: some servers send it
// in every chunk, and the SDK takes any such key for an error.
func withoutNullError(data []byte) []byte {
	if !bytes.Contains(data, []byte(`"error"`)) {
		return data
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(data, &o) != nil {
		return data
	}
	switch string(bytes.TrimSpace(o["error"])) {
	case "null", `""`, "false", "{}":
		delete(o, "error")
	default:
		return data
	}
	out, err := json.Marshal(o)
	if err != nil {
		return data
	}
	return out
}
