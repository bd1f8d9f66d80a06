package classroom

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzFold: no line that anybody puts into a log makes the fold fail or lose
// its place, and what the fold shows then is still well formed.
func FuzzFold(f *testing.F) {
	// Short seeds: the fuzzer spends its time on making long ones shorter.
	for _, p := range payloadTypes {
		f.Add(jsonLines(f, slimLog(f, append(lessonOpening[:3:3],
			Draft{Exchange: 1, Agent: "ada", Payload: filled(p)}))))
	}
	for _, seed := range []string{
		`{"id":1,"type":"user_message","exchange":1,"data":{"text":"?","delivery":"prompt"}}`,
		`{"id":9223372036854775807,"type":"run_end","data":{}}`,
		`{"id":-1,"type":"run_end","exchange":-1,"data":null}`,
		`{"id":1,"type":"run_start","exchange":1,"data":{"prompt":9}}` + "\n" +
			`{"id":2,"type":"agent_start","exchange":1,"data":{}}` + "\n" +
			`{"id":3,"type":"message_update","exchange":1,"data":{"block":999,"kind":"tool_args","delta":"{"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fold, log := new(Fold), eventsOf(text)
		for _, e := range log {
			want := max(fold.Cursor, e.ID)
			fold.Apply(e)
			if fold.Cursor != want {
				t.Fatalf("after event %d the cursor is %d, not %d", e.ID, fold.Cursor, want)
			}
		}
		read(fold)
		for _, agent := range []string{"", "ada", "max", "lea"} {
			if wrong := malformed(fold.Transcript(agent)); wrong != "" {
				t.Fatalf("transcript of %q: %s", agent, wrong)
			}
		}
		again := Of(log)
		for _, e := range log {
			again.Apply(e)
		}
		if !reflect.DeepEqual(again, fold) {
			t.Fatal("the same log, read twice, folds to something else")
		}
	})
}

func jsonLines(t testing.TB, log []Event) []byte {
	var out []byte
	for _, e := range log {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, line...), '\n')
	}
	return out
}

// eventsOf reads the lines that are events at all.
func eventsOf(text []byte) []Event {
	var log []Event
	for line := range bytes.Lines(text) {
		var e Event
		if json.Unmarshal(line, &e) == nil {
			log = append(log, e)
		}
	}
	return log
}
