package classroom

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// FuzzFold: no line that anybody puts into a log makes the fold fail or lose
// its place, and what the fold shows then is still well formed.
func FuzzFold(f *testing.F) {
	recorded, err := os.ReadFile("testdata/logs/photosynthesis.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	lines := bytes.SplitAfter(recorded, []byte("\n"))
	for i := 0; i+25 < len(lines); i += 20 {
		f.Add(bytes.Join(append(append([][]byte{}, lines[:5]...), lines[i:i+25]...), nil))
	}
	for _, seed := range []string{
		`{"id":1,"type":"user_message","exchange":1,"data":{"text":"?","delivery":"prompt"}}`,
		`{"id":9223372036854775807,"type":"run_end","data":{}}`,
		`{"id":-1,"type":"run_end","exchange":-1,"data":null}`,
		`{"id":1,"type":"run_start","exchange":1,"data":{"prompt":9}}` + "\n" + `{"id":2,"type":"agent_start","exchange":1,"data":{}}` + "\n" +
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
