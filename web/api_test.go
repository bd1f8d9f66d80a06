package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"mime/multipart"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// decode reads a JSON answer and checks its status.
func decode[T any](t testing.TB, w *webServer, method, path, body string, status int) T {
	t.Helper()
	got, answer := w.ask(method, path, body)
	if got != status {
		t.Fatalf("%s %s: %d %s, want %d", method, path, got, answer, status)
	}
	var v T
	if answer != "" {
		if err := json.Unmarshal([]byte(answer), &v); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, answer)
		}
	}
	return v
}

type failure struct {
	Error struct{ Code, Message string }
}

func TestClasses(t *testing.T) {
	w := newWebServer(t)
	roster := `[{"name":"Ms Bell","role":"teacher"},{"name":"Ms Bell","role":"student"}]`
	c := decode[classroom.Class](t, w, "POST", "/api/classes", `{"title":"  Biology  7b ","roster":`+roster+`}`, 201)
	if c.Title != "Biology 7b" || c.Roster[0].ID != "msbell" || c.Roster[1].ID != "msbell-2" || c.Mode != "qa" {
		t.Errorf("made %+v", c)
	}
	change := `{"mode":"debate","rules":{"stance":"hints"}}`
	c = decode[classroom.Class](t, w, "PATCH", "/api/classes/"+c.ID, change, 200)
	c = decode[classroom.Class](t, w, "GET", "/api/classes/"+c.ID, "", 200)
	if c.Mode != "debate" || c.Rules.Manner != "hints" || c.Title != "Biology 7b" {
		t.Errorf("changed to %+v", c)
	}
	if list := decode[[]classroom.Class](t, w, "GET", "/api/classes", "", 200); len(list) != 1 {
		t.Errorf("%d classes", len(list))
	}
	for body, code := range map[string]string{
		`{}`: "bad_title", `{"title":"x","mode":"party"}`: "bad_mode", `{"title":"x","roster":[]}`: "bad_roster",
		`{"title":"x","roster":[{"name":"","role":"teacher"}]}`: "bad_roster",
		`{"title":"x","roster":[{"name":"A","role":"king"}]}`:   "bad_roster",
		`{"title":"` + strings.Repeat("x", 201) + `"}`:          "bad_title", `[`: "bad_request",
	} {
		status, answer := w.ask("POST", "/api/classes", body)
		if status < 400 || status > 422 || !strings.Contains(answer, `"`+code+`"`) {
			t.Errorf("%.60s: %d %s, want %s", body, status, answer, code)
		}
	}
	decode[any](t, w, "DELETE", "/api/classes/"+c.ID, "", 204)
	decode[failure](t, w, "GET", "/api/classes/"+c.ID, "", 404)
}

func TestSessions(t *testing.T) {
	w := newWebServer(t)
	s := decode[sessionJSON](t, w, "POST", "/api/sessions", "", 201) // a first class is made for it
	if !classroom.ValidID(s.ID) || s.Head != 1 || s.Running || s.Status != classroom.Idle {
		t.Errorf("made %+v", s)
	}
	body := `{"class":"` + s.ClassID + `","title":"Optics","mode":"lecture","agents":["student","ada"]}`
	one := decode[sessionJSON](t, w, "POST", "/api/sessions", body, 201)
	var start classroom.SessionStart
	err := json.Unmarshal(w.log(one.ID)[0].Data, &start)
	if err != nil || len(start.Roster) != 2 || start.Mode != "lecture" || start.Title != "Optics" {
		t.Errorf("begins with %+v, %v", start, err)
	}
	for body, code := range map[string]string{
		`{"class":"nowhere"}`: "not_found", `{"mode":"x"}`: "bad_mode", `{"agents":["nobody"]}`: "bad_roster",
	} {
		if status, answer := w.ask("POST", "/api/sessions", body); status < 400 || !strings.Contains(answer, code) {
			t.Errorf("%s: %d %s", body, status, answer)
		}
	}
	if list := decode[[]sessionJSON](t, w, "GET", "/api/sessions", "", 200); len(list) != 2 {
		t.Errorf("%d sessions", len(list))
	}
	w.append(one.ID, livetest.Scripted(1, 1))
	at := len(w.log(one.ID)) / 2
	fork := decode[sessionJSON](t, w, "POST", "/api/sessions/"+one.ID+"/fork", fmt.Sprintf(`{"at":%d}`, at), 201)
	if got := w.log(fork.ID); len(got) < at {
		t.Errorf("the fork has %d events", len(got))
	}
}

