package locale

import (
	"encoding/json"
	"strings"
	"testing"

	"colloquy/classroom"
)

func event(t *testing.T, p classroom.Payload) classroom.Event {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return classroom.Event{ID: 7, Type: p.EventType(), Data: data}
}

// The log keeps codes; who reads it gets sentences. What an earlier version stored, and
// what is not known, stays as it is.
func TestEvent(t *testing.T) {
	named := classroom.Params{"model": "Qwen", "seconds": "9"}
	for _, c := range []struct {
		payload classroom.Payload
		field   string
		want    string // of the field; "" where the event is not changed
	}{
		{classroom.RunEnd{Status: "failed", Code: "turn_cap"}, "message", "reached its limit of steps"},
		{classroom.RunEnd{Status: "completed", Code: "closed", Params: classroom.Params{"round": "1", "rounds": "3"}},
			"message", "after round 1 of 3"},
		{classroom.RunEnd{Code: classroom.CodeSafety, Params: classroom.Params{"lang": "fr"}}, "message", "confiance"},
		{classroom.RunEnd{Code: "turn_cap", Message: "As stored."}, "message", ""},
		{classroom.RunEnd{Code: "of_a_later_version"}, "message", ""},
		{classroom.RunEnd{Status: "completed"}, "message", ""},
		{classroom.RunEnd{Code: "overloaded", Params: named}, "message", "“Qwen” has trouble"},
		{classroom.RunEnd{Code: "overloaded", Params: classroom.Params{"problem": "busy", "seconds": "90"}},
			"message", "Try again in 90 seconds."},
		{classroom.RunEnd{Code: "overloaded", Params: classroom.Params{"problem": "busy", "seconds": "7200"}},
			"message", "Try again in 120 minutes."},
		{classroom.RunEnd{Code: "overloaded", Params: classroom.Params{"problem": "busy", "seconds": "x"}},
			"message", "Try again in a minute."},
		{classroom.RunEnd{Code: "overloaded", Params: classroom.Params{"problem": "of_a_later_version"}},
			"message", "has trouble"},
		{classroom.RunInterrupt{Reason: "shutdown"}, "message", "was shut down"},
		{classroom.RunInterrupt{Reason: "of a later version"}, "message", "stopped unexpectedly"},
		{classroom.Retry{Reason: "without_tools"}, "message", "cannot use tools"},
		{classroom.Retry{Reason: "A sentence as stored."}, "message", "A sentence as stored."},
		{classroom.CueUser{Code: "your_opinion"}, "question", "what you think"},
		{classroom.CueUser{Question: "By an agent?"}, "question", ""},
		{classroom.UserMessage{Text: "Hi"}, "message", ""},
	} {
		before := event(t, c.payload)
		after := English().Event(before)
		if c.want == "" {
			if string(after.Data) != string(before.Data) {
				t.Errorf("%s became %s", before.Data, after.Data)
			}
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal(after.Data, &fields); err != nil {
			t.Fatal(err)
		}
		if got, _ := fields[c.field].(string); !strings.Contains(got, c.want) {
			t.Errorf("%s became %s", before.Data, after.Data)
		}
		if _, err := classroom.Decode(after); err != nil {
			t.Errorf("%s cannot be decoded: %v", after.Data, err)
		}
	}
}

func TestLabelsOfOptions(t *testing.T) {
	cue := classroom.CueUser{Code: "lecture_questions", Options: []classroom.Option{
		{ID: "go_on"}, {ID: "end", Label: "By hand"}, {ID: "of_a_later_version"},
	}}
	after := English().Event(event(t, cue))
	var got classroom.CueUser
	if err := json.Unmarshal(after.Data, &got); err != nil {
		t.Fatal(err)
	}
	want := []string{"Go on", "By hand", ""}
	for i, o := range got.Options {
		if o.ID != cue.Options[i].ID || o.Label != want[i] {
			t.Errorf("option %d is %+v", i, o)
		}
	}
	if cue.Options[0].Label != "" {
		t.Error("the payload of the log was changed")
	}
}

// Fields that this version does not know stay.
func TestEventKeepsOtherFields(t *testing.T) {
	e := classroom.Event{ID: 1, Type: classroom.TypeRunEnd, Data: json.RawMessage(
		`{"status":"failed","code":"time_cap","new":{"a":[1,2]},"usage":{}}`)}
	if got := string(English().Event(e).Data); !strings.Contains(got, `"new":{"a":[1,2]}`) {
		t.Errorf("became %s", got)
	}
	for _, data := range []string{`null`, `[]`, `{"code":7}`, `"x"`, `{`} {
		e.Data = json.RawMessage(data)
		if got := string(Pseudo().Event(e).Data); got != data {
			t.Errorf("%s became %s", data, got)
		}
	}
}
