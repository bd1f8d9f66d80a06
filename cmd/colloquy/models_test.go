package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

const connectedKey = "sk-connected-5ecretKey"

// A modelServer is an upstream with a list of models, which notes what keys it is shown.
type modelServer struct {
	url  string
	mu   sync.Mutex
	keys []string
}

func newModelServer(t *testing.T, names ...string) *modelServer {
	m := &modelServer{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.keys = append(m.keys, r.Header.Get("Authorization"))
		m.mu.Unlock()
		if r.URL.Path == "/v1/models" {
			var list []map[string]string
			for _, name := range names {
				list = append(list, map[string]string{"id": name, "object": "model"})
			}
			json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": list})
			return
		}
		var req struct{ Model string }
		json.NewDecoder(r.Body).Decode(&req)
		w.Header().Set("Content-Type", "text/event-stream")
		s := &streamedAnswer{w: w, r: r}
		s.say("Here speaks " + req.Model + ".")
		s.chunk(map[string]any{}, "stop")
		fmt.Fprint(w,
			`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"x","choices":[],`+
				`"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}`+"\n\ndata: [DONE]\n\n",
		)
	}))
	t.Cleanup(server.Close)
	m.url = server.URL + "/v1"
	return m
}

// shown are the keys that the server was shown since the last call.
func (m *modelServer) shown() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.keys
	m.keys = nil
	return out
}

func has(list []string, want string) bool {
	for _, x := range list {
		if strings.Contains(x, want) {
			return true
		}
	}
	return false
}

// A model that is connected while the program runs answers the next question;
// its key goes to its address and is never stored in plain text.
func TestConnectedModelAnswers(t *testing.T) {
	t.Parallel()
	first, second := newModelServer(t, "alpha"), newModelServer(t, "beta")
	s := newStage(t, nil)
	made := s.connect(
		map[string]any{"base_url": first.url, "private": true, "name": "alpha", "key": connectedKey, "default": true},
	)
	if !made.HasKey || !made.Default {
		t.Fatalf("%+v", made)
	}
	id := s.session("ada")
	s.ask(id, "Who are you?")
	s.waitForAnswer(id, 1, "Here speaks alpha.")
	if keys := first.shown(); !has(keys, connectedKey) {
		t.Errorf("the server was shown %q", keys)
	}
	// A change takes effect with the next question, and the key does not move.
	moved := s.change(made.ID, map[string]any{"base_url": second.url})
	if moved.HasKey {
		t.Error("the key moved to another address")
	}
	s.ask(id, "And now?")
	s.waitForAnswer(id, 2, "Here speaks alpha.")
	if keys := second.shown(); len(keys) == 0 || has(keys, connectedKey) {
		t.Errorf("the other server was shown %q", keys)
	}
	s.keptSecret(connectedKey)
	if status, body := s.api("DELETE", "/api/models/"+made.ID, nil); status != http.StatusNoContent {
		t.Fatal(status, string(body))
	}
	s.ask(id, "Why are leaves green?")
	log := s.ended(id, 3)
	if text := spoken(log, 3); strings.Contains(text, "Here speaks") || text == "" {
		t.Errorf("after its removal: %q", text)
	}
}

