package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"colloquy/classroom"
)

const asForm = "Content-Type: application/x-www-form-urlencoded"

func form(pairs ...string) string {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v.Encode()
}

func (w *world) firstClass() classroom.Class {
	w.t.Helper()
	list, err := w.store.Classes(w.t.Context())
	if err != nil || len(list) == 0 {
		w.t.Fatal(len(list), err)
	}
	return list[0]
}

func TestClassIsMadeByForm(t *testing.T) {
	w := newWorld(t)
	resp := w.request("POST", "/classes", form("title", " Year  7 "), asForm)
	resp.Body.Close()
	at := resp.Header.Get("Location")
	class, err := w.store.Class(t.Context(), strings.TrimPrefix(at, "/classes/"))
	if resp.StatusCode != http.StatusSeeOther || err != nil || class.Title != "Year 7" || len(class.Roster) == 0 {
		t.Fatal(resp.StatusCode, at, class, err)
	}
	if code, body := w.ask("POST", "/classes", form("title", " "), asForm); code != http.StatusUnprocessableEntity || !strings.Contains(body, "A title has 1 to 200 characters.") {
		t.Fatal(code, body)
	}
}

func TestRulesAreSetByForm(t *testing.T) {
	w := newWorld(t)
	w.session(nil)
	class := w.firstClass()
	to := "/classes/" + class.ID + "/rules"
	in := form("title", "Biology", "aim", "Know why leaves are green.", "stance", "socratic", "withheld", "the test")
	if code, _ := w.ask("POST", to, in, asForm); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	want := classroom.Rules{Aim: "Know why leaves are green.", Stance: "socratic", Withheld: "the test"}
	if c := w.firstClass(); c.Rules != want || c.Title != "Biology" || len(c.Roster) != len(class.Roster) {
		t.Fatal(c)
	}
	for name, bad := range map[string]string{"title": " ", "stance": "shout", "aim": strings.Repeat("x", 5000)} {
		if code, body := w.ask("POST", to, form(name, bad), asForm); code < 400 || code > 499 || !strings.Contains(body, `id="class-form-title"`) {
			t.Fatal(name, code)
		}
	}
	if c := w.firstClass(); c.Rules != want || c.Title != "Biology" {
		t.Fatal(c)
	}
	resp := w.request("POST", to, in, asForm, "HX-Request: true")
	resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent || resp.Header.Get("HX-Redirect") != "/classes/"+class.ID {
		t.Fatal(resp.StatusCode, resp.Header)
	}
}

type renames struct{ w *world }

func (r renames) Rename(ctx context.Context, id, title, by string) error {
	_, err := r.w.store.Append(ctx, id, 0, classroom.Draft{Payload: classroom.TitleChange{Title: title, By: by}})
	return err
}

func TestSessionIsRenamedAndDeletedByForm(t *testing.T) {
	r := &renames{}
	w := newWorld(t, func(o *Options) { o.Renamer = r })
	r.w = w
	id := w.session(nil)
	if code, _ := w.ask("POST", "/sessions/"+id+"/title", form("title", "Leaves"), asForm); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	if s, err := w.store.Session(t.Context(), id); err != nil || s.Title != "Leaves" {
		t.Fatal(s, err)
	}
	if code, _ := w.ask("POST", "/sessions/"+id+"/title", form("title", ""), asForm); code != http.StatusUnprocessableEntity {
		t.Fatal(code)
	}
	if code, _ := w.ask("POST", "/sessions/"+id+"/delete", "", asForm); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	if code, _ := w.ask("GET", "/sessions/"+id, ""); code != http.StatusNotFound {
		t.Fatal(code)
	}
}
