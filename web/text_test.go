package web

import (
	"net/http"
	"testing"
)

func TestNamesArePlain(t *testing.T) {
	for in, want := range map[string]string{
		" Year \u202e7\u202c\x00 ": "Year 7", "\u200b\u2066": "", "Zoë\tTest": "Zoë Test", "\x1b": "",
	} {
		if got := plainName(in); got != want {
			t.Errorf("%q became %q, not %q", in, got, want)
		}
	}
	if got := plainText("a\x00\tb\n\u202e"); got != "a\tb\n\u202e" {
		t.Errorf("%q", got)
	}
}

func TestNothingVisibleIsRefused(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	for path, body := range map[string]string{
		"/api/sessions/" + id + "/messages": `{"text":"\u200b\u0000"}`,
		"/api/classes":                      `{"title":"\u202e"}`,
		"/api/sessions":                     `{"title":"\u200b"}`,
	} {
		if code, answer := w.ask("POST", path, body); code != http.StatusUnprocessableEntity {
			t.Error(path, code, answer)
		}
	}
	if code, _ := w.ask("POST", "/api/classes", "{\"title\":\"\xff\"}"); code != http.StatusBadRequest {
		t.Error(code)
	}
}
