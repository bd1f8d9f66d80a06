package web

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/web/live/livetest"

	"golang.org/x/net/html"
)

func get(t testing.TB, client *http.Client, address string) (int, string) {
	t.Helper()
	resp, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// streamOf returns where a page's stream begins.
func streamOf(t testing.TB, d *livetest.DOM) string {
	t.Helper()
	n := livetest.Find(d.Root, "stream")
	if n == nil {
		t.Fatal("the page has no stream")
	}
	return livetest.Attr(n, "hx-sse:connect")
}

// Promise 1 over HTTP: a page whose stream is cut again and again while the log grows
// ends equal to a page that is loaded then.
func TestPageStreamEqualsReload(t *testing.T) {
	w := newWebServer(t)
	client := w.browser()
	for seed := range uint64(3) {
		events := livetest.Scripted(seed+20, 2)
		r := rand.New(rand.NewPCG(seed, 3))
		begin := 1 + r.IntN(len(events)/2)
		id := w.session(events[:begin])
		_, page := get(t, client, w.http.URL+"/sessions/"+id)
		d := livetest.NewDOM(t, page)
		path, last := streamOf(t, d), ""
		done := make(chan struct{})
		go func() {
			defer close(done)
			for at := begin; at < len(events); {
				next := min(len(events), at+1+r.IntN(15))
				w.append(id, events[at:next])
				at = next
			}
			w.append(id, titleChange("the very last"))
		}()
		for cut := 0; !strings.Contains(d.Shows(), "the very last"); cut++ {
			var headers []string
			if last != "" {
				headers = append(headers, "Last-Event-ID: "+last)
			}
			rd := w.openAs(client, path, headers...)
			for frames := 1 + cut; frames > 0 && !strings.Contains(d.Shows(), "the very last"); frames-- {
				f, err := rd.next()
				if err != nil {
					t.Fatal(err)
				}
				if f.event != "" || f.comment != "" {
					continue
				}
				if err := d.Apply(f.data); err != nil {
					t.Fatal(err)
				}
				if f.id != "" {
					last = f.id
				}
			}
			rd.close()
		}
		<-done
		_, page = get(t, client, w.http.URL+"/sessions/"+id)
		if got, want := d.Shows(), livetest.NewDOM(t, page).Shows(); got != want {
			t.Errorf("seed %d: %s", seed, livetest.FirstDifference(got, want))
		}
	}
}

// A page's stream begins where the page ends: it sends nothing if there is nothing new.
func TestPageStreamBringsOnlyNews(t *testing.T) {
	w := newWebServer(t)
	client := w.browser()
	id := w.session(livetest.Scripted(5, 3))
	_, page := get(t, client, w.http.URL+"/sessions/"+id)
	r := w.openAs(client, streamOf(t, livetest.NewDOM(t, page)))
	met, _ := r.until("caught_up")
	if len(met) != 1 || met[0].event != "connected" {
		t.Errorf("before caught_up came %d frames, want connected alone", len(met))
	}
	w.append(id, titleChange("News"))
	f, err := r.next()
	for f.id == "" && err == nil { // the list of sessions has a row with the title too
		f, err = r.next()
	}
	if err != nil || !strings.Contains(f.data, ">News</h1>") || strings.Contains(f.data, "<article") {
		t.Errorf("then came %+v, %v", f, err)
	}
}

// Promise 10: text of a person or a model is inert in the page, in
// its patches and in the replay.
func TestHostileTextIsInert(t *testing.T) {
	w := newWebServer(t)
	client := w.browser()
	hostile := `"><script>alert(1)</script><img src=x onerror=alert(1)>` +
		`<svg onload=alert(1)><a href="javascript:alert(1)">x</a>`
	class, err := w.store.CreateClass(t.Context(), classroom.Class{
		Title: hostile, Mode: classroom.ModeQA, Rules: classroom.Rules{Aim: hostile},
		Roster: []classroom.Agent{
			{ID: "a", Name: hostile, Role: classroom.Teacher, Persona: hostile, Color: hostile, Avatar: hostile},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	material := classroom.Material{ClassID: class.ID, Name: hostile, MediaType: "text/plain"}
	if _, err := w.store.AddMaterial(t.Context(), material, hostile); err != nil {
		t.Fatal(err)
	}
	s, err := w.store.CreateSession(t.Context(), classroom.Session{ClassID: class.ID, Title: hostile}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, page := get(t, client, w.http.URL+"/sessions/"+s.ID)
	inert(t, "empty page", page)
	rd := w.openAs(client, streamOf(t, livetest.NewDOM(t, page)))
	script := livetest.NewScript(9)
	script.Run(hostile)
	for _, text := range livetest.Texts {
		script.Exchange, script.Attempt, script.Agent = 1, 1, hostile
		id := script.StartMessage()
		script.Say(classroom.MessageEnd{
			MessageID: id, Blocks: []classroom.Block{script.Grow(id, 0, classroom.BlockText, text+hostile)},
		})
	}
	script.Agent = ""
	script.Say(classroom.TitleChange{Title: hostile + "last"})
	w.append(s.ID, script.Events)
	for seen := false; !seen; {
		f, err := rd.next()
		if err != nil {
			t.Fatal(err)
		}
		if f.event == "" {
			inert(t, "patch", f.data)
			seen = strings.Contains(f.data, "last</h1>")
		}
	}
	for _, path := range []string{
		"/", "/classes/" + class.ID, "/sessions/" + s.ID, "/sessions/" + s.ID + "/replay?at=999",
	} {
		_, page := get(t, client, w.http.URL+path)
		inert(t, path, page)
	}
}

var ours = regexp.MustCompile(`^/static/[\w./-]+$`)

// inert fails if the HTML could run a script, or fetch or embed anything from another site.
func inert(t *testing.T, where, page string) {
	t.Helper()
	plain := strings.NewReplacer("<hx-", "<div data-", "</hx-partial>", "</div>", "</hx-upsert>", "</div>")
	root, err := html.Parse(strings.NewReader(plain.Replace(page)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "img", "iframe", "object", "embed", "style", "base", "audio", "video":
			t.Errorf("%s: an element <%s>", where, n.Data)
		case "script":
			if !ours.MatchString(livetest.Attr(n, "src")) || n.FirstChild != nil {
				t.Errorf("%s: a script that is not ours: %s", where, livetest.Markup(n))
			}
		}
		for _, a := range n.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" ||
				strings.HasPrefix(value, "javascript:") ||
				strings.HasPrefix(value, "data:text") {
				t.Errorf("%s: <%s %s=%q>", where, n.Data, a.Key, a.Val)
			}
			if (a.Key == "src" || n.Data == "link" && a.Key == "href") && !ours.MatchString(a.Val) {
				t.Errorf("%s: <%s> fetches %q", where, n.Data, a.Val)
			}
		}
	}
}

// Forms work without scripts: a post redirects to a page, and a post that was refused
// shows the page with what was typed.
func TestFormsWithoutScript(t *testing.T) {
	w := newWebServer(t)
	client := w.browser()
	_, home := get(t, client, w.http.URL+"/")
	if !strings.Contains(home, `action="/ask"`) {
		t.Fatal("the first page has no question box")
	}
	resp, err := client.PostForm(w.http.URL+"/ask", url.Values{"text": {"Why is the sky blue?"}})
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if !strings.HasPrefix(resp.Request.URL.Path, "/sessions/") ||
		!strings.Contains(string(body), "Why is the sky blue?") {
		t.Fatalf("the question led to %s: %.300s", resp.Request.URL, body)
	}
	page := w.http.URL + resp.Request.URL.Path
	for _, c := range []struct {
		action, text string
		status       int
		shows        string
	}{
		{"/messages", "And at dusk?", 200, "And at dusk?"},
		{"/messages", "  ", 422, "Write a question first."},
		{"/messages", strings.Repeat("x", classroom.MaxTextBytes+1), 413, "longer than 64 KB"},
		{"/cancel", "", 200, "And at dusk?"},
		{"/resume", "", 200, "And at dusk?"},
		{"/queue/send", "", 200, "And at dusk?"},
	} {
		resp, err := client.PostForm(page+c.action, url.Values{"text": {c.text}})
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status || !strings.Contains(string(body), c.shows) ||
			!strings.Contains(string(body), "</html>") {
			t.Errorf("%s %.20q: %d, want %d and a page with %q", c.action, c.text, resp.StatusCode, c.status, c.shows)
		}
		if c.status != 200 && len(strings.TrimSpace(c.text)) > 0 && !strings.Contains(string(body), c.text) {
			t.Errorf("%s: what was typed is lost", c.action)
		}
	}
	w.runner.err = classroom.ErrNothingToResume
	resp, err = client.PostForm(page+"/resume", nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ = io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != 409 || !strings.Contains(string(body), "nothing to continue") {
		t.Errorf("resume of nothing: %d", resp.StatusCode)
	}
}

// Htmx is answered with a sentence or sent to the login page; a whole page is
// never swapped into a part of one.
func TestAnswersToScripts(t *testing.T) {
	w := newWebServer(t)
	id := w.session(livetest.Scripted(1, 1))
	htmx := "HX-Request: true"
	form := "Content-Type: application/x-www-form-urlencoded"
	if status, body := w.ask("POST", "/sessions/"+id+"/messages", "text=hello", htmx, form); status != 204 ||
		body != "" {
		t.Errorf("a message: %d %q", status, body)
	}
	status, body := w.ask("POST", "/sessions/"+id+"/messages", "text=", htmx, form)
	if status != 422 || body != `<p class="error-message">Write a question first.</p>` {
		t.Errorf("an empty message: %d %q", status, body)
	}
	resp := w.request(
		"POST", "/sessions/"+id+"/messages", "text=hello", htmx, form, "Authorization: ",
		"HX-Current-URL: "+w.http.URL+"/sessions/"+id+"?x=1",
	)
	defer resp.Body.Close()
	if resp.StatusCode != 401 || resp.Header.Get("HX-Redirect") != "/login?return=%2Fsessions%2F"+id+"%3Fx%3D1" {
		t.Errorf("without a login: %d, HX-Redirect %q", resp.StatusCode, resp.Header.Get("HX-Redirect"))
	}
	resp = w.request("GET", "/sessions/"+id, "", "Authorization: ")
	defer resp.Body.Close()
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/login?return=%2Fsessions%2F"+id {
		t.Errorf("a page without a login: %d %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	resp = w.request("POST", "/ask", "text=hello", htmx, form)
	defer resp.Body.Close()
	if resp.StatusCode != 204 || !strings.HasPrefix(resp.Header.Get("HX-Redirect"), "/sessions/") {
		t.Errorf("a first question: %d %q", resp.StatusCode, resp.Header.Get("HX-Redirect"))
	}
	status, body = w.ask(
		"POST", "/sessions/"+id+"/messages", "text=x", htmx, form, "Origin: https://evil.example",
		"Sec-Fetch-Site: cross-site",
	)
	if status != 403 || !strings.Contains(body, "another site") {
		t.Errorf("from another site: %d %q", status, body)
	}
}

// The first page of a long session shows its newest exchanges; older
// ones come on demand, down to the first.
func TestOlderExchanges(t *testing.T) {
	w := newWebServer(t)
	client := w.browser()
	id := w.session(livetest.Scripted(6, 100))
	_, page := get(t, client, w.http.URL+"/sessions/"+id)
	if len(page) > 300<<10 {
		t.Errorf("the page has %d KB, at most 300 may be", len(page)>>10)
	}
	seen := map[string]bool{}
	for rounds := 0; ; rounds++ {
		root := livetest.NewDOM(t, page).Root
		for n := range root.Descendants() {
			if n.Data == "article" {
				if seen[livetest.Attr(n, "id")] {
					t.Fatalf("card %s came twice", livetest.Attr(n, "id"))
				}
				seen[livetest.Attr(n, "id")] = true
			}
		}
		older := livetest.Find(root, "older")
		if older == nil {
			break
		}
		_, page = w.ask("GET", livetest.Attr(livetest.Elements(older)[0], "hx-get"), "", "HX-Request: true")
	}
	if len(seen) != 100 {
		t.Errorf("%d cards, want 100", len(seen))
	}
}

func TestPageHeaders(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	for _, path := range []string{"/", "/login", "/settings", "/sessions/" + id, "/nothing", "/healthz"} {
		resp := w.request("GET", path, "")
		resp.Body.Close()
		policy := resp.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") ||
			resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, resp.Header)
		}
	}
	if status, body := w.ask("GET", "/nothing", ""); status != 404 ||
		!strings.Contains(body, "nothing at this address") {
		t.Errorf("no page: %d", status)
	}
	if status, body := w.ask("GET", "/api/nothing", ""); status != 404 || !strings.Contains(body, `"not_found"`) {
		t.Errorf("no address: %d %s", status, body)
	}
}
