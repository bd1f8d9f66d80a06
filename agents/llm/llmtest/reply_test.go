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

// Usage is estimated if a script asks for it.
func TestUsageEstimate(t *testing.T) {
	req := llm.Request{System: "abcd", Messages: []llm.Message{{Text: "efgh"}, {Text: "é"}}}
	if got := Estimate(req, "12345"); got != (llm.Usage{Input: 3, Output: 2}) {
		t.Errorf("got %+v", got)
	}
}

// Blocks emit their events in order, at a fixed size of chunks.
func TestBlocksInOrder(t *testing.T) {
	s := New(Reply{Thought("opaque", Chunks("I wonder", 5)...), Text(Chunks("grün!", 3)...),
		CallWithOpaque(0, "c1", "f", "sig", Chunks(`{"a":1}`, 4)...), Usage(llm.Usage{Input: 1}), Finish(llm.ToolUse)})
	got, err := ask(t.Context(), s, "q")
	want := []llm.Event{
		{Kind: llm.ThinkingDelta, Text: "I won"}, {Kind: llm.ThinkingDelta, Text: "der"},
		{Kind: llm.ThinkingDelta, Opaque: "opaque"},
		{Kind: llm.TextDelta, Text: "grü"}, {Kind: llm.TextDelta, Text: "n!"},
		{Kind: llm.CallDelta, ID: "c1", Name: "f"}, {Kind: llm.CallDelta, Text: `{"a"`},
		{Kind: llm.CallDelta, Text: `:1}`}, {Kind: llm.CallDelta, Opaque: "sig"},
		{Kind: llm.UsageReport, Usage: llm.Usage{Input: 1}}, {Kind: llm.Finish, Reason: llm.ToolUse},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Several models at once, each with its name.
func TestSeveralModels(t *testing.T) {
	a, b := New(Say("of a")).Named("test:a"), New(Say("of b")).Named("test:b")
	for m, want := range map[*Script]string{a: "of a", b: "of b"} {
		if got, err := ask(t.Context(), m, "q"); err != nil || got[0].Text != want {
			t.Errorf("%s: %v, %v", m.Name(), got, err)
		}
	}
}

// Replies may be added after exhaustion.
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

// A reply may depend on the request. Behind Guard one that panics is an error.
func TestDynamicReply(t *testing.T) {
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

// Behind Guard a reply without an end is an error.
func TestReplyWithoutAnEnd(t *testing.T) {
	var last error
	for _, err := range llm.Guard(New(Reply{Text("a")})).Stream(t.Context(), llm.Request{}) {
		last = err
	}
	if !errors.Is(last, llm.ErrIncomplete) {
		t.Errorf("ended with %v", last)
	}
}

// An answer may have several calls and end with an error.
func TestSeveralCallsThenAnError(t *testing.T) {
	boom := errors.New("boom")
	got, err := ask(t.Context(), New(Reply{Call(0, "c1", "f", "{}"), Call(1, "c2", "g", "{}"), Fail(boom)}), "q")
	if len(got) != 4 || got[2].Index != 1 || !errors.Is(err, boom) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A reply may be cancelled before the first chunk, in text, in thinking and in a call.
func TestCancelledAnywhere(t *testing.T) {
	for name, c := range map[string]struct {
		reply Reply
		after int // events before the end of the context
	}{
		"before the first chunk":  {Reply{Text("a")}, 0},
		"in text":                 {Reply{Text("a", "b", "c")}, 2},
		"in thinking":             {Reply{Thought("opaque", "a", "b")}, 1},
		"before the opaque state": {Reply{Thought("opaque", "a", "b")}, 2},
		"in a call":               {Reply{CallWithOpaque(0, "c", "f", "sig", `{"a":`, `1}`)}, 2},
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

// A script can pace its deltas.
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

func TestRequireOpaque(t *testing.T) {
	s := New(append(Reply{RequireOpaque("test:m", "t", "c")}, Say("a")...),
		append(Reply{RequireOpaque("test:m", "t", "c")}, Say("a")...))
	own := llm.Message{Role: llm.Self, Model: "test:m", Thought: []llm.Thought{{Opaque: "t"}},
		Calls: []llm.Call{{Opaque: "c"}}}
	for _, name := range []string{"test:m", "test:other"} {
		own.Model = name
		answer, failed := "", error(nil)
		for e, err := range s.Stream(t.Context(), llm.Request{Messages: []llm.Message{own}}) {
			answer, failed = answer+e.Text, err
		}
		if ok := name == "test:m"; ok != (failed == nil) || ok != strings.Contains(answer, "a") {
			t.Errorf("%s: %q, %v", name, answer, failed)
		}
	}
}
