package web

import (
	"html"
	"net/http"
	"strings"
	"testing"

	"colloquy/classroom"
)

// Messages that a person sends after a change of name have the new name.
func TestNameIsChanged(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	w.refuses("PATCH", "/api/me", `{"name":"Early"}`, 409, "no_owner", "no owner yet")
	w.browser()
	if code, page := w.ask("GET", "/settings", ""); code != 200 || !strings.Contains(page, `value="Owner"`) {
		t.Fatal(code, "the settings do not show the name")
	}
	long := strings.Repeat("ü", 61)
	for _, bad := range []string{" ", "\u200b", long} {
		code, page := w.submit("/settings/name", "name", bad)
		for _, want := range []string{
			english(classroom.ErrPersonName), `value="` + html.EscapeString(bad) + `"`, `aria-invalid="true"`,
		} {
			if code != http.StatusUnprocessableEntity || !strings.Contains(page, want) {
				t.Errorf("%.5q: %d, no %s", bad, code, want)
			}
		}
		w.refuses("PATCH", "/api/me", `{"name":"`+bad+`"}`, 422, "bad_name", "1 to 60")
	}
	if code, _ := w.submit("/settings/name", "name", " Ms \u202e Osei "); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	w.ask("POST", "/api/sessions/"+id+"/messages", `{"text":"Why?"}`)
	p := decode[classroom.Person](t, w, "PATCH", "/api/me", `{"name":"Mr Bell"}`, 200)
	if p.Name != "Mr Bell" || p.Role != classroom.Owner {
		t.Errorf("%+v", p)
	}
	w.ask("POST", "/api/sessions/"+id+"/messages", `{"text":"How?"}`)
	if p := decode[classroom.Person](t, w, "PATCH", "/api/me", `{}`, 200); p.Name != "Mr Bell" {
		t.Errorf("no name became %+v", p)
	}
	if said := strings.Join(w.runner.notes(), "; "); said != "send Ms Osei: Why?; send Mr Bell: How?" {
		t.Error(said)
	}
	ann := classroom.Person{Name: "Ann", Role: classroom.TeacherRole}
	if _, err := w.store.CreatePerson(t.Context(), ann, ""); err != nil {
		t.Fatal(err)
	}
	w.refuses("PATCH", "/api/me", `{"name":"ANN"}`, 409, "name_taken", "Choose another one")
}
