package web

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"colloquy/classroom"
)

func TestClassIsMadeByForm(t *testing.T) {
	w := newWebServer(t)
	resp := w.request("POST", "/classes", form("title", " Year  7 "), asForm)
	resp.Body.Close()
	at := resp.Header.Get("Location")
	class, err := w.store.Class(t.Context(), strings.TrimPrefix(at, "/classes/"))
	if resp.StatusCode != http.StatusSeeOther || err != nil || class.Title != "Year 7" || len(class.Roster) == 0 {
		t.Fatal(resp.StatusCode, at, class, err)
	}
	if code, body := w.submit("/classes", "title", " "); code != 422 ||
		!strings.Contains(body, "A title has 1 to 200 characters.") {
		t.Fatal(code, body)
	}
}

func TestRulesAreSetByForm(t *testing.T) {
	w := newWebServer(t)
	w.session(nil)
	class := w.firstClass()
	to := "/classes/" + class.ID + "/rules"
	in := form("title", "Biology", "aim", "Know why leaves are green.", "stance", "socratic", "withheld", "the test")
	if code, _ := w.ask("POST", to, in, asForm); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	want := classroom.Rules{Aim: "Know why leaves are green.", Manner: "socratic", Withheld: "the test"}
	if c := w.firstClass(); !reflect.DeepEqual(c.Rules, want) || c.Title != "Biology" ||
		len(c.Roster) != len(class.Roster) {
		t.Fatal(c)
	}
	for name, bad := range map[string]string{"title": " ", "stance": "shout", "aim": strings.Repeat("x", 5000)} {
		if code, body := w.submit(to, name, bad); code < 400 || code > 499 ||
			!strings.Contains(body, `id="class-form-title"`) {
			t.Fatal(name, code)
		}
	}
	if c := w.firstClass(); !reflect.DeepEqual(c.Rules, want) || c.Title != "Biology" {
		t.Fatal(c)
	}
	resp := w.request("POST", to, in, asForm, "HX-Request: true")
	resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent || resp.Header.Get("HX-Redirect") != "/classes/"+class.ID {
		t.Fatal(resp.StatusCode, resp.Header)
	}
}

func TestSessionIsRenamedAndDeletedByForm(t *testing.T) {
	var w *webServer
	w = newWebServer(t, func(o *Options) {
		o.Rename = func(ctx context.Context, id, title, by string) error {
			change := classroom.TitleChange{Title: title, By: by}
			_, err := w.store.Append(ctx, id, 0, classroom.Draft{Payload: change})
			return err
		}
	})
	id := w.session(nil)
	if code, _ := w.submit("/sessions/"+id+"/title", "title", "Leaves"); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	if s, err := w.store.Session(t.Context(), id); err != nil || s.Title != "Leaves" {
		t.Fatal(s, err)
	}
	if code, _ := w.submit("/sessions/"+id+"/title", "title", ""); code != http.StatusUnprocessableEntity {
		t.Fatal(code)
	}
	if code, _ := w.ask("POST", "/sessions/"+id+"/delete", "", asForm); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	if code, _ := w.ask("GET", "/sessions/"+id, ""); code != http.StatusNotFound {
		t.Fatal(code)
	}
}

func TestClassIsDeletedByForm(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	class := w.firstClass()
	_, page := w.ask("GET", "/classes/"+class.ID, "")
	if !strings.Contains(page, `action="/classes/`+class.ID+`/delete"`) {
		t.Error("the page has no form for it")
	}
	stream := w.open("/api/sessions/" + id + "/events?after=0")
	resp := w.request("POST", "/classes/"+class.ID+"/delete", "", asForm)
	resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != "/" {
		t.Fatal(resp.StatusCode, resp.Header)
	}
	if said := w.runner.notes(); len(said) != 1 || said[0] != "cancel" {
		t.Error("its run was not stopped:", said)
	}
	stream.until("bye")
	for _, gone := range []string{"/classes/" + class.ID, "/sessions/" + id} {
		if code, _ := w.ask("GET", gone, ""); code != http.StatusNotFound {
			t.Error(gone, code)
		}
	}
	if code, _ := w.ask("POST", "/classes/"+class.ID+"/delete", "", asForm); code != http.StatusNotFound {
		t.Error("twice:", code)
	}
}

// A person who pastes a text from a session's page is sent back to that page.
func TestPasteLeadsBackToTheSession(t *testing.T) {
	w := newWebServer(t)
	session := "/sessions/" + w.session(nil)
	class := "/classes/" + w.firstClass().ID
	if _, page := w.ask("GET", session, ""); !strings.Contains(page, `href="`+class+`?back#paste"`) {
		t.Fatal("the session has no link to the form")
	}
	field := `name="back" value="` + session + `"`
	for _, c := range []struct {
		path, from string
		back       bool
	}{
		{class + "?back=" + session, "", true},
		{class + "?back", w.http.URL + session, true},
		{class + "?back", "", false},
		{class + "?back", "https://other.example" + session, false},
		{class + "?back", w.http.URL + class, false},
		{class, w.http.URL + session, false},
		{class + "?back=//other.example" + session, "", false},
		{class + "?back=https://other.example" + session, "", false},
		{class + "?back=/sessions/../settings", "", false},
	} {
		_, page := w.ask("GET", c.path, "", "Referer: "+c.from)
		if strings.Contains(page, field) != c.back || strings.Contains(page, "Back to the session") != c.back {
			t.Errorf("%s from %q: want a way back: %v", c.path, c.from, c.back)
		}
	}
	if code, page := w.submit(class+"/materials", "name", "Leaves", "text", " ", "back", session); code < 400 ||
		!strings.Contains(page, field) {
		t.Error(code, "a mistake loses the way back")
	}
	for i, c := range []struct{ back, want string }{
		{session, session}, {"", class}, {"https://other.example/", class}, {"//other.example", class},
	} {
		resp := w.request(
			"POST", class+"/materials",
			form("name", fmt.Sprint("Leaves ", i), "text", "Leaves are green.", "back", c.back), asForm,
		)
		resp.Body.Close()
		if at := resp.Header.Get("Location"); resp.StatusCode != http.StatusSeeOther || at != c.want {
			t.Errorf("back to %q led to %d %s", c.back, resp.StatusCode, at)
		}
	}
}
