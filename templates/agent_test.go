package templates

import (
	"testing"

	"colloquy/classroom"
)

func TestEveryAgentHasAnAvatar(t *testing.T) {
	for _, key := range append(Avatars(), "") {
		for _, role := range []classroom.Role{classroom.Teacher, classroom.Assistant, classroom.Student, "?"} {
			a := classroom.Agent{ID: "x" + key, Role: role, Avatar: key, Color: "#f00"}
			if shapes[shape(a)] == "" {
				t.Errorf("%v has no shape", a)
			}
			if c := color(a); c == "" || c == "#f00" {
				t.Errorf("%v has the colour %q", a, c)
			}
		}
	}
}