// Errors of the runtime reach the client with their status and sentence, and without
// the text of a Go error.
func TestRuntimeErrors(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	for err, status := range map[error]int{
		classroom.ErrBarrier: 409, classroom.ErrClientIDReused: 422,
		classroom.ErrNothingToResume: 409, classroom.ErrQueueChanged: 409,
		classroom.ErrClosing: 503, classroom.ErrNotFound: 404, fmt.Errorf("send: %w", classroom.ErrBarrier): 409,
	} {
		w.runner.err = err
		got := decode[failure](t, w, "POST", "/api/sessions/"+id+"/messages", `{"text":"x"}`, status)
		e, _ := publicError(err)
		if got.Error.Code != e.Code || got.Error.Message != english(e) {
			t.Errorf("%v: %+v", err, got)
		}
	}
	for body, status := range map[string]int{
		`{"text":""}`: 422, `{"text":" \n\t "}`: 422, `{}`: 422, `not json`: 400, `{"text":7}`: 400,
		`{"text":"x","delivery":"sideways"}`: 422, `{"text":"x","client_id":"a b"}`: 422,
		`{"text":"` + strings.Repeat("x", 65<<10) + `"}`: 413, `{"text":"` + strings.Repeat("x", 2<<20) + `"}`: 413,
	} {
		status2, answer := w.ask("POST", "/api/sessions/"+id+"/messages", body)
		leaks := strings.Contains(answer, "json") || strings.Contains(answer, "unmarshal")
		if status2 != status || !strings.Contains(answer, `"message":`) || leaks {
			t.Errorf("%.40s: %d %s, want %d", body, status2, answer, status)
		}
	}
	if n := len(w.log(id)); n != 1 {
		t.Errorf("bad input left %d events", n)
	}
}

func TestQueueRoutes(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	edit := `{"steer":[],"follow_up":[{"cursor":4,"text":"later"}]}`
	decode[any](t, w, "PATCH", "/api/sessions/"+id+"/queue", edit, 202)
	// A missing queue must not be taken as an empty one.
	for _, half := range []string{`{}`, `null`, `{"steer":[]}`, `{"steer":[],"follow_up":[],"seen":-1}`} {
		decode[any](t, w, "PATCH", "/api/sessions/"+id+"/queue", half, 400)
	}
	decode[any](t, w, "POST", "/api/sessions/"+id+"/queue/send", `{}`, 202)
	decode[any](t, w, "POST", "/api/sessions/"+id+"/cancel", `{}`, 202)
	decode[any](t, w, "POST", "/api/sessions/"+id+"/resume", `{}`, 202)
	if got := fmt.Sprint(w.runner.notes()); got != "[edit [] [{4 later }] send queue cancel resume]" {
		t.Errorf("carried out %s", got)
	}
}

// upload sends files as a form.
func (w *webServer) upload(path string, files ...[2]string) (int, string) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for _, f := range files {
		part, err := form.CreateFormFile("file", f[0])
		if err != nil {
			w.t.Fatal(err)
		}
		_, _ = part.Write([]byte(f[1]))
	}
	form.Close()
	return w.ask("POST", path, b.String(), "Content-Type: "+form.FormDataContentType())
}

// Each file has its own result, with a sentence if it failed. A
// material is downloaded as a file and never shown as a page.
func TestMaterials(t *testing.T) {
	w := newWebServer(t)
	c := decode[classroom.Class](t, w, "POST", "/api/classes", `{"title":"x"}`, 201)
	path := "/api/classes/" + c.ID + "/materials"
	big := [2]string{"big.txt", strings.Repeat("x", maxFile+1)}
	status, answer := w.upload(path, [][2]string{
		{"light.md", "# Light\n\nIt is fast."}, big, {"page.html", "<script>alert(1)</script>"},
		{"x.png.html", "x"}, {"empty.txt", " \n"}, {"latin.txt", "Z\xfcrich"}, {"light.md", "again"},
		{`..\..\etc/pass"wd.md`, "Words."},
	}...)
	var results []fileResult
	if err := json.Unmarshal([]byte(answer), &results); err != nil || status != 201 {
		t.Fatalf("%d %s", status, answer)
	}
	for i, code := range []string{
		"", "file_too_large", "file_type", "file_type", "file_empty", "file_encoding", "duplicate_name", "",
	} {
		got := ""
		if results[i].Error != nil {
			got = results[i].Error.Code
		}
		if got != code {
			t.Errorf("file %d (%s): %q, want %q", i, results[i].Name, got, code)
		}
	}
	if status, answer := w.upload(path, big); status != 413 || !strings.Contains(answer, "larger than 2 MB") {
		t.Errorf("one large file: %d %s", status, answer)
	}
	list := decode[[]classroom.Material](t, w, "GET", path, "", 200)
	if len(list) != 2 {
		t.Fatalf("%d materials", len(list))
	}
	for _, m := range list {
		resp := w.request("GET", "/api/materials/"+m.ID, "")
		resp.Body.Close()
		h := resp.Header
		if !strings.HasPrefix(h.Get("Content-Disposition"), "attachment;") ||
			h.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(h.Get("Content-Type"), "text/plain") ||
			!strings.Contains(h.Get("Content-Security-Policy"), "sandbox") ||
			strings.Contains(m.Name, "/") {
			t.Errorf("%s: %v", m.Name, h)
		}
	}
	decode[any](t, w, "DELETE", "/api/materials/"+list[0].ID, "", 204)
	decode[failure](t, w, "GET", "/api/materials/"+list[0].ID, "", 404)
}

