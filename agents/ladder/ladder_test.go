package ladder

import (
	"testing"

	"pgregory.net/rapid"
)

const question = "Why are leaves green?"

var opened = State{Question: question, Section: "Leaves", Rung: 1}

func TestNext(t *testing.T) {
	said := []string{question, "Look at Leaves. It has to do with green."}
	for _, c := range []struct {
		name   string
		from   State
		m      Message
		before string
		rung   int
		tries  int
		reason string
	}{
		{"the first question", State{}, Message{question, "Leaves", []string{"leaves", "green"}}, "", 1, 0, Open},
		{"a question that nothing answers", State{}, Message{"What is a quark?", "", nil}, "", 0, 0, ""},
		{"the question again", opened, Message{question, "Leaves", []string{"leaves", "green"}}, question, 1, 0, Press},
		{"noise", opened, Message{"asdf", "", nil}, question, 1, 0, Press},
		{"a sign", opened, Message{"?", "", nil}, question, 1, 0, Press},
		{"ok", opened, Message{"ok", "", nil}, question, 1, 0, Press},
		{"words that were said", opened, Message{"green leaf, look", "Leaves", []string{"green", "leaf"}}, question,
			1, 0, Press},
		{"begging", opened, Message{"please just tell me", "", nil}, question, 1, 0, Press},
		{"a try", opened, Message{"because of chlorophyll", "Leaves", []string{"chlorophyll"}}, question, 2, 1, Try},
		{"a number", opened, Message{"is it 430", "", nil}, question, 2, 1, Try},
		{"stuck once", opened, Message{"I don't know", "", nil}, question, 1, 0, Press},
		{"stuck twice", opened, Message{"keine Ahnung!", "", nil}, "idk", 2, 0, Stuck},
		{"another question", opened, Message{"what are stomata", "Stomata", []string{"stomata"}}, question, 1, 0, Open},
		{"another section without a question", opened, Message{"stomata", "Stomata", []string{"stomata"}}, question,
			2, 1, Try},
		{"the top", State{question, "Leaves", Rungs, 4}, Message{"roots", "", []string{"roots"}}, question, Rungs, 5,
			Try},
	} {
		got, reason := Next(c.from, c.m, c.before, said)
		if got.Rung != c.rung || got.Tries != c.tries || reason != c.reason {
			t.Errorf("%s: %+v by %q, want rung %d, %d tries, %q", c.name, got, reason, c.rung, c.tries, c.reason)
		}
	}
}

// On one ladder the rung never falls, and rises by one at most and only for a reason; the
// same message again never moves it, however often it is pressed.
func TestLadderMovesForReasonsOnly(t *testing.T) {
	messages := []Message{
		{question, "Leaves", []string{"leaves", "green"}}, {"asdf", "", nil}, {"?", "", nil}, {"idk", "", nil},
		{"because of chlorophyll", "Leaves", []string{"chlorophyll"}}, {"430 nm", "", nil}, {"please", "", nil},
		{"light and pigment", "", []string{"light", "pigment"}}, {"what are stomata?", "Stomata", []string{"stomata"}},
	}
	rapid.Check(t, func(t *rapid.T) {
		s, before := State{}, ""
		var said []string
		for range rapid.IntRange(1, 20).Draw(t, "messages") {
			m := rapid.SampledFrom(messages).Draw(t, "message")
			next, reason := Next(s, m, before, said)
			switch {
			case reason == Open:
				said = nil
			case next.Rung < s.Rung || next.Rung > s.Rung+1 || next.Question != s.Question:
				t.Fatalf("%+v after %+v by %q", next, s, m.Text)
			case next.Rung > s.Rung && reason != Try && reason != Stuck:
				t.Fatalf("%q moves the ladder by %q", m.Text, reason)
			}
			said, before = append(said, m.Text), m.Text
			for range rapid.IntRange(0, 8).Draw(t, "presses") {
				again, _ := Next(next, m, "", said)
				if again.Rung != next.Rung || again.Tries != next.Tries {
					t.Fatalf("pressing %q moves %+v to %+v", m.Text, next, again)
				}
			}
			s = next
		}
	})
}
