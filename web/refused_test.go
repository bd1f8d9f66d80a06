package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"colloquy/classroom"
	"colloquy/templates"
)

// refuses sends a request and checks that it is refused with that status, code
// and part of a sentence.
func (w *webServer) refuses(method, path, body string, status int, code, says string) {
	w.t.Helper()
	got := decode[failure](w.t, w, method, path, body, status)
	if got.Error.Code != code || !strings.Contains(got.Error.Message, says) {
		w.t.Errorf("%s %s %.60s: %+v, want %s: …%s…", method, path, body, got.Error, code, says)
	}
}

func TestForkBeyondTheLog(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	for _, at := range []int{-1, 0, 2, 1_000_000_000} {
		sentence := "at must be a whole number from 1 to the session's head"
		w.refuses("POST", "/api/sessions/"+id+"/fork", fmt.Sprintf(`{"at":%d}`, at), 422, "bad_fork", sentence)
	}
	decode[sessionJSON](t, w, "POST", "/api/sessions/"+id+"/fork", `{"at":1}`, 201)
}

func TestRulesNameTheirField(t *testing.T) {
	w := newWebServer(t)
	w.session(nil)
	at := "/api/classes/" + w.firstClass().ID
	long := strings.Repeat("ü", maxProse)
	longest := `{"rules":{"aim":"` + long + `","withheld":"` + long + `","stance":"socratic"}}`
	decode[classroom.Class](t, w, "PATCH", at, longest, 200)
	for field, value := range map[string]string{"aim": long + "x", "withheld": long + "x", "stance": "shout"} {
		w.refuses("PATCH", at, `{"rules":{"`+field+`":"`+value+`"}}`, 422, "bad_rules", "(rules."+field+")")
	}
}

func TestRosterIsChecked(t *testing.T) {
	w := newWebServer(t)
	w.session(nil)
	at := "/api/classes/" + w.firstClass().ID
	agent := func(more string) string { return `{"name":"Ada","role":"teacher"` + more + `}` }
	list := func(agents ...string) string { return `{"roster":[` + strings.Join(agents, ",") + `]}` }
	name := func(n int) string { return `"` + strings.Repeat("n", n) + `"` }
	many := func(n int) string { return `,"tools":["t"` + strings.Repeat(`,"t"`, n-1) + `]` }
	for _, fine := range []string{
		agent(`,"color":` + name(32) + `,"avatar":"a-1"`), agent(many(32)), agent(`,"tools":[` + name(64) + `]`),
		`{"name":"Endler","role":"student"}`, agent(`,"persona":"` + strings.Repeat("ü", maxProse) + `"`),
	} {
		decode[classroom.Class](t, w, "PATCH", at, list(fine), 200)
	}
	whole, look := english(classroom.ErrBadRoster), english(classroom.ErrAgentLook)
	tools := english(classroom.ErrAgentTools)
	for bad, says := range map[string]string{
		agent(`,"id":"a"`) + `,` + agent(`,"id":"A"`): whole,
		`{"name":"User","role":"student"}`:            whole,
		`{"name":" eND ","role":"student"}`:           whole,
		`{"name":"\u200bUSER","role":"student"}`:      whole,
		agent(`,"id":"End"`):                          whole,
		`{"name":` + name(61) + `,"role":"student"}`:  english(classroom.ErrAgentName),
		agent(`,"persona":` + name(4001)):             english(classroom.ErrAgentPersona),
		agent(`,"color":` + name(33)):                 look,
		agent(`,"color":"Red"`):                       look,
		agent(`,"avatar":"a b"`):                      look,
		agent(`,"avatar":"é"`):                        look,
		agent(many(33)):                               tools,
		agent(`,"tools":[` + name(65) + `]`):          tools,
	} {
		w.refuses("PATCH", at, list(bad), 422, "bad_roster", says)
	}
}

// The error of a body that is too large fits what the body holds.
func TestTooLargeIsToldAsWhatItIs(t *testing.T) {
	w, _ := newModelServer(t)
	id := w.session(nil)
	class := w.firstClass().ID
	long := strings.Repeat("x", maxBody+1)
	message, other := english(classroom.ErrTextTooLong), english(classroom.ErrTooLarge)
	for _, c := range []struct{ method, path, body, kind, says string }{
		{"POST", "/api/sessions/" + id + "/messages", `{"text":"` + long + `"}`, "", message},
		{"POST", "/sessions/" + id + "/messages", form("text", long), asForm, message},
		{"POST", "/ask", form("text", long), asForm, message},
		{"POST", "/api/models", `{"title":"` + long + `"}`, "", other},
		{"PATCH", "/api/classes/" + class, `{"title":"` + long + `"}`, "", other},
		{"PATCH", "/api/sessions/" + id + "/queue", `{"steer":"` + long + `"}`, "", other},
		{"POST", "/classes/" + class + "/rules", form("aim", long), asForm, other},
		{"POST", "/settings/models", form("key", long), asForm, other},
		{
			"POST", "/classes/" + class + "/materials", form("text", strings.Repeat("x", maxPaste)), asForm,
			english(classroom.ErrFileTooLarge),
		},
	} {
		rec := w.serve(c.method, c.path, c.body, c.kind)
		if rec.Code != http.StatusRequestEntityTooLarge || !strings.Contains(rec.Body.String(), c.says) {
			t.Errorf("%s %s: %d, without %q", c.method, c.path, rec.Code, c.says)
		}
	}
}