// An upload that breaks off adds no part of a file.
func TestBrokenUpload(t *testing.T) {
	w := newWebServer(t)
	c := decode[classroom.Class](t, w, "POST", "/api/classes", `{"title":"x"}`, 201)
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.md\"\r\n\r\nhalf of the te"
	header := "Content-Type: multipart/form-data; boundary=b"
	status, answer := w.ask("POST", "/api/classes/"+c.ID+"/materials", body, header)
	if status != 400 {
		t.Errorf("%d %s", status, answer)
	}
	if list := decode[[]classroom.Material](t, w, "GET", "/api/classes/"+c.ID+"/materials", "", 200); len(list) != 0 {
		t.Errorf("kept %+v", list)
	}
}

// See "Frames that are no events" in docs/events.md: partial frames, at most one error,
// exactly one done.
func TestGenerate(t *testing.T) {
	w := newWebServer(t)
	say := func(err error) func(context.Context) iter.Seq2[string, error] {
		return func(context.Context) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) {
				if yield("one\n", nil) && yield("two", nil) && err != nil {
					yield("", err)
				}
			}
		}
	}
	partial := `{"type":"partial","payload":"one\n"} {"type":"partial","payload":"two"} `
	failed := `{"type":"error","code":"closing","message":"` + english(classroom.ErrClosing) + `"}`
	for err, end := range map[error]string{
		nil:                      `{"type":"done"}`,
		classroom.ErrClosing:     failed + ` {"type":"done"}`,
		context.DeadlineExceeded: "",
	} {
		if end == "" {
			continue
		}
		w.runner.gen = say(err)
		r := w.open("/api/agent/generate?prompt=hello")
		got := ""
		for {
			f, err := r.next()
			if err != nil {
				break
			}
			got += f.data + " "
		}
		if got = strings.TrimSpace(got); got != partial+end {
			t.Errorf("%v: %s", err, got)
		}
	}
	for _, prompt := range []string{"", "%20%0A"} {
		if status, answer := w.ask("GET", "/api/agent/generate?prompt="+prompt, ""); status != 422 ||
			!strings.Contains(answer, "empty_text") {
			t.Errorf("prompt %q: %d %s", prompt, status, answer)
		}
	}
}

// The model is cancelled if the reader disconnects. Heartbeats are sent while the model
// is silent.
func TestGenerateIsCancelled(t *testing.T) {
	w := newWebServer(t, func(o *Options) { o.Heartbeat = 10 * time.Millisecond })
	cancelled := make(chan error, 1)
	w.runner.gen = func(ctx context.Context) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			<-ctx.Done()
			cancelled <- ctx.Err()
			yield("", ctx.Err())
		}
	}
	r := w.open("/api/agent/generate?prompt=hello")
	for range 3 {
		if f, err := r.next(); err != nil || f.comment == "" {
			t.Fatalf("%+v %v", f, err)
		}
	}
	r.close()
	if err := <-cancelled; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Metrics are for the owner and this machine, health and readiness for everybody.
func TestOperations(t *testing.T) {
	broken := errors.New("disk gone")
	var err error
	w := newWebServer(t, func(o *Options) { o.Ready = func(context.Context) error { return err } })
	for path, status := range map[string]int{"/healthz": 200, "/readyz": 200, "/metrics": 200} {
		if got, _ := w.ask("GET", path, "", "Authorization: "); got != status {
			t.Errorf("%s: %d", path, got)
		}
	}
	if status, _ := w.ask("GET", "/metrics", "", "Authorization: ", "X-Forwarded-For: 10.0.0.1"); status != 303 {
		t.Errorf("metrics through a proxy: %d", status)
	}
	id := w.session(nil)
	r := w.open("/api/sessions/" + id + "/events")
	r.until("caught_up")
	_, text := w.ask("GET", "/metrics", "")
	for _, line := range []string{
		`colloquy_streams_open{kind="json"} 1`, `colloquy_stream_events_total{kind="json"} 1`,
		`colloquy_requests_total{route="GET /healthz",status="200"} 1`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("the metrics have no %s", line)
		}
	}
	err = broken
	if status, body := w.ask("GET", "/readyz", ""); status != 503 || strings.Contains(body, "disk") {
		t.Errorf("%d %s", status, body)
	}
	w.out.mu.Lock()
	w.out.b.Reset() // the error in the log was wanted
	w.out.mu.Unlock()
}

// The request log contains no token from an address.
func TestRequestLogHoldsNoTokens(t *testing.T) {
	w := newWebServer(t)
	w.browser()
	path, _, _ := w.web.SignInLink(t.Context(), false)
	w.ask("GET", "/signin?token=s3cret", "", "Authorization: ")
	if log := w.out.String(); strings.Contains(log, "token=") || strings.Contains(log, testToken) ||
		!strings.Contains(log, "path=/signin") {
		t.Errorf("after %s the log is\n%s", path, log)
	}
}
