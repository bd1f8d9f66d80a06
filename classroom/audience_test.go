package classroom

import (
	"encoding/json"
	"reflect"
	"testing"
)

func event(kind Type, data string) Event {
	return Event{ID: 7, Time: 9, Type: kind, Exchange: 2, Agent: "ada", Data: json.RawMessage(data)}
}

func TestFilter(t *testing.T) {
	plain := event(TypeUserMessage, `{"text":"say \"staff_only\": now","author":{"id":"a","name":"Kim"}}`)
	marked := event(TypeMessageEnd, `{"message_id":"m","stop_reason":"stop","staff_only":"held",`+
		`"usage":{"input":3},"blocks":[{"kind":"text","text":"secret","call_id":"c"}],"model":"x"}`)
	odd := event(TypeToolExecutionStart, `{"call_id":"c","args":{"the answer is 42":true},"staff_only":true}`)
	costly := event(TypeRunEnd, `{"status":"completed","usage":{"input":5},"cost":12,"staff_only":"held"}`)
	ended := event(TypeRunEnd, `{"status":"completed","usage":{"input":5},"cost":12,"detail":"http://10.0.0.1"}`)
	const emptied = `{"message_id":"m","stop_reason":"stop","redacted":"held","usage":{"input":3},` +
		`"blocks":[{"kind":"text","text":"","call_id":"c"}],"model":""}`
	const emptiedForPupils = `{"message_id":"m","stop_reason":"stop","redacted":"held",` +
		`"blocks":[{"kind":"text","text":"","call_id":"c"}],"model":""}`
	for _, c := range []struct {
		audience Audience
		given    Event
		want     string
	}{
		{ForStaff, plain, string(plain.Data)}, {ForClass, plain, string(plain.Data)},
		{ForPupils, plain, string(plain.Data)}, {"", plain, string(plain.Data)},
		{ForStaff, marked, string(marked.Data)}, {ForClass, marked, emptied},
		{ForPupils, marked, emptiedForPupils}, {"", marked, emptied}, {"unknown", marked, emptied},
		{ForStaff, ended, string(ended.Data)}, {ForClass, ended, string(ended.Data)},
		{ForPupils, ended, `{"status":"completed"}`},
		{ForPupils, costly, `{"status":"completed","redacted":"held"}`},
		{ForClass, odd, `{"call_id":"c","args":{},"redacted":"withheld"}`},
	} {
		got := c.audience.Filter(c.given)
		if same := got.WithData(nil); !reflect.DeepEqual(same, c.given.WithData(nil)) {
			t.Errorf("%s is shown %+v of %+v", c.audience, same, c.given)
		}
		if !reflect.DeepEqual(decoded(t, got.Data), decoded(t, []byte(c.want))) {
			t.Errorf("%s is shown %s, want %s", c.audience, got.Data, c.want)
		}
		all := []Event{plain, c.given, plain}
		filtered := c.audience.FilterAll(all)
		if string(filtered[1].Data) != string(got.Data) || string(all[1].Data) != string(c.given.Data) {
			t.Errorf("of a slice %s is shown %s; the slice holds %s", c.audience, filtered[1].Data, all[1].Data)
		}
	}
	if got := ForClass.FilterAll(nil); len(got) != 0 {
		t.Errorf("of nothing the class is shown %v", got)
	}
}

// A fold takes the redacted form of every event of a recorded log.
func TestFilterKeepsTypes(t *testing.T) {
	for _, kind := range Types() {
		e := event(kind, `{"staff_only":"removed","text":"secret"}`)
		got := ForClass.Filter(e)
		if _, err := Decode(got); err != nil {
			t.Errorf("a redacted %s: %v", kind, err)
		}
		new(Fold).Apply(got)
	}
}

func decoded(t *testing.T, data []byte) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
