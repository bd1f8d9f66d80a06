package llmtest

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents/llm"
)

func ask(ctx context.Context, s *Script, text string) (events []llm.Event, err error) {
	req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
	for e, failed := range s.Stream(ctx, req) {
		if failed != nil {
			return events, failed
		}
		events = append(events, e)
	}
	return events, nil
}

func says(text string) func(llm.Request) bool {
	return func(r llm.Request) bool { return strings.Contains(r.Messages[len(r.Messages)-1].Text, text) }
}

func TestRepliesInOrderThenExhausted(t *testing.T) {
	s := New(Say("one"), Say("two"))
	s.Add(Say("three"))
	for _, want := range []string{"one", "two", "three"} {
		got, err := ask(t.Context(), s, "q")
		if err != nil || got[0].Text != want || got[len(got)-1].Reason != llm.Stop {
			t.Fatalf("got %v, %v, want %s", got, err, want)
		}
	}
	_, err := ask(t.Context(), s, "q")
	var e *llm.Error
	if !errors.Is(err, ErrExhausted) || !errors.As(err, &e) || e.Retryable() {
		t.Errorf("a script that is used up ends with %v", err)
	}
	if n := len(s.Requests()); n != 4 || s.Left() != 0 {
		t.Errorf("%d requests recorded, %d replies left", n, s.Left())
	}
}

func TestRulesComeBeforeTheList(t *testing.T) {
	s := New(Say("list"))
	s.When(says("moon"), Say("moon 1"), Say("moon 2"))
	s.Always(says("sun"), Say("sun"))
	for _, c := range [][2]string{{"moon", "moon 1"}, {"sun", "sun"}, {"moon", "moon 2"}, {"sun", "sun"},
		{"moon", "list"}} {
		if got, err := ask(t.Context(), s, c[0]); err != nil || got[0].Text != c[1] {
			t.Errorf("asked %s: %v, %v, want %s", c[0], got, err, c[1])
		}
	}
}

func TestCallsComeInFragments(t *testing.T) {
	s := New(Use(Thinking("hm"), Call(0, "c1", "search_materials", `{"query":`, `"leaf"}`),
		CallJSON(1, "c2", "look", map[string]int{"n": 1})))
	got, err := ask(t.Context(), s, "q")
	want := []llm.Event{
		{Kind: llm.ThinkingDelta, Text: "hm"},
		{Kind: llm.CallDelta, ID: "c1", Name: "search_materials"},
		{Kind: llm.CallDelta, Text: `{"query":`},
		{Kind: llm.CallDelta, Text: `"leaf"}`},
		{Kind: llm.CallDelta, Index: 1, ID: "c2", Name: "look"},
		{Kind: llm.CallDelta, Index: 1, Text: `{"n":1}`},
		{Kind: llm.Finish, Reason: llm.ToolUse},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestContextEndsEveryWait(t *testing.T) {
	waits := map[string]func() Step{ // made inside the bubble, as channels must be
		"pause": func() Step { return Pause(time.Hour) },
		"hang":  Hang,
		"gate":  func() Step { return Wait(make(chan int)) },
	}
	for name, wait := range waits {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				start := time.Now()
				got, err := ask(ctx, New(Reply{Text("a"), wait(), Text("b"), Finish(llm.Stop)}), "q")
				if len(got) != 1 || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
					t.Errorf("got %v, %v after %v", got, err, time.Since(start))
				}
			})
		})
	}
}

func TestContextIsCheckedBetweenPieces(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range New(Say("a", "b", "c")).Stream(ctx, llm.Request{}) {
		n++
		cancel()
		if n == 2 && !errors.Is(err, context.Canceled) {
			t.Errorf("second step after the end of the context: %v", err)
		}
	}
	if n != 2 {
		t.Errorf("%d steps, want one piece and one error", n)
	}
}

func TestPausesTakeTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := ask(t.Context(), New(Reply{Pause(time.Minute), Text("a"), Pause(time.Minute), Finish(llm.Stop)}), "q")
		if err != nil || time.Since(start) != 2*time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestRequestsAreKeptAsTheyWere(t *testing.T) {
	s := New(Reply{Dynamic(func(r llm.Request) Reply { return Say("you said " + r.Messages[0].Text) })})
	req := llm.Request{Messages: []llm.Message{{Text: "before"}}}
	for e := range s.Stream(t.Context(), req) {
		if e.Kind == llm.TextDelta && e.Text != "you said before" {
			t.Errorf("got %q", e.Text)
		}
	}
	req.Messages[0].Text = "after"
	if got := s.Requests()[0].Messages[0].Text; got != "before" {
		t.Errorf("the recorded request changed to %q", got)
	}
}

func TestReaderMayLeave(t *testing.T) {
	s := New(Say("a", "b"))
	for range s.Stream(t.Context(), llm.Request{}) {
		break
	}
	if s.Left() != 0 {
		t.Error("the reply was not consumed")
	}
}
