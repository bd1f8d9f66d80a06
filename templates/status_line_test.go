package templates

import (
	"testing"

	"colloquy/classroom"
)

func TestStatusLines(t *testing.T) {
	limit := &classroom.RunEnd{Code: "tool_cap"}
	cut := []*classroom.Window{{StopReason: classroom.StopLength}}
	for _, c := range []struct {
		card          classroom.Card
		title, action string
	}{
		{classroom.Card{State: classroom.CardAsked}, "Waiting", ""},
		{classroom.Card{State: classroom.CardRunning, Attempt: 1}, "Answering", ""},
		{classroom.Card{State: classroom.CardRunning, Attempt: 3}, "Answering again", ""},
		{classroom.Card{State: classroom.CardInterrupted, InterruptReason: "shutdown"}, "Interrupted", "Continue"},
		{classroom.Card{State: classroom.CardCancelled}, "Stopped", "Continue"},
		{classroom.Card{State: classroom.CardFailed}, "Not finished", "Try again"},
		{classroom.Card{State: classroom.CardFailed, End: limit}, "Stopped at a limit", "Continue"},
		{classroom.Card{State: classroom.CardCompleted}, "Answered", ""},
		{classroom.Card{State: classroom.CardCompleted, Windows: cut}, "Cut off", "Continue"},
		{classroom.Card{State: "from the future"}, "Waiting", ""},
	} {
		if v := newStatusLine(t.Context(), &c.card); v.Title != c.title || v.Action != c.action {
			t.Errorf("%s: %q and %q, want %q and %q", c.card.State, v.Title, v.Action, c.title, c.action)
		}
	}
}
