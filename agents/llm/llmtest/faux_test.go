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

// What a scripted model has to do, of the 23 behaviours that are known to
// matter. Elsewhere in this package: ordered replies and their exhaustion,
// tool-call deltas, waits. Not here, as they are no work of a script's:
// registering and unregistering a provider by name (1, 4, 23: a Script is a
// value), a cache of prompts across and within sessions and its retention
// (11, 12, 13: usage is what the script says), a factory that is not done at
// once (7: By may block).

// 1, 10: usage is estimated where a script asks for it.
func TestUsageEstimate(t *testing.T) {
	req := llm.Request{System: "abcd", Messages: []llm.Message{{Text: "efgh"}, {Text: "é"}}}
	if got := Estimate(req, "12345"); got != (llm.Usage{Input: 3, Output: 2}) {
		t.Errorf("got %+v", got)
	}
}

// 2, 14, 16: block helpers, and the exact order of events at a fixed size of chunks.
func TestBlocksInOrder(t *testing.T) {
	s := New(Reply{Thought("seal", Chunks("I wonder", 5)...), Text(Chunks("grün!", 3)...),
		CallWithOpaque(0, "c1", "f", "sig", Chunks(`{"a":1}`, 4)...), Usage(llm.Usage{Input: 1}), Finish(llm.ToolUse)})
	got, err := ask(t.Context(), s, "q")
	want := []llm.Event{
		{Kind: llm.ThinkingDelta, Text: "I won"}, {Kind: llm.ThinkingDelta, Text: "der"},
		{Kind: llm.ThinkingDelta, Opaque: "seal"},
		{Kind: llm.TextDelta, Text: "grü"}, {Kind: llm.TextDelta, Text: "n!"},
		{Kind: llm.CallDelta, ID: "c1", Name: "f"}, {Kind: llm.CallDelta, Text: `{"a"`},
		{Kind: llm.CallDelta, Text: `:1}`}, {Kind: llm.CallDelta, Opaque: "sig"},
		{Kind: llm.UsageReport, Usage: llm.Usage{Input: 1}}, {Kind: llm.Finish, Reason: llm.ToolUse},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// 3, 4: several models at once, each by its name.
func TestSeveralModels(t *testing.T) {
	a, b := New(Say("of a")).Named("test:a"), New(Say("of b")).Named("test:b")
	for m, want := range map[*Script]string{a: "of a", b: "of b"} {
		if got, err := ask(t.Context(), m, "q"); err != nil || got[0].Text != want {
			t.Errorf("%s: %v, %v", m.Name(), got, err)
		}
	}
}

// 6: replies may be added while others wait, and after exhaustion.
func TestAddAfterExhaustion(t *testing.T) {
	s := New()
	if _, err := ask(t.Context(), s, "q"); !errors.Is(err, ErrExhausted) {
		t.Errorf("empty: %v", err)
	}
	s.Add(Say("late"))
	if got, err := ask(t.Context(), s, "q"); err != nil || got[0].Text != "late" || s.Left() != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// 7, 8: a reply made of the request; one that panics is an error behind Guard.
func TestReplyMadeOfTheRequest(t *testing.T) {
	s := New(Reply{Dynamic(func(r llm.Request) Reply { return Say(string(r.Thinking)) })},
		Reply{Dynamic(func(llm.Request) Reply { panic("no") })})
	for e, err := range s.Stream(t.Context(), llm.Request{Thinking: llm.ThinkHigh, MaxTokens: 7}) {
		if e.Kind == llm.TextDelta && (e.Text != "high" || err != nil) {
			t.Errorf("got %+v, %v", e, err)
		}
	}
	if got := s.Requests()[0]; got.MaxTokens != 7 || got.Thinking != llm.ThinkHigh {
		t.Errorf("kept %+v", got)
	}
	var last error
	for _, err := range llm.Guard(s).Stream(t.Context(), llm.Request{}) {
		last = err
	}
	var e *llm.Error
	if !errors.As(last, &e) {
		t.Errorf("a reply that panics: %v", last)
	}
}

// 9: a reply without an end is refused by Guard, not made up.
func TestReplyWithoutAnEnd(t *testing.T) {
	var last error
	for _, err := range llm.Guard(New(Reply{Text("a")})).Stream(t.Context(), llm.Request{}) {
		last = err
	}
	if !errors.Is(last, llm.ErrIncomplete) {
		t.Errorf("ended with %v", last)
	}
}

// 17, 18: several calls in one answer; an explicit error as its end.
func TestSeveralCallsThenAnError(t *testing.T) {
	boom := errors.New("boom")
	got, err := ask(t.Context(), New(Reply{Call(0, "c1", "f", "{}"), Call(1, "c2", "g", "{}"), Fail(boom)}), "q")
	if len(got) != 4 || got[2].Index != 1 || !errors.Is(err, boom) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// 19 to 22: called off before the first chunk, in mid-text, in mid-thinking and in mid-call.
func TestCalledOffAnywhere(t *testing.T) {
	for name, c := range map[string]struct {
		reply Reply
		after int // events before the end of the context
	}{
		"before the first chunk": {Reply{Text("a")}, 0},
		"in mid-text":            {Reply{Text("a", "b", "c")}, 2},
		"in mid-thinking":        {Reply{Thought("seal", "a", "b")}, 1},
		"before the seal":        {Reply{Thought("seal", "a", "b")}, 2},
		"in mid-call":            {Reply{CallWithOpaque(0, "c", "f", "sig", `{"a":`, `1}`)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.after == 0 {
				cancel()
			}
			n := 0
			var last error
			for _, err := range New(append(c.reply, Finish(llm.Stop))).Stream(ctx, llm.Request{}) {
				if last = err; err == nil {
					n++
				}
				if n == c.after {
					cancel()
				}
			}
			if n != c.after || !errors.Is(last, context.Canceled) {
				t.Errorf("%d events, then %v", n, last)
			}
		})
	}
}

// Pacing: so many characters a second.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Reply
		for _, piece := range Chunks("abcdef", 2) {
			r = append(r, Pause(time.Second), Text(piece))
		}
		start := time.Now()
		got, err := ask(t.Context(), New(append(r, Finish(llm.Stop))), "q")
		if len(got) != 4 || err != nil || time.Since(start) != 3*time.Second {
			t.Errorf("got %v, %v after %v", got, err, time.Since(start))
		}
	})
}

func TestWantBack(t *testing.T) {
	s := New(append(Reply{RequireOpaque("test:m", "t", "c")}, Say("a")...),
		append(Reply{RequireOpaque("test:m", "t", "c")}, Say("a")...))
	own := llm.Message{Role: llm.Self, Model: "test:m", Thought: []llm.Thought{{Opaque: "t"}},
		Calls: []llm.Call{{Opaque: "c"}}}
	for _, name := range []string{"test:m", "test:other"} {
		own.Model = name
		said, failed := "", error(nil)
		for e, err := range s.Stream(t.Context(), llm.Request{Messages: []llm.Message{own}}) {
			said, failed = said+e.Text, err
		}
		if ok := name == "test:m"; ok != (failed == nil) || ok != strings.Contains(said, "a") {
			t.Errorf("%s: %q, %v", name, said, failed)
		}
	}
}
