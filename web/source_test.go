package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"colloquy/classroom"
)

// A citation opens at its passage, for guests too, and shows nothing that is for teachers
// only, nor a material of another class.
func TestSourceOpensAtThePassage(t *testing.T) {
	s := newSchool(t)
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text,
			"## Part %d\n\nThe quokka of part %d eats leaves of the island, and nothing else at all here.\n\n", i, i)
	}
	text.WriteString("## Solutions\n\nThe quokka weighs three kilograms, which only teachers may read in this text.\n")
	m, err := s.store.AddMaterial(t.Context(), classroom.Material{ClassID: s.class.ID, Name: "Quokka"}, text.String())
	s.must(err)
	all, err := s.store.NextPassages(t.Context(), m.ID, -1, 100, true)
	s.must(err)
	guest := s.guest(s.token)
	for _, n := range []int{0, 30, 59} {
		path := fmt.Sprintf("/sessions/%s/source?material=%s&from=%d", s.session.ID, m.ID, all[n].From)
		code, body := s.get(guest, path)
		lit := strings.Index(body, `id="lit"`)
		if code != http.StatusOK || lit < 0 || !strings.Contains(body[lit:min(len(body), lit+300)],
			fmt.Sprintf("of part %d eats", n)) {
			t.Errorf("passage %d: %d", n, code)
		}
		if strings.Contains(body, "three kilograms") {
			t.Errorf("passage %d shows what is for teachers", n)
		}
		if got := strings.Count(body, "The quokka of part"); got > sourcePart+sourceBefore {
			t.Errorf("a page of %d passages", got)
		}
	}
	for _, query := range []string{"", "?material=nobody", "?material=../x&from=-5"} {
		if code, _ := s.get(guest, "/sessions/"+s.session.ID+"/source"+query); code != http.StatusNotFound {
			t.Errorf("%q: %d", query, code)
		}
	}
	foreign, err := s.store.AddMaterial(t.Context(), classroom.Material{ClassID: s.foreign.ClassID, Name: "Other"},
		"Other words.")
	s.must(err)
	if code, _ := s.get(guest, "/sessions/"+s.session.ID+"/source?material="+foreign.ID); code != http.StatusNotFound {
		t.Errorf("a material of another class: %d", code)
	}
}

// The search says how a word was read and what to do where nothing is found.
func TestClassSearch(t *testing.T) {
	s := newSchool(t)
	_, err := s.store.AddMaterial(t.Context(), classroom.Material{ClassID: s.class.ID, Name: "Paris"},
		"# July\n\nOn 14 July 1789 a crowd stormed the Bastille.\n\n# Answers\n\n"+
			"Seven prisoners were inside, which is secret.")
	s.must(err)
	pupil := s.signedIn(s.pupil)
	for query, want := range map[string]string{
		"Bastille": "stormed the", "Bastlile": "was read as", "quokka": "No passage answers",
		"prisoners": "No passage answers",
		"":          "Search the materials",
	} {
		code, body := s.get(pupil, "/classes/"+s.class.ID+"/search?q="+query)
		if code != http.StatusOK || !strings.Contains(body, want) || strings.Contains(body, "which is secret") {
			t.Errorf("%q: %d, without %q", query, code, want)
		}
	}
	for audience, want := range map[string]bool{"": false, "&audience=staff": true} {
		code, body := s.get(s.signedIn(s.teacher), "/api/classes/"+s.class.ID+"/search?q=prisoners"+audience)
		if code != http.StatusOK || strings.Contains(body, "which is secret") != want {
			t.Errorf("audience %q: %d %s", audience, code, body)
		}
	}
}
