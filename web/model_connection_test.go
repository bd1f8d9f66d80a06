package web

import (
	"net/http"
	"strings"
	"testing"

	"colloquy/classroom"
)

// A second press on "Next" continues with the unfinished model.
func TestConnectingAgainLeavesOneEntry(t *testing.T) {
	w, _ := newModelServer(t)
	next := func(pairs ...string) string {
		t.Helper()
		resp := w.request("POST", "/settings/models", form(pairs...), asForm)
		resp.Body.Close()
		if resp.StatusCode != http.StatusSeeOther {
			t.Fatal(resp.StatusCode)
		}
		return resp.Header.Get("Location")
	}
	at := next("provider", "openai", "base_url", "https://a.example/v1", "key", webKey)
	again := next("provider", "openai", "base_url", "a.example/v1/", "private", "on")
	if list := w.models(); len(list) != 1 || again != at || !list[0].HasKey || !list[0].Private {
		t.Fatalf("%s then %s: %+v", at, again, list)
	}
	other := next("provider", "anthropic", "base_url", "https://a.example/v1")
	_, page := w.ask("GET", "/settings", "")
	if !strings.Contains(page, "Not finished") || strings.Count(page, "/delete") != 2 {
		t.Error("the settings do not offer to cancel what was begun")
	}
	if _, page := w.ask("GET", at, ""); !strings.Contains(page, "<span>Cancel") ||
		strings.Contains(page, "Remove this model") {
		t.Error("the page of what was begun has no way to cancel it")
	}
	if code, _ := w.ask("POST", other+"/delete", "", asForm); code != http.StatusSeeOther || len(w.models()) != 1 {
		t.Error(code, "it was not cancelled")
	}
	// The buttons of local servers finish the unfinished model; a finished one stays as it is.
	for range 2 {
		next("provider", "openai", "base_url", "https://a.example/v1", "name", "alpha")
	}
	if list := w.models(); len(list) != 2 || list[0].Name != "alpha" || list[1].Name != "alpha" {
		t.Errorf("%+v", list)
	}
	if _, page := w.ask("GET", "/settings", ""); strings.Contains(page, "Not finished") {
		t.Error("finished models stand among those that are not")
	}
}

func TestKeyIsAskedForAgainWhereThereWasOne(t *testing.T) {
	w, _ := newModelServer(t)
	for key, want := range map[string]bool{webKey: true, "": false} {
		code, page := w.submit("/settings/models", "provider", "openai", "base_url", "http://10.0.0.1/v1", "key", key)
		if code != http.StatusUnprocessableEntity || strings.Contains(page, "Please enter the key again") != want {
			t.Errorf("%d with the key %q", code, key)
		}
		w.keepsSecret(page)
	}
}

// A model whose server cannot be reached is not suggested as the default.
func TestUnreachedModelIsNotTicked(t *testing.T) {
	w, f := newModelServer(t)
	m := w.addModel("", "")
	const box = `<input id="model-default" name="default" type="checkbox"`
	at := "/settings/models/" + m.ID
	ticked := func(page string) bool {
		t.Helper()
		if !strings.Contains(page, box) {
			t.Fatal("there is no box")
		}
		return strings.Contains(page, box+" checked")
	}
	if _, page := w.ask("GET", at, ""); !ticked(page) {
		t.Error("reached, and not ticked")
	}
	if _, page := w.submit(at, "pick", "alpha", "input", "x"); ticked(page) {
		t.Error("what was unticked is ticked again")
	}
	f.err = &classroom.Error{Code: "unreachable", Message: "Nobody answers there."}
	if _, page := w.ask("GET", at, ""); ticked(page) {
		t.Error("not reached, and ticked")
	}
	if _, page := w.submit(at, "name", "mine", "input", "x", "default", "on"); !ticked(page) {
		t.Error("what was ticked is unticked")
	}
}

func TestBadNumbersMarkTheirFields(t *testing.T) {
	w, _ := newModelServer(t)
	m := w.addModel("x", "")
	at := "/settings/models/" + m.ID
	code, page := w.submit(
		at, "name", "x", "input", "2,50", "output", "1.234,50", "cache_read", "100001", "context", "-1",
	)
	if code != http.StatusUnprocessableEntity || strings.Count(page, "aria-invalid") != 3 {
		t.Error(code, strings.Count(page, "aria-invalid"), "fields are marked")
	}
	for _, want := range []string{
		"Please correct “Output” and “Read from the cache”. " + english(classroom.ErrModelPrice),
		"Please correct “Context window, in tokens”. " + english(classroom.ErrModelLimit),
		`value="2,50"`, `value="1.234,50"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
	if code, _ := w.submit(at, "name", "x", "input", "2,50", "context", "8 192"); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	if m := w.models()[0]; m.Price.Input != 2_500_000 || m.Context != 8192 {
		t.Errorf("%+v", m)
	}
}