// serve answers without a network: over one, the answer to a body that is not read to
// its end may be lost.
func (w *webServer) serve(method, path, body, kind string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(w.t.Context(), method, w.http.URL+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+testToken)
	if name, value, ok := strings.Cut(kind, ": "); ok {
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.web.Handler().ServeHTTP(rec, r)
	return rec
}

// Files that are too large together are refused with their own error, which names the
// files that were added before.
func TestTooManyBytesOfFiles(t *testing.T) {
	w := newWebServer(t)
	w.session(nil)
	at := "/classes/" + w.firstClass().ID + "/materials"
	send := func(path string, files ...string) *httptest.ResponseRecorder {
		var b bytes.Buffer
		f := multipart.NewWriter(&b)
		for i, text := range files {
			part, err := f.CreateFormFile("file", fmt.Sprintf("f%d.md", i))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = part.Write([]byte(text))
		}
		f.Close()
		return w.serve("POST", path, b.String(), "Content-Type: "+f.FormDataContentType())
	}
	huge := strings.Repeat("x", maxUpload+1)
	if rec := send("/api"+at, huge); rec.Code != 413 ||
		!strings.Contains(rec.Body.String(), english(classroom.ErrFileTooLarge)) {
		t.Errorf("one file: %d %.300s", rec.Code, rec.Body)
	}
	if rec := send("/api"+at, "Light is fast.", huge); rec.Code != 413 ||
		!strings.Contains(rec.Body.String(), english(classroom.ErrFilesTooLarge)) ||
		!strings.Contains(rec.Body.String(), `"name":"f0.md"`) {
		t.Errorf("a small and a huge file: %d %.300s", rec.Code, rec.Body)
	}
	rec := send(at, "Leaves are green.", huge)
	if !strings.Contains(rec.Body.String(), english(classroom.ErrFilesTooLarge)) {
		t.Errorf("on the page: %d", rec.Code)
	}
}

// A page says that a server of models did not answer, also where the provider's error
// has no sentence for that.
func TestSilentServerOfModelsIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{opt: Options{Provider: silentProvider{}}}
		var v templates.ModelPageView
		s.listNames(httptest.NewRequestWithContext(t.Context(), "GET", "/", nil), &v)
		if !strings.Contains(v.ListError, "did not answer in 10 seconds") {
			t.Errorf("%q", v.ListError)
		}
	})
}

type silentProvider struct{ Provider }

func (silentProvider) List(ctx context.Context, _ classroom.Model) ([]string, error) {
	<-ctx.Done()
	return nil, &classroom.Error{Code: "refused", Message: "It cannot be used as it is set up."}
}

// Absurd numbers in a log break no page, and page and API show the same.
func TestAbsurdUseIsShown(t *testing.T) {
	w := newWebServer(t)
	const maxRunUse = 1_000_000_000_000 // what one run counts for at most
	cost := int64(math.MaxInt64)
	end := classroom.Event{Type: classroom.TypeRunEnd, Exchange: 1, Attempt: 1}
	end.Data, _ = json.Marshal(classroom.RunEnd{
		Status: classroom.Completed, Cost: &cost,
		Usage: classroom.Usage{Input: math.MaxInt, Output: -3, Reasoning: math.MinInt},
	})
	id := w.session([]classroom.Event{end, end, end})
	for _, path := range []string{"/api/sessions/" + id, "/api/classes/" + w.firstClass().ID} {
		got := decode[classroom.Spent](t, w, "GET", path, "", 200)
		if got.Usage != (classroom.Usage{Input: 3 * maxRunUse}) || got.Cost == nil || *got.Cost != 3*maxRunUse {
			t.Errorf("%s: %+v", path, got)
		}
	}
	for _, path := range []string{"/sessions/" + id, "/classes/" + w.firstClass().ID} {
		if code, page := w.ask("GET", path, ""); code != 200 ||
			!strings.Contains(page, "<dd>3\u202f000\u202f000\u202f000\u202f000</dd>") {
			t.Errorf("%s: %d, without the sum", path, code)
		}
	}
}
