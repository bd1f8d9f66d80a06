package classroom

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// recordedLogs reads every log in testdata, by name.
func recordedLogs(t *testing.T) map[string][]Event {
	t.Helper()
	files, err := filepath.Glob("testdata/logs/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded logs: %v", err)
	}
	out := map[string][]Event{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var log []Event
		for line := range bytes.Lines(text) {
			var e Event
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatalf("%s: line %d: %v", file, len(log)+1, err)
			}
			log = append(log, e)
		}
		out[strings.TrimSuffix(file, ".jsonl")] = log
	}
	return out
}

// TestRecordedLogsFoldAsTheyDid keeps old logs readable: what a page showed of
// a log, it shows tomorrow. The golden file holds the whole fold and what each
// agent is given of it; -update writes it anew.
func TestRecordedLogsFoldAsTheyDid(t *testing.T) {
	for name, log := range recordedLogs(t) {
		f := Of(log)
		got := dump(f)
		for _, a := range f.Roster {
			got += "\nTranscript of " + a.ID + "\n"
			for _, l := range f.Transcript(a.ID) {
				got += written(l) + "\n"
			}
		}
		if *update {
			if err := os.WriteFile(name+".golden", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name + ".golden")
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: %s", name, firstDifference(got, string(want)))
		}
	}
}

// TestRecordedLogsAreWhatTheyWere: a line that is read and written again is the same line.
func TestRecordedLogsAreWhatTheyWere(t *testing.T) {
	for name, log := range recordedLogs(t) {
		text, err := os.ReadFile(name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		for i, e := range log {
			if e.ID != Cursor(i+1) {
				t.Errorf("%s: line %d has cursor %d", name, i+1, e.ID)
			}
			p, err := Decode(e)
			if err != nil || p == nil {
				t.Fatalf("%s: event %d is %v, %v", name, e.ID, p, err)
			}
			back, err := Draft{e.Exchange, e.Agent, e.Attempt, p}.Encode(e.ID, e.Time)
			if err != nil {
				t.Fatal(err)
			}
			line, err := json.Marshal(back)
			if err != nil {
				t.Fatal(err)
			}
			got.Write(append(line, '\n'))
		}
		if diff := firstDifference(got.String(), string(text)); got.String() != string(text) {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestRecordedLogsAtEveryCut reads each recorded log as a page does that comes
// at any moment: it shows that moment, and the rest brings it to the end.
func TestRecordedLogsAtEveryCut(t *testing.T) {
	for name, log := range recordedLogs(t) {
		want := Of(log)
		for cut := range log {
			f := Of(log[:cut])
			for _, agent := range f.Roster {
				if wrong := malformed(f.Transcript(agent.ID)); wrong != "" {
					t.Fatalf("%s cut at %d: transcript of %s: %s", name, cut, agent.ID, wrong)
				}
			}
			for _, e := range log[max(0, cut-3):] {
				f.Apply(e)
			}
			if !reflect.DeepEqual(f, want) {
				t.Fatalf("%s cut at %d: %s", name, cut, firstDifference(dump(f), dump(want)))
			}
		}
	}
}
