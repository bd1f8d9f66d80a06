package classroom

import (
	"bytes"
	"encoding/json"
	"slices"
)

// An Audience is a group of readers that is shown the same. The zero Audience is
// [ForClass].
type Audience string

// The audiences. Pupils, and guests with them, are shown what the class is, without what
// it cost.
const (
	ForClass  Audience = "class"
	ForStaff  Audience = "staff"
	ForPupils Audience = "pupils"
)

// staffOnly is the key in an event's data that keeps its texts from all but the staff.
// Its value is a Redacted constant. An object inside the data may have it too, which then
// keeps back the texts of that object.
const staffOnly = "staff_only"

// The reasons for which the texts of an event are kept back.
const (
	RedactedHeld     = "held"
	RedactedWithheld = "withheld"
	RedactedSafety   = "safety"
	RedactedRemoved  = "removed"
)

var redactions = []string{RedactedHeld, RedactedWithheld, RedactedSafety, RedactedRemoved}

// Filter returns e as an audience may read it. Cursor and type stay, so that no gap
// arises. Everything that leaves the log for a reader passes through here.
func (a Audience) Filter(e Event) Event {
	if a == ForStaff {
		return e
	}
	switch reason := e.staffOnly(); {
	case e.Type == TypeSafety: // also in logs of earlier versions, which do not mark it
		e = e.withoutDistress()
	case reason != "":
		e = e.redacted(reason)
	case bytes.Contains(e.Data, []byte(`"`+staffOnly+`"`)):
		e = e.redactedInside()
	}
	if a == ForPupils {
		return e.withoutCost()
	}
	return e
}

// FilterAll returns events as an audience may read them. The slice is copied if one of
// them changes.
func (a Audience) FilterAll(events []Event) []Event {
	out := events
	for i, e := range events {
		f := a.Filter(e)
		if bytes.Equal(f.Data, e.Data) {
			continue
		}
		if &out[0] == &events[0] {
			out = slices.Clone(events)
		}
		out[i] = f
	}
	return out
}

// staffOnly returns why only the staff may read e; empty where everybody may.
func (e Event) staffOnly() string {
	if !bytes.Contains(e.Data, []byte(`"`+staffOnly+`"`)) {
		return ""
	}
	var data map[string]json.RawMessage
	if json.Unmarshal(e.Data, &data) != nil || data[staffOnly] == nil {
		return "" // the words stand in a text
	}
	var reason string
	if json.Unmarshal(data[staffOnly], &reason) != nil || !slices.Contains(redactions, reason) {
		return RedactedWithheld // a mark of a later version
	}
	return reason
}

// keptKeys are the keys of an event's data whose texts are ids and codes.
var keptKeys = []string{
	"message_id", "kind", "call_id", "status", "stop_reason", "delivery", "client_id", "role", "part", "by",
}

// redacted returns e with empty texts.
func (e Event) redacted(reason string) Event {
	var data map[string]any
	if json.Unmarshal(e.Data, &data) != nil {
		data = nil
	}
	out := map[string]any{"redacted": reason}
	for key, value := range data {
		if key != staffOnly {
			out[key] = emptied(key, value)
		}
	}
	encoded, err := json.Marshal(out)
	if err != nil { // what was decoded from JSON can be encoded
		panic("encode redacted event: " + err.Error())
	}
	return e.WithData(encoded)
}

// withoutDistress returns a safety event without what says how somebody is. The language
// and the adult stay: the answer is made of them.
func (e Event) withoutDistress() Event {
	var s Safety
	if json.Unmarshal(e.Data, &s) != nil {
		return e.redacted(RedactedSafety)
	}
	s.Kind = ""
	encoded, err := json.Marshal(struct {
		Redacted string `json:"redacted"`
		Safety
	}{RedactedSafety, s})
	if err != nil {
		panic("encode redacted event: " + err.Error())
	}
	return e.WithData(encoded)
}

// redactedInside returns e with empty texts in the objects of its data that are marked.
func (e Event) redactedInside() Event {
	var data any
	if json.Unmarshal(e.Data, &data) != nil {
		return e.redacted(RedactedWithheld)
	}
	encoded, err := json.Marshal(withoutMarked(data))
	if err != nil {
		panic("encode redacted event: " + err.Error())
	}
	return e.WithData(encoded)
}

func withoutMarked(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = withoutMarked(v[i])
		}
	case map[string]any:
		if reason, ok := v[staffOnly].(string); ok {
			delete(v, staffOnly)
			out, _ := emptied("", v).(map[string]any)
			out["redacted"] = reason
			return out
		}
		for key := range v {
			if !slices.Contains(freeKeys, key) {
				v[key] = withoutMarked(v[key])
			}
		}
	}
	return value
}

// freeKeys are the keys of an event's data whose values have keys of anybody's choice.
var freeKeys = []string{"args", "details", "params"}

// emptied returns a value of JSON without its texts.
func emptied(key string, value any) any {
	if slices.Contains(freeKeys, key) {
		return map[string]any{}
	}
	switch v := value.(type) {
	case string:
		if slices.Contains(keptKeys, key) {
			return v
		}
		return ""
	case []any:
		out := make([]any, 0, len(v))
		for _, x := range v {
			out = append(out, emptied(key, x))
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = emptied(k, x)
		}
		return out
	}
	return value
}

// withoutCost returns e without the tokens and the money that it counts.
func (e Event) withoutCost() Event {
	switch e.Type {
	case TypeRunEnd, TypeAgentEnd, TypeTurnEnd, TypeMessageEnd:
	default:
		return e
	}
	var data map[string]json.RawMessage
	if json.Unmarshal(e.Data, &data) != nil {
		return e
	}
	for _, key := range []string{"usage", "cost", "currency", "detail"} {
		delete(data, key)
	}
	encoded, err := json.Marshal(data)
	if err != nil {
		return e
	}
	return e.WithData(encoded)
}
