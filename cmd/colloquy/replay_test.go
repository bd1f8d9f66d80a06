package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"colloquy/classroom"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestReplayPrintsTheTranscript(t *testing.T) {
	for golden, args := range map[string][]string{
		"leaves.txt":       {"replay", "testdata/logs/leaves.jsonl"},
		"leaves-at-15.txt": {"replay", "testdata/logs/leaves.jsonl", "--at=15"},
	} {
		out, _, err := say(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "replay", golden)
		if *update {
			if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if out != string(want) {
			t.Errorf("%q prints\n%s\nwant\n%s", args, out, want)
		}
	}
}

func TestReplaySaysWhatIsWrongWithALog(t *testing.T) {
	one := `{"id":1,"ts":"2026-11-30T09:15:02.123Z","type":"title_change","data":{"title":"T","by":"p"}}`
	three := strings.Replace(one, `"id":1`, `"id":3`, 1)
	for _, c := range []struct{ log, want string }{
		{"", "no event"},
		{"\n\n", "no event"},
		{one + "\n{\n", "line 2 is not an event"},
		{three, "1 is missing"},
		{one + "\n" + three, "line 2 is event 3, but 2 is missing"},
	} {
		if _, err := readLog(strings.NewReader(c.log), 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.log, err, c.want)
		}
	}
	if f, err := readLog(strings.NewReader(one+"\n"+one), 0); err != nil || f.Cursor != 1 || f.Title != "T" {
		t.Errorf("an event twice: %v", err)
	}
}

func TestReplayNeedsAFile(t *testing.T) {
	if _, _, err := say(t, "replay", filepath.Join(t.TempDir(), "none")); err == nil ||
		!strings.Contains(err.Error(), "cannot be opened") {
		t.Errorf("got %v", err)
	}
}

// A log holds what a pupil or a model wrote; no byte of it may steer the
// terminal of whoever reads it.
func FuzzReplay(f *testing.F) {
	log, err := os.ReadFile("testdata/logs/leaves.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(log, int64(0))
	f.Add(log[:len(log)/2], int64(7))
	f.Add(
		[]byte(
			`{"id":1,"type":"user_message","exchange":1,"data":{"text":"\u001b]0;x\u0007\u202e",`+
				`"author":{"name":"\r"}}}`,
		),
		int64(0),
	)
	f.Fuzz(func(t *testing.T, log []byte, at int64) {
		fold, err := readLog(bytes.NewReader(log), classroom.Cursor(at))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := printTranscript(&out, fold); err != nil {
			t.Fatal(err)
		}
		for _, r := range out.String() {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				t.Fatalf("the transcript holds %U: %q", r, out.String())
			}
		}
	})
}
