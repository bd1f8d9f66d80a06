package classroom

import (
	"fmt"
	"strings"
	"testing"
)

// rightsTable lists what each person may do with a class that an owner has, with its
// session, with the class of another owner, and with the workbench.
const rightsTable = `
owner       class: read take teach review own  session: read take teach review own  other:  workbench: read teach own
second      class:  session:  other: read take teach review own  workbench: read teach
teacher     class: read take teach review  session: read take teach review  other:  workbench: read teach
pupil       class: read take  session: read take  other:  workbench: read
reader      class:  session: read  other:  workbench:
asker       class:  session: read take  other:  workbench:
gone        class:  session:  other:  workbench:
nobody      class:  session:  other:  workbench:
`

func TestCan(t *testing.T) {
	mine, other := Class{ID: "a", Owner: "owner"}, Class{ID: "b", Owner: "second"}
	session := Session{ID: "s", ClassID: "a", Owner: "owner"}
	people := map[string]Person{
		"owner":   {ID: "owner", Role: Owner},
		"second":  {ID: "second", Role: TeacherRole},
		"teacher": {ID: "t", Role: TeacherRole, Classes: map[string]PersonRole{"a": TeacherRole}},
		"pupil":   {ID: "p", Role: PupilRole, Classes: map[string]PersonRole{"a": PupilRole}},
		"reader":  {ID: "g", Role: GuestRole, Link: &GuestLink{Kind: SessionObject, Object: "s", Right: Read}},
		"asker":   {ID: "g", Role: GuestRole, Link: &GuestLink{Kind: SessionObject, Object: "s", Right: Take}},
		"gone":    {ID: "g", Role: GuestRole},
		"nobody":  {},
	}
	for line := range strings.Lines(strings.TrimPrefix(rightsTable, "\n")) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), " ")
		var got strings.Builder
		for _, x := range []struct {
			name   string
			object Object
		}{
			{"class", mine.Object()}, {"session", session.Object()},
			{"other", other.Object()}, {"workbench", Workbench()},
		} {
			fmt.Fprintf(&got, "%s: ", x.name)
			for _, a := range []Action{Read, Take, Teach, Review, Own} {
				if Can(people[name], a, x.object) {
					fmt.Fprintf(&got, "%s ", a)
				}
			}
		}
		if strings.Join(strings.Fields(want), " ") != strings.TrimSpace(got.String()) {
			t.Errorf("%s may\n%s, want\n%s", name, got.String(), want)
		}
	}
}

// What has no id, or belongs to no class, is nobody's; an id that is missing on both
// sides makes nobody an owner.
func TestCanRefusesGaps(t *testing.T) {
	everything := map[string]PersonRole{"": Owner}
	for _, p := range []Person{
		{Role: TeacherRole, Classes: everything},
		{Role: GuestRole, Link: &GuestLink{Kind: SessionObject, Right: Take}},
		{ID: "g", Role: GuestRole, Classes: everything, Link: &GuestLink{Right: Own}},
	} {
		for _, o := range []Object{{}, {Kind: SessionObject}, {Kind: ClassObject}, Class{}.Object()} {
			if Can(p, Read, o) {
				t.Errorf("%+v may read %+v", p, o)
			}
		}
	}
	unowned := Class{ID: "c"}.Object()
	if !Can(Person{ID: "o", Role: Owner}, Own, unowned) || Can(Person{Role: TeacherRole}, Read, unowned) {
		t.Error("a class without an owner is not the workbench owner's alone")
	}
}

func TestGuestLinkValid(t *testing.T) {
	l := GuestLink{Expires: 100}
	if !l.Valid(99) || l.Valid(100) {
		t.Error("a link is not valid until it expires")
	}
	if l.Revoked = 5; l.Valid(50) {
		t.Error("a revoked link is valid")
	}
}
