package templates

import (
	"testing"

	"colloquy/classroom"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{took(0), "0 ms"},
		{took(-5), "0 s"},
		{took(949), "949 ms"},
		{took(950), "0.9 s"},
		{took(2000), "2 s"},
		{took(9949), "9.9 s"},
		{took(59_400), "59 s"},
		{took(61_200), "1 min 1 s"},
		{grouped(999), "999"},
		{grouped(1234567), "1\u202f234\u202f567"},
		{plural(1, "question", "questions"), "1 question"},
		{plural(0, "question", "questions"), "0 questions"},
		{size(999), "999 bytes"},
		{size(6400), "6 KB"},
		{size(1_250_000), "1.2 MB"},
		{short("a\n b  c", 10), "a b c"},
		{short("课🌍é and more", 5), "课…"},
		{initials("Ms Ada"), "MA"},
		{initials("élan"), "É"},
		{initials("  "), "?"},
		{initials("\xff"), "?"},
		{listed([]string{"Ada", "Ben", "Chi"}), "Ada, Ben and Chi"},
		{sessionTitle(" \n"), "New session"},
		{between(1000, 0), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// What the system says of a run: a word for each way it can stand, and what to do next where something can be done.
func TestVerdicts(t *testing.T) {
	cut := []*classroom.Window{{StopReason: classroom.StopLength}}
	for _, c := range []struct {
		card          classroom.Card
		title, action string
	}{
		{classroom.Card{State: classroom.CardAsked}, "Waiting", ""},
		{classroom.Card{State: classroom.CardRunning, Attempt: 1}, "Answering", ""},
		{classroom.Card{State: classroom.CardRunning, Attempt: 3}, "Answering, once more", ""},
		{classroom.Card{State: classroom.CardInterrupted, InterruptReason: "shutdown"}, "Interrupted", "Continue"},
		{classroom.Card{State: classroom.CardCancelled}, "Stopped", "Continue"},
		{classroom.Card{State: classroom.CardFailed}, "Not finished", "Try again"},
		{classroom.Card{State: classroom.CardFailed, End: &classroom.RunEnd{Code: "tool_cap"}}, "Stopped at a limit", "Continue"},
		{classroom.Card{State: classroom.CardCompleted}, "Answered", ""},
		{classroom.Card{State: classroom.CardCompleted, Windows: cut}, "Cut off", "Continue"},
		{classroom.Card{State: "from the future"}, "Waiting", ""},
	} {
		if v := verdictOf(&c.card); v.Title != c.title || v.Action != c.action {
			t.Errorf("%s: %q and %q, want %q and %q", c.card.State, v.Title, v.Action, c.title, c.action)
		}
	}
}

// Every agent has a shape and a colour, whatever its class was given.
func TestEveryAgentHasAFace(t *testing.T) {
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