// The agent's model counts before the class's, and the class's before the workbench's.
func TestModelIsChosenPerClassAndAgent(t *testing.T) {
	t.Parallel()
	server := newModelServer(t, "one", "two")
	s := newStage(t, nil)
	one := s.connect(map[string]any{"base_url": server.url, "private": true, "name": "one", "currency": "EUR",
		"price": map[string]int{"input": 2_000_000, "output": 10_000_000}})
	two := s.connect(map[string]any{"base_url": server.url, "private": true, "name": "two"})
	id := s.session("ada", "theo")
	var class classroom.Class
	s.read("/api/classes/"+field(string(s.log(id)[0].Data), `"class_id":"`), &class)
	class.Roster[1].Model = two.ID
	status, body := s.api("PATCH", "/api/classes/"+class.ID, map[string]any{"model": one.ID, "roster": class.Roster})
	if status != http.StatusOK {
		t.Fatal(status, string(body))
	}
	s.ask(id, "Who are you?")
	text := spoken(s.ended(id, 1), 1)
	for _, want := range []string{"Here speaks one.", "Here speaks two."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
	var spent struct {
		Usage classroom.Usage
		Cost  *int64
	}
	s.read("/api/sessions/"+id, &spent)
	// One request reads 100 tokens and writes 10; the director's come on top.
	if spent.Usage.Input < 200 || spent.Usage.Output < 20 || spent.Cost == nil || *spent.Cost < 300 {
		t.Errorf("used: %+v", spent)
	}
	status, body = s.api("PATCH", "/api/classes/"+class.ID, map[string]any{"model": "nobody"})
	if status != http.StatusUnprocessableEntity {
		t.Error(status, string(body))
	}
}

// The forms by which the owner connects a model, without a script.
func TestModelIsConnectedByForm(t *testing.T) {
	t.Parallel()
	server := newModelServer(t, "one", "two")
	s := newStage(t, nil)
	b := s.browser()
	page := b.post("/settings/models", "provider", "openai", "base_url", server.url, "key", connectedKey)
	private := locale.English().Error(classroom.ErrModelPrivate)
	if !strings.Contains(page, private) || !strings.Contains(page, server.url) {
		t.Error("a private address was taken without a word, or what was typed is lost")
	}
	page = b.post("/settings/models", "provider", "openai", "base_url", server.url, "private", "on", "key",
		connectedKey)
	for _, want := range []string{"Step 2 of 2", `value="one"`, `value="two"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the second step does not show %s", want)
		}
	}
	page = b.post(b.at, "pick", "two", "title", "Our model", "input", "2,50", "output", "10", "currency", "EUR",
		"default", "on")
	if !strings.Contains(page, "Connected. It answers from the next question on") ||
		!strings.Contains(page, `value="2.50"`) {
		t.Errorf("the model was not saved:\n%s", tail(page, 3000))
	}
	if page = b.post(b.at + "/try"); !strings.Contains(page, "It works. It said “Here speaks two.”") {
		t.Error("the test says nothing")
	}
	host := strings.TrimSuffix(strings.TrimPrefix(server.url, "http://"), "/v1")
	if page = b.get("/"); !strings.Contains(page, "AI answers: Our model.") || strings.Contains(page, host) {
		t.Error("the first page does not say who answers, or names the server")
	}
	if page = b.get("/settings"); !strings.Contains(page, "two at "+host) {
		t.Error("the settings do not say where the model is")
	}
	s.keptSecret(connectedKey)
	for _, page := range b.pages {
		if strings.Contains(page, connectedKey) {
			t.Error("a page shows the key")
		}
	}
}

// connect makes a model by the API.
func (s *stage) connect(fields map[string]any) (m struct {
	classroom.Model
	Default bool
}) {
	s.t.Helper()
	status, body := s.api("POST", "/api/models", fields)
	if status != http.StatusCreated || json.Unmarshal(body, &m) != nil || strings.Contains(string(body), connectedKey) {
		s.t.Fatalf("POST /api/models: %d %s", status, body)
	}
	return m
}

func (s *stage) change(id string, fields map[string]any) (m classroom.Model) {
	s.t.Helper()
	status, body := s.api("PATCH", "/api/models/"+id, fields)
	if status != http.StatusOK || json.Unmarshal(body, &m) != nil {
		s.t.Fatalf("PATCH /api/models: %d %s", status, body)
	}
	return m
}

func (s *stage) read(path string, v any) {
	s.t.Helper()
	if status, body := s.api("GET", path, nil); status != http.StatusOK || json.Unmarshal(body, v) != nil {
		s.t.Fatalf("GET %s: %d %s", path, status, body)
	}
}

// waitForAnswer waits for the end of an exchange and checks what it says.
func (s *stage) waitForAnswer(id string, exchange int, want string) {
	s.t.Helper()
	if text := spoken(s.ended(id, exchange), exchange); !strings.Contains(text, want) {
		s.t.Errorf("exchange %d says %q, not %q", exchange, text, want)
	}
}

// spoken is the text of an exchange's messages.
func spoken(log []classroom.Event, exchange int) string {
	var out strings.Builder
	for _, e := range log {
		p, _ := classroom.Decode(e)
		if end, ok := p.(classroom.MessageEnd); ok && e.Exchange == exchange {
			for _, b := range end.Blocks {
				out.WriteString(b.Text + " ")
			}
		}
	}
	return out.String()
}

// keptSecret looks for a key in the folder and in what was printed.
func (s *stage) keptSecret(key string) {
	s.t.Helper()
	if strings.Contains(s.out.String(), key) {
		s.t.Error("the log holds the key")
	}
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), key) {
			s.t.Errorf("%s holds the key", d.Name())
		}
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
}

// A formBrowser is a browser without a script.
type formBrowser struct {
	t      *testing.T
	client *http.Client
	base   string
	at     string // the path of the page
	pages  []string
}

func (s *stage) browser() *formBrowser {
	jar, _ := cookiejar.New(nil)
	b := &formBrowser{t: s.t, client: &http.Client{Jar: jar}, base: "http://" + s.addr}
	b.get(s.signInPath())
	return b
}

func (b *formBrowser) get(path string) string {
	b.t.Helper()
	return b.take(b.client.Get(b.base + path))
}

func (b *formBrowser) post(path string, pairs ...string) string {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return b.take(b.client.PostForm(b.base+path, form))
}

func (b *formBrowser) take(resp *http.Response, err error) string {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	var out strings.Builder
	if err := resp.Write(&out); err != nil {
		b.t.Fatal(err)
	}
	b.at = resp.Request.URL.Path
	b.pages = append(b.pages, out.String())
	return out.String()
}
