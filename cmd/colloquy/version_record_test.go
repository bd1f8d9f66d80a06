package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"colloquy/classroom"
)

var (
	record     = flag.String("record", "", "write the fixtures of a version under this name; needs -program")
	recordedBy = flag.String("program", "", "the binary of the version to record")
)

// versionsFolder holds a folder of fixtures for each version; its README says how they are made.
const versionsFolder = "../../store/testdata/versions"

// A recorder makes the sessions of a fixture with the binary of one version.
type recorder struct {
	*stage
	browser  *formBrowser
	demo     string            // the class that the tutor answers, with two of the starter materials
	physics  string            // the class that a connected model answers
	sessions map[string]string // ids by name
	asked    chan string       // a marker, once its request has come to the model
	proceed  chan bool         // lets the answer go on
}

// TestRecordVersion writes the fixtures of a version. It runs only where it is asked for, see the README beside them.
func TestRecordVersion(t *testing.T) {
	if *record == "" {
		t.Skip("writes fixtures; needs -record and -program")
	}
	m := newFakeModel(t)
	r := &recorder{
		stage: stoppedStage(t, nil), sessions: map[string]string{},
		asked: make(chan string, 9), proceed: make(chan bool),
	}
	if r.program = *recordedBy; r.program == "" {
		t.Fatal("name the binary with -program")
	}
	r.script(m)
	r.start()
	r.browser = r.stage.browser()
	r.setUp(m)
	r.tutorSessions()
	r.modelSessions()
	r.interrupted()
	out := filepath.Join(versionsFolder, *record)
	r.write(out)
	for name := range r.sessions {
		fold := classroom.Of(recordedLog(t, out, name))
		if err := os.WriteFile(filepath.Join(out, name+".txt"), []byte(foldText(fold)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// script says how the model answers questions by their markers.
func (r *recorder) script(m *fakeModel) {
	held := func(marker string, then func(*streamedAnswer)) {
		m.on(marker, func(a *streamedAnswer) {
			if a.n > 1 {
				a.say("In short: pressure is force over area.")
				a.finish("stop")
				return
			}
			a.words("w", 1, 12)
			r.asked <- marker
			select {
			case <-a.r.Context().Done():
			case <-r.proceed:
				then(a)
			}
		})
	}
	m.on("case-eventful", func(a *streamedAnswer) {
		if a.n < 3 {
			eventful(a)
			return
		}
		a.words("w", 1, 12)
		a.chunk(map[string]any{}, "stop")
		fmt.Fprint(a.w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"x","choices":[],`+
			`"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}`+"\n\ndata: [DONE]\n\n")
	})
	m.on("case-failed", func(a *streamedAnswer) {
		http.Error(a.w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
	})
	held("case-stopped", nil)
	held("case-interrupted", nil)
	held("case-barrier", func(a *streamedAnswer) {
		a.chunk(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call_cut", "type": "function",
			"function": map[string]any{"name": "search_materials", "arguments": `{"query":"pres`}}}}, nil)
		a.finish("length")
	})
}

// setUp makes the classes, materials, the model and the names that the sessions need.
func (r *recorder) setUp(m *fakeModel) {
	r.must("PATCH", "/api/me", map[string]any{"name": "Ms Recorder"}, nil)
	var classes []classroom.Class
	r.must("GET", "/api/classes", nil, &classes)
	r.demo = classes[0].ID
	var materials []classroom.Material
	r.must("GET", "/api/classes/"+r.demo+"/materials", nil, &materials)
	for _, m := range materials[2:] { // the whole starter library would make the fixture large
		r.must("DELETE", "/api/materials/"+m.ID, nil, nil)
	}
	r.browser.post("/classes/"+r.demo+"/materials", "name", "Leaves", "text", "# Leaves\n\n## Colour\n\n"+
		"**Chlorophyll** is the green pigment of leaves. "+
		"Leaves are green because chlorophyll absorbs red and blue light and reflects green light.\n\n"+
		"## Autumn\n\nIn autumn leaves lose their chlorophyll, and yellow carotenoids become visible.")
	var made classroom.Class
	r.must("POST", "/api/classes", map[string]any{"title": "Year 8 physics", "mode": "qa"}, &made)
	r.physics = made.ID
	r.browser.post("/classes/"+r.physics+"/materials", "name", "Pressure",
		"text", "# Pressure\n\nPressure is force divided by area. Its unit is the pascal.")
	r.browser.post("/classes/"+r.physics+"/materials", "name", "光", "text", "# 光\n\n光は波であり、粒子でもある。")
	model := r.connect(map[string]any{"title": "Recorded model", "base_url": m.url,
		"private": true, "name": "recorded", "key": connectedKey,
		"currency": "EUR", "price": map[string]int{"input": 2_000_000, "output": 10_000_000}})
	r.must("PATCH", "/api/classes/"+r.physics, map[string]any{"model": model.ID}, nil)
	r.must("POST", "/api/classes", map[string]any{"title": "Empty class", "mode": "debate"}, nil)
}

func (r *recorder) tutorSessions() {
	r.open("answers", map[string]any{"class": r.demo, "agents": []string{"ada", "theo"}})
	r.answer("answers", "Why are leaves green?")
	r.answer("answers", "What happens to leaves in autumn?")
	three := []string{"ada", "mina", "jonas"}
	r.open("discussion", map[string]any{"class": r.demo, "mode": "discussion", "rounds": 1, "agents": three})
	r.answer("discussion", "Are all leaves green?")
	r.open("debate", map[string]any{"class": r.demo, "mode": "debate", "rounds": 1, "agents": three})
	r.answer("debate", "Chlorophyll is more important than carotenoids.")
	r.open("lecture", map[string]any{"class": r.demo, "mode": "lecture", "rounds": 2, "agents": three[:2]})
	r.answer("lecture", "Leaves and their colours")
	r.open("title", map[string]any{"class": r.demo, "agents": []string{"ada"}})
	r.answer("title", "Why are leaves green?")
	r.browser.post("/sessions/"+r.sessions["title"]+"/title", "title", "A title of our own")
	var fork classroom.Session
	r.must("POST", "/api/sessions/"+r.sessions["answers"]+"/fork", map[string]any{"at": r.endOf("answers", 1)}, &fork)
	r.sessions["fork"] = fork.ID
}

func (r *recorder) modelSessions() {
	for _, name := range []string{"eventful", "failed", "stopped", "barrier"} {
		r.open(name, map[string]any{"class": r.physics, "agents": []string{"ada"}})
	}
	r.answer("eventful", "What is pressure? case-eventful")
	r.answer("failed", "What is pressure? case-failed")

	r.ask(r.sessions["stopped"], "What is pressure? case-stopped")
	<-r.asked
	r.follow("stopped", "And what is its unit?")
	r.follow("stopped", "And who was Pascal?")
	r.must("POST", "/api/sessions/"+r.sessions["stopped"]+"/cancel", nil, nil)
	r.ended(r.sessions["stopped"], 1)

	r.ask(r.sessions["barrier"], "What is pressure? case-barrier")
	<-r.asked
	r.follow("barrier", "And what is its unit?")
	r.proceed <- true
	r.ended(r.sessions["barrier"], 1)
}

// interrupted leaves a run open in the file: the process is killed while it answers.
func (r *recorder) interrupted() {
	r.open("interrupted", map[string]any{"class": r.physics, "agents": []string{"ada"}})
	id := r.sessions["interrupted"]
	r.ask(id, "What is pressure? case-interrupted")
	<-r.asked
	r.follow("interrupted", "And what is its unit?")
	r.eventually("the words are in the log", func() bool {
		return contains(r.log(id), classroom.TypeMessageUpdate, "w12") > 0
	})
}

// write keeps the logs as the version gives them, then kills it and keeps a copy of its database, made by itself.
func (r *recorder) write(out string) {
	r.t.Helper()
	if err := os.MkdirAll(out, 0o755); err != nil {
		r.t.Fatal(err)
	}
	keep := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(out, name), text, 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
	for name, id := range r.sessions {
		_, text := r.api("GET", "/api/sessions/"+id+"/log?limit=10000", nil)
		keep(name+".jsonl", text)
	}
	ids, err := json.MarshalIndent(r.sessions, "", "\t")
	if err != nil {
		r.t.Fatal(err)
	}
	keep("sessions.json", append(ids, '\n'))
	r.kill()
	copied := filepath.Join(r.t.TempDir(), "copy.db")
	if text, err := exec.Command(r.program, "backup", copied, "--data", r.dir).CombinedOutput(); err != nil {
		r.t.Fatalf("%v: %s", err, text)
	}
	keep("colloquy.db.gz", compressed(r.t, copied))
	secret, err := os.ReadFile(filepath.Join(r.dir, "key"))
	if err != nil {
		r.t.Fatal(err)
	}
	keep("key", secret)
}

func compressed(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// open makes a session under a name.
func (r *recorder) open(name string, fields map[string]any) {
	r.t.Helper()
	var made classroom.Session
	r.must("POST", "/api/sessions", fields, &made)
	r.sessions[name] = made.ID
}

// answer asks a question and waits for the end of its answer.
func (r *recorder) answer(name, text string) {
	r.t.Helper()
	id := r.sessions[name]
	r.ask(id, text)
	r.ended(id, len(classroom.Of(r.log(id)).Cards))
}

func (r *recorder) follow(name, text string) {
	r.t.Helper()
	r.must("POST", "/api/sessions/"+r.sessions[name]+"/messages", map[string]any{
		"text": text, "delivery": "follow_up", "client_id": fmt.Sprint("q-", len(text)),
	}, nil)
}

// endOf is the cursor at which an exchange ended.
func (r *recorder) endOf(name string, exchange int) classroom.Cursor {
	log := r.log(r.sessions[name])
	at := slices.IndexFunc(log, func(e classroom.Event) bool {
		return e.Type == classroom.TypeRunEnd && e.Exchange == exchange
	})
	return log[at].ID
}

// must calls the API and reads what it answers into v, unless v is nil.
func (s *stage) must(method, path string, body, v any) {
	s.t.Helper()
	status, answer := s.api(method, path, body)
	if status >= 300 {
		s.t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	if v != nil {
		if err := json.Unmarshal(answer, v); err != nil {
			s.t.Fatalf("%s %s: %v in %s", method, path, err, answer)
		}
	}
}
