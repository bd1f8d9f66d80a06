package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"colloquy/classroom"
	"colloquy/store"
	"colloquy/templates/locale"
)

// An earlier is the data folder of an earlier version, opened by this one.
type earlier struct {
	*stage
	folder   string            // of the fixtures
	sessions map[string]string // ids by name
}

// TestVersions opens what each earlier version has left, replays it and goes on with it.
func TestVersions(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(versionsFolder, "schema-*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no fixtures in %s: %v", versionsFolder, err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			v := openVersion(t, folder)
			v.recovers(t)
			v.keepsLogs(t)
			v.replays(t)
			v.resumesAtEveryCursor(t)
			v.goesOn(t)
		})
	}
}

// openVersion starts this version with a copy of the folder. Its model is
// moved to a server of the test: the one it was connected to is gone.
func openVersion(t *testing.T, folder string) *earlier {
	t.Helper()
	m := newFakeModel(t)
	m.on("case-interrupted", func(a *streamedAnswer) { a.say("Gone on with."); a.finish("stop") })
	m.on("case-failed", func(a *streamedAnswer) { a.say("Answered now."); a.finish("stop") })
	v := &earlier{stage: stoppedStage(t, nil), folder: folder}
	unpackVersion(t, folder, v.dir)
	ids, err := os.ReadFile(filepath.Join(folder, "sessions.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(ids, &v.sessions); err != nil || len(v.sessions) < 11 {
		t.Fatalf("%d sessions, %v", len(v.sessions), err)
	}
	s, err := store.Open(t.Context(), store.Options{Dir: v.dir})
	if err != nil {
		t.Fatal(err)
	}
	models, err := s.Models(t.Context())
	if err != nil || len(models) != 1 {
		t.Fatalf("models %v, %v", models, err)
	}
	key := connectedKey
	models[0].BaseURL = m.url
	if err := s.UpdateModel(t.Context(), models[0], &key); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	v.start()
	return v
}

func unpackVersion(t *testing.T, folder, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	packed, err := os.Open(filepath.Join(folder, "colloquy.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := os.ReadFile(filepath.Join(folder, "key"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"colloquy.db": text, "key": secret} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// recovers checks that the run that was cut off is closed, goes on by itself,
// and that the message that waited behind it is answered.
func (v *earlier) recovers(t *testing.T) {
	log := v.ended(v.sessions["interrupted"], 2)
	lawful(t, log)
	for what, n := range map[string]int{
		"run_interrupt":       contains(log, classroom.TypeRunInterrupt, "crash"),
		"aborted message":     contains(log, classroom.TypeMessageEnd, "w12"),
		"message of a resume": contains(log, classroom.TypeMessageEnd, "Gone on with."),
	} {
		if n == 0 {
			t.Errorf("the interrupted run has no %s", what)
		}
	}
	fold := classroom.Of(log)
	if len(fold.Cards) != 2 || fold.LastCard().Question.Text != "And what is its unit?" || fold.Queue.Len() != 0 {
		t.Errorf("the waiting message was not delivered: %s", foldText(fold))
	}
}

// asSent returns the lines of a log as its readers get them, with the sentences of codes.
func asSent(t *testing.T, log []byte) []byte {
	var out []byte
	for line := range bytes.Lines(log) {
		var e classroom.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if e.Type == classroom.TypeRetry && bytes.Contains(e.Data, []byte(`"params":`)) {
			out = append(out, line...) // it was recorded with its sentence
			continue
		}
		sent, err := json.Marshal(locale.English().Event(e))
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, sent...), '\n')
	}
	return out
}

// keepsLogs checks that every event of the fixture is there, to the byte, and
// that its fold is what it was.
func (v *earlier) keepsLogs(t *testing.T) {
	for name, id := range v.sessions {
		want, err := os.ReadFile(filepath.Join(v.folder, name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		want = asSent(t, want)
		_, got := v.api("GET", "/api/sessions/"+id+"/log?limit=10000", nil)
		if !bytes.HasPrefix(got, want) || name != "interrupted" && len(got) != len(want) {
			t.Errorf("the log of %s is not what it was", name)
		}
		golden, err := os.ReadFile(filepath.Join(v.folder, name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if text := foldText(classroom.Of(recordedLog(t, v.folder, name))); text != string(golden) {
			t.Errorf("%s folds to\n%s\nwant\n%s", name, text, golden)
		}
	}
}

// replays asks for the page of each session as it was after each event, and as it is now.
func (v *earlier) replays(t *testing.T) {
	for name, id := range v.sessions {
		log := recordedLog(t, v.folder, name)
		asked := ""
		for _, e := range log {
			p, err := classroom.Decode(e)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if said, ok := p.(classroom.UserMessage); ok && said.Delivery == classroom.Prompt {
				asked = said.Text
			}
			status, page := v.api("GET", fmt.Sprintf("/sessions/%s/replay?at=%d", id, e.ID), nil)
			whole := strings.HasSuffix(strings.TrimSpace(string(page)), "</html>")
			if status != http.StatusOK || !whole || !strings.Contains(string(page), asked) {
				t.Fatalf("%s at %d: status %d, and no whole page with %q in it", name, e.ID, status, asked)
			}
		}
		status, page := v.api("GET", "/sessions/"+id, nil)
		if status != http.StatusOK || !strings.Contains(string(page), asked) {
			t.Errorf("the page of %s: status %d", name, status)
		}
	}
}

// resumesAtEveryCursor reads each session's stream to each of its events, is
// cut off there and goes on.
func (v *earlier) resumesAtEveryCursor(t *testing.T) {
	gate := make(chan bool, 8)
	var work sync.WaitGroup
	for _, id := range v.sessions {
		log := v.log(id)
		lines := linesOf(t, log)
		for k := 1; k < len(log); k++ {
			gate <- true
			work.Go(func() {
				defer func() { <-gate }()
				f := &follower{s: v.stage, session: id}
				f.target.Store(int64(len(log)))
				f.connect(t.Context(), k)
				f.connect(t.Context(), len(log))
				f.exact(t, lines)
			})
		}
	}
	work.Wait()
}

// goesOn asks new questions where the fixtures end, delivers what waits and
// continues what failed.
func (v *earlier) goesOn(t *testing.T) {
	for _, name := range strings.Fields("answers discussion debate lecture title fork eventful barrier") {
		id := v.sessions[name]
		before := len(classroom.Of(v.log(id)).Cards)
		v.ask(id, "Why are leaves green?")
		log := v.ended(id, before+1)
		lawful(t, log)
		if card := classroom.Of(log).LastCard(); card.State != classroom.CardCompleted || spoken(log, before+1) == "" {
			t.Errorf("%s: a new question ends %s", name, card.State)
		}
	}
	if text := spoken(v.log(v.sessions["answers"]), 3); !strings.Contains(text, "hlorophyll") {
		t.Errorf("the materials are not found any more: %q", text)
	}
	v.must("POST", "/api/sessions/"+v.sessions["stopped"]+"/queue/send", nil, nil)
	stopped := v.ended(v.sessions["stopped"], 3)
	lawful(t, stopped)
	if fold := classroom.Of(stopped); fold.Queue.Len() != 0 || len(fold.Cards) != 3 {
		t.Errorf("the queue was not delivered:\n%s", foldText(fold))
	}
	v.must("POST", "/api/sessions/"+v.sessions["failed"]+"/resume", nil, nil)
	if log := v.ended(v.sessions["failed"], 2); contains(log, classroom.TypeMessageEnd, "Answered now.") != 1 {
		t.Error("the failed run was not continued")
	}
	var spent struct{ Cost int64 }
	v.must("GET", "/api/sessions/"+v.sessions["eventful"], nil, &spent)
	if spent.Cost != 300 {
		t.Errorf("the session cost %d, want 300 as recorded", spent.Cost)
	}
}
