package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"colloquy/classroom"
)

const webKey = "sk-web-5ecretKey"

// A fakeProvider knows a few models and answers in one word.
type fakeProvider struct {
	mu    sync.Mutex
	asked []classroom.Model
	err   error
	names []string
	test  classroom.ModelTest
	local []classroom.ModelServer
}

func (f *fakeProvider) note(m classroom.Model) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, m)
	return f.err
}

func (f *fakeProvider) List(_ context.Context, m classroom.Model) ([]string, error) {
	return slices.Clone(f.names), f.note(m)
}

func (f *fakeProvider) Try(_ context.Context, m classroom.Model) (classroom.ModelTest, error) {
	return f.test, f.note(m)
}

func (f *fakeProvider) Local(context.Context) ([]classroom.ModelServer, error) { return f.local, f.err }

func newModelServer(t *testing.T, change ...func(*Options)) (*webServer, *fakeProvider) {
	f := &fakeProvider{test: classroom.ModelTest{Answer: "Ready.", Streamed: true, Called: true},
		names: []string{"beta", "alpha", "beta"},
		local: []classroom.ModelServer{
			{Title: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Names: []string{"llama3.2"}},
		}}
	return newWebServer(t, append(change, func(o *Options) { o.Provider = f })...), f
}

// addModel adds a model at https://a.example/v1.
func (w *webServer) addModel(name, key string) classroom.Model {
	w.t.Helper()
	m := classroom.Model{Provider: "openai", BaseURL: "https://a.example/v1", Name: name}
	m, err := w.store.CreateModel(w.t.Context(), m, key)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

func (w *webServer) models() []classroom.Model {
	w.t.Helper()
	list, err := w.store.Models(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// keepsSecret checks that neither the log nor a text holds the key.
func (w *webServer) keepsSecret(text string) {
	w.t.Helper()
	if strings.Contains(text, webKey) || strings.Contains(w.out.String(), webKey) {
		w.t.Error("the key is shown")
	}
}

func TestModelIsConnectedInTwoSteps(t *testing.T) {
	w, f := newModelServer(t)
	resp := w.request(
		"POST", "/settings/models",
		form("provider", "openai", "base_url", " https://models.example.org/v1/ ", "key", " "+webKey+" "), asForm,
	)
	resp.Body.Close()
	at := resp.Header.Get("Location")
	if resp.StatusCode != http.StatusSeeOther || !strings.HasPrefix(at, "/settings/models/") {
		t.Fatal(resp.StatusCode, at)
	}
	if m := w.models()[0]; !m.HasKey || m.BaseURL != "https://models.example.org/v1" || m.Name != "" {
		t.Fatalf("%+v", m)
	}
	_, page := w.ask("GET", at, "")
	w.keepsSecret(page)
	if a, b := strings.Index(page, `value="alpha"`), strings.Index(page, `value="beta"`); a < 0 || b < a ||
		strings.Count(page, `value="beta"`) != 1 {
		t.Error("the models are not listed in order")
	}
	// What was typed is still there when something is wrong.
	code, page := w.submit(at, "pick", "alpha", "input", "a lot", "title", "Mine")
	if code != 422 || !strings.Contains(page, english(classroom.ErrModelPrice)) ||
		!strings.Contains(page, `value="a lot"`) ||
		!strings.Contains(page, `value="Mine"`) {
		t.Error(code, "a bad price is not told, or what was typed is lost")
	}
	in := form(
		"pick", "alpha", "input", "2,5", "output", "10", "cache_read", ".075", "currency", "EUR", "thinking", "low",
		"context", "128 000", "default", "on",
	)
	if code, page := w.ask("POST", at, in, asForm); code != http.StatusSeeOther {
		t.Fatal(code, page)
	}
	m := w.models()[0]
	want := classroom.ModelPrice{Input: 2_500_000, Output: 10_000_000, CacheRead: 75_000}
	if m.Name != "alpha" || m.Price != want || m.Currency != "EUR" || m.Thinking != "low" || m.Context != 128_000 ||
		!m.HasKey {
		t.Errorf("%+v", m)
	}
	if id, _, err := w.store.Setting(t.Context(), classroom.DefaultModel); err != nil || id != m.ID {
		t.Errorf("by default %q answers, %v", id, err)
	}
	if len(f.asked) != 2 || f.asked[0].ID != m.ID {
		t.Errorf("the server was asked %d times", len(f.asked))
	}
}

func TestModelNameIsPickedOrTyped(t *testing.T) {
	w, _ := newModelServer(t)
	m := w.addModel("old", "")
	for _, c := range []struct{ pick, typed, want string }{
		{"", "typed", "typed"}, {"alpha", "typed", "alpha"}, {"beta", "other", "other"}, {"alpha", "", "alpha"},
	} {
		if code, page := w.submit("/settings/models/"+m.ID, "pick", c.pick, "name", c.typed); code != 303 {
			t.Fatal(code, page)
		}
		if got := w.models()[0].Name; got != c.want {
			t.Errorf("%+v became %q", c, got)
		}
	}
	if code, _ := w.submit("/settings/models/"+m.ID, "name", " "); code != http.StatusUnprocessableEntity {
		t.Error("a model without a name was taken:", code)
	}
}

func TestModelAddress(t *testing.T) {
	for address, want := range map[string]*classroom.Error{
		"":                               nil,
		"https://api.example.org/v1":     nil,
		"http://api.example.org/v1":      classroom.ErrModelPlain,
		"ftp://api.example.org":          classroom.ErrModelAddress,
		"api.example.org":                nil,
		"localhost:11434/v1":             classroom.ErrModelPrivate,
		"two words":                      classroom.ErrModelAddress,
		"htp:/foo":                       classroom.ErrModelScheme,
		"http//example.org/v1":           classroom.ErrModelScheme,
		"https://":                       classroom.ErrModelAddress,
		"//":                             classroom.ErrModelAddress,
		" / ":                            classroom.ErrModelAddress,
		"https://name:pass@example.org":  classroom.ErrModelAddress,
		"https://example.org/v1?key=x":   classroom.ErrModelAddress,
		"http://127.0.0.1:11434/v1":      classroom.ErrModelPrivate,
		"http://[::1]:8080/v1":           classroom.ErrModelPrivate,
		"http://[::ffff:10.0.0.1]/v1":    classroom.ErrModelPrivate,
		"https://192.168.1.5/v1":         classroom.ErrModelPrivate,
		"https://169.254.169.254/latest": classroom.ErrModelPrivate,
		"https://100.64.1.1":             classroom.ErrModelPrivate,
		"https://0.0.0.0":                classroom.ErrModelPrivate,
		"http://localhost:1234/v1":       classroom.ErrModelPrivate,
		"http://models.localhost.:1/v1":  classroom.ErrModelPrivate,
		"https://printer.local/v1":       classroom.ErrModelPrivate,
		"https://intranet/v1":            classroom.ErrModelPrivate,
	} {
		var m classroom.Model
		err := modelChange{BaseURL: &address}.apply(&m)
		if got, _ := errors.AsType[*classroom.Error](err); got != want {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
		if want == classroom.ErrModelPrivate {
			if err := (modelChange{BaseURL: &address, Private: new(true)}).apply(&m); err != nil {
				t.Errorf("%s, allowed: %v", address, err)
			}
		}
	}
}

func TestModelConnectionIsChanged(t *testing.T) {
	w, _ := newModelServer(t)
	m := w.addModel("x", webKey)
	at := "/settings/models/" + m.ID + "/connection"
	if code, _ := w.submit(at, "base_url", "https://a.example/v1"); code != 303 || !w.models()[0].HasKey {
		t.Fatal(code, "the key was lost")
	}
	code, page := w.submit(at, "base_url", "http://10.0.0.1/v1")
	if code != http.StatusUnprocessableEntity || !strings.Contains(page, `value="http://10.0.0.1/v1"`) {
		t.Error(code, "what was typed is lost")
	}
	if code, _ := w.submit(at, "base_url", "https://b.example/v1"); code != 303 || w.models()[0].HasKey {
		t.Error(code, "the key went along")
	}
	if code, _ := w.submit(at, "base_url", "https://b.example/v1", "key", webKey); code != 303 ||
		!w.models()[0].HasKey {
		t.Error(code, "the new key was not taken")
	}
	if code, page := w.submit(at, "base_url", "https://b.example/v1", "key", "two words"); code != 422 ||
		strings.Contains(page, "two words") {
		t.Error(code, "a bad key was taken or shown")
	}
	if code, _ := w.submit(at, "base_url", "https://b.example/v1", "forget", "on"); code != 303 ||
		w.models()[0].HasKey {
		t.Error(code, "the key was not forgotten")
	}
	_, page = w.ask("GET", "/settings/models/"+m.ID, "")
	w.keepsSecret(page)
}

func TestModelIsTried(t *testing.T) {
	w, f := newModelServer(t)
	m := w.addModel("x", webKey)
	at := "/settings/models/" + m.ID + "/try"
	if code, page := w.ask("POST", at, "", asForm); code != 200 ||
		!strings.Contains(page, "It works. It said “Ready.”") ||
		!strings.Contains(page, "<title>") {
		t.Error(code, page)
	}
	if code, part := w.ask("POST", at, "", asForm, "HX-Request: true"); code != 200 ||
		!strings.Contains(part, "It works.") ||
		strings.Contains(part, "<title>") {
		t.Error(code, part)
	}
	for want, test := range map[string]classroom.ModelTest{
		"came word by word. It looked into the materials":             {Answer: "a", Streamed: true, Called: true},
		"came in one piece. It takes tools, and did not use":          {Answer: "a"},
		"It answers, but cannot use tools: it will be given passages": {Answer: "a", NoTools: true},
		"The model answered with an empty text.":                      {Streamed: true},
		"the first of it after 640 ms":                                {Answer: "a", AfterMS: 640},
	} {
		f.test = test
		_, part := w.ask("POST", at, "", asForm, "HX-Request: true")
		if !strings.Contains(part, want) || test.NoTools && strings.Contains(part, "It works") {
			t.Errorf("%+v: %s", test, part)
		}
	}
	f.err = &classroom.Error{Code: "credentials", Message: "It did not accept the key."}
	if code, part := w.ask("POST", at, "", asForm, "HX-Request: true"); code != 200 ||
		!strings.Contains(part, "It did not accept the key.") {
		t.Error(code, part)
	}
	_, page := w.ask("GET", "/settings/models/"+m.ID+"?list", "")
	if !strings.Contains(page, "It did not accept the key.") {
		t.Error("the page does not say why there is no list")
	}
}

func TestLocalModelsAreFound(t *testing.T) {
	w, f := newModelServer(t)
	for _, header := range [][]string{{asForm}, {asForm, "HX-Request: true"}} {
		if code, page := w.ask("POST", "/settings/models/local", "", header...); code != 200 ||
			!strings.Contains(page, "llama3.2") {
			t.Error(code, page)
		}
	}
	f.local = nil
	if _, page := w.ask("POST", "/settings/models/local", "", asForm); !strings.Contains(page, "Nothing was found.") {
		t.Error("the page does not say that there is nothing")
	}
	resp := w.request(
		"POST", "/settings/models",
		form("provider", "openai", "base_url", "http://127.0.0.1:11434/v1", "private", "on", "name", "llama3.2"),
		asForm,
	)
	resp.Body.Close()
	if m := w.models()[0]; m.Name != "llama3.2" || !m.Private {
		t.Errorf("%+v", m)
	}
}

// Only the owner sees and changes models; a teacher chooses the model of a class.
func TestModelsAreTheOwners(t *testing.T) {
	w, _ := newModelServer(t)
	m := w.addModel("x", webKey)
	browser := w.browser()
	p, _, err := w.store.Owner(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.web.opt.People = teacherNow{w.store, p.ID}
	for path, want := range map[string]int{
		"/": 200, "/settings": 200, "/settings/models/" + m.ID: 404, "/api/models": 404, "/api/models/" + m.ID: 404,
	} {
		resp, err := browser.Get(w.http.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s as a teacher: %d, want %d", path, resp.StatusCode, want)
		}
	}
	bare := newWebServer(t)
	if code, _ := bare.ask("GET", "/api/models", ""); code != http.StatusNotFound {
		t.Error("without a provider:", code)
	}
}

// teacherNow returns every person as a teacher.
type teacherNow struct {
	People
	id string
}

func (p teacherNow) Person(ctx context.Context, id string) (classroom.Person, error) {
	person, err := p.People.Person(ctx, id)
	if id == p.id {
		person.Role = classroom.TeacherRole
	}
	return person, err
}

func TestModelAPI(t *testing.T) {
	w, _ := newModelServer(t)
	code, body := w.ask("POST", "/api/models", `{"base_url":"https://a.example/v1","name":"x","key":"`+webKey+
		`","price":{"input":1000000},"currency":"EUR","default":true}`)
	var m modelJSON
	if err := json.Unmarshal([]byte(body), &m); err != nil || code != 201 || !m.Default || !m.HasKey ||
		m.Provider != "openai" ||
		m.Price.Input != 1_000_000 {
		t.Fatal(code, body)
	}
	w.keepsSecret(body)
	for _, c := range []struct {
		method, path, in string
		code             int
		holds            string
	}{
		{"GET", "/api/models", "", 200, `"default":true`},
		{"GET", "/api/models/" + m.ID, "", 200, `"name":"x"`},
		{"PATCH", "/api/models/" + m.ID, `{"thinking":"high","default":false}`, 200, `"default":false`},
		{"PATCH", "/api/models/" + m.ID, `{"thinking":"a lot"}`, 422, "model_thinking"},
		{"PATCH", "/api/models/" + m.ID, `{"name":""}`, 422, "model_name"},
		{"PATCH", "/api/models/" + m.ID, `{"base_url":"http://10.0.0.1"}`, 422, "model_private"},
		{"PATCH", "/api/models/" + m.ID, `{"price":{"input":-1}}`, 422, "model_price"},
		{"POST", "/api/models", `{"name":"x","provider":"other"}`, 422, "model_provider"},
		{"POST", "/api/models", `{"base_url":"https://a.example"}`, 422, "model_name"},
		{"GET", "/api/models/nobody", "", 404, "not_found"},
		{"DELETE", "/api/models/" + m.ID, "", 204, ""},
		{"GET", "/api/models", "", 200, "[]"},
	} {
		code, body := w.ask(c.method, c.path, c.in)
		if code != c.code || !strings.Contains(body, c.holds) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.in, code, body)
		}
		w.keepsSecret(body)
	}
}

func TestClassChoosesModels(t *testing.T) {
	w, _ := newModelServer(t)
	w.session(nil)
	class := w.firstClass()
	titled := classroom.Model{Provider: "openai", BaseURL: "https://a.example/v1", Name: "x", Title: "Model X"}
	m, err := w.store.CreateModel(t.Context(), titled, "")
	if err != nil {
		t.Fatal(err)
	}
	unnamed := w.addModel("", "")
	agent := class.Roster[0].ID
	to := "/classes/" + class.ID + "/models"
	if code, _ := w.submit(to, "model", m.ID, "model-"+agent, classroom.TutorModel); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	if c := w.firstClass(); c.Model != m.ID || c.Roster[0].Model != classroom.TutorModel ||
		len(c.Roster) != len(class.Roster) {
		t.Errorf("%+v", c)
	}
	for id, want := range map[string]*classroom.Error{
		"nobody": classroom.ErrModelUnknown, "../x": classroom.ErrModelUnknown, unnamed.ID: classroom.ErrModelUnnamed,
	} {
		if code, page := w.submit(to, "model", id); code != 422 || !strings.Contains(page, english(want)) {
			t.Errorf("%s: %d", id, code)
		}
		if code, _ := w.ask("PATCH", "/api/classes/"+class.ID, `{"model":"`+id+`"}`); code != 422 {
			t.Errorf("%s by the API: %d", id, code)
		}
		if code, _ := w.submit("/settings/default", "model", id); code != http.StatusUnprocessableEntity {
			t.Errorf("%s by default: %d", id, code)
		}
	}
	if code, body := w.ask("PATCH", "/api/models/"+unnamed.ID, `{"default":true}`); code != 422 {
		t.Error("a model without a name answers by default:", code, body)
	}
	if code, _ := w.ask("POST", "/settings/models/"+m.ID+"/delete", "", asForm); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	if c := w.firstClass(); c.Model != "" {
		t.Errorf("%+v", c)
	}
}

// The page says that a server without models runs, and offers to type a name.
func TestServerWithoutModelsIsToldSo(t *testing.T) {
	w, f := newModelServer(t)
	f.names = []string{}
	begun := classroom.Model{Provider: "openai", BaseURL: "https://a.example/v1"}
	m, err := w.store.CreateModel(t.Context(), begun, webKey)
	if err != nil {
		t.Fatal(err)
	}
	_, page := w.ask("GET", "/settings/models/"+m.ID, "")
	if !strings.Contains(page, "runs, but has no model yet") || !strings.Contains(page, `id="model-name"`) {
		t.Error("the page does not say that the server runs and has no model")
	}
}
