package web

import (
	"net/http"
	"strings"
	"testing"

	"colloquy/classroom"
)

const (
	datedSentence = "Robespierre was executed on 28 July 1794."
	otherSentence = "Robespierre was executed in public."
)

// withholding makes the class withhold a date, which a material of it has.
func (s *school) withholding() classroom.Material {
	s.t.Helper()
	s.class.Rules.Withheld = "when Robespierre was executed"
	s.must(s.store.UpdateClass(s.t.Context(), s.class))
	m, err := s.store.AddMaterial(s.t.Context(), classroom.Material{ClassID: s.class.ID, Name: "Terror"},
		"# The end\n\nRobespierre led the Jacobins. "+datedSentence+"\n\n# The square\n\n"+otherSentence+"\n")
	s.must(err)
	return m
}

// Nothing of what a class withholds reaches those who learn in it: neither in the search nor
// in a material, as page or as file.
func TestWithheldIsNotRead(t *testing.T) {
	s := newSchool(t)
	m := s.withholding()
	source := "/sessions/" + s.session.ID + "/source?material=" + m.ID
	pupil, guest, teacher := s.signedIn(s.pupil), s.guest(s.token), s.signedIn(s.teacher)
	read := 0
	for name, client := range map[string]*http.Client{"pupil": pupil, "guest": guest} {
		for _, path := range []string{
			source, "/materials/" + m.ID, "/api/materials/" + m.ID, "/classes/" + s.class.ID + "/search?q=Robespierre",
			"/api/classes/" + s.class.ID + "/search?q=executed", "/classes/" + s.class.ID + "/review",
			"/api/classes/" + s.class.ID + "/search?q=executed&audience=staff", source + "&audience=staff",
		} {
			code, body := s.get(client, path)
			if code == http.StatusOK && strings.Contains(body, "Jacobins") {
				read++
			}
			if strings.Contains(body, "1794") || strings.Contains(body, "28 July") {
				t.Errorf("%s reads the date at %s", name, path)
			}
		}
	}
	if read < 4 {
		t.Errorf("only %d of the pages show the material", read)
	}
	if _, body := s.get(teacher, "/api/materials/"+m.ID); !strings.Contains(body, datedSentence) {
		t.Error("the teacher does not read her own material")
	}
}

// The teacher sees what was found, and gives a sentence free that need not be kept back;
// another instruction begins anew.
func TestWithheldIsCorrected(t *testing.T) {
	s := newSchool(t)
	m := s.withholding()
	teacher, pupil := s.signedIn(s.teacher), s.signedIn(s.pupil)
	review, rules := "/classes/"+s.class.ID+"/review", "/classes/"+s.class.ID+"/rules"
	_, body := s.get(teacher, review)
	for _, sentence := range []string{datedSentence, otherSentence} {
		if !strings.Contains(body, `name="withheld_kept" value="`+sentence+`" checked`) {
			t.Errorf("the page does not offer %q", sentence)
		}
	}
	code, _ := s.post(teacher, rules, "withheld_shown", datedSentence, "withheld_shown", otherSentence,
		"withheld_kept", datedSentence)
	if code != http.StatusSeeOther {
		t.Fatal(code)
	}
	class, err := s.store.Class(t.Context(), s.class.ID)
	s.must(err)
	if free := class.Rules.WithheldFree; len(free) != 1 || free[0] != otherSentence || class.Rules.Withheld == "" {
		t.Errorf("the rules are %+v", class.Rules)
	}
	_, body = s.get(pupil, "/api/materials/"+m.ID)
	if !strings.Contains(body, otherSentence) || strings.Contains(body, "1794") {
		t.Errorf("the pupil reads %q", body)
	}
	if code, _ := s.post(teacher, rules, "withheld", "who led the Jacobins"); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	class, err = s.store.Class(t.Context(), s.class.ID)
	s.must(err)
	if len(class.Rules.WithheldFree) != 0 {
		t.Errorf("another instruction has %q free", class.Rules.WithheldFree)
	}
	if code, _ := s.post(pupil, rules, "withheld", ""); code == http.StatusSeeOther {
		t.Error("a pupil changes the rules")
	}
}
