package llm_test

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

var errBoom = errors.New("boom")

type step struct {
	event llm.Event
	err   error
}

func read(ctx context.Context, m llm.Model) []step {
	var out []step
	for e, err := range llm.Guard(m).Stream(ctx, llm.Request{}) {
		out = append(out, step{e, err})
	}
	return out
}

func TestGuardEndsExactlyOnce(t *testing.T) {
	fin := llm.Event{Kind: llm.Finish, Reason: llm.Stop}
	for name, c := range map[string]struct {
		reply llmtest.Reply
		texts int
		want  error // nil is a Finish
	}{
		"plain": {llmtest.Reply{llmtest.Text("a", "b"), llmtest.Finish(llm.Stop)}, 2, nil},
		"more after finish": {llmtest.Reply{llmtest.Text("a"), llmtest.Emit(fin), llmtest.Text("b"),
			llmtest.Emit(fin)}, 1, nil},
		"error after finish": {llmtest.Reply{llmtest.Finish(llm.Length), llmtest.Fail(errBoom)}, 0, nil},
		"panic after finish": {llmtest.Reply{llmtest.Finish(llm.Stop), llmtest.Panic("late")}, 0, nil},
		"silent end":         {llmtest.Reply{llmtest.Text("a")}, 1, llm.ErrIncomplete},
		"nothing at all":     {llmtest.Reply{}, 0, llm.ErrIncomplete},
		"error":              {llmtest.Reply{llmtest.Text("a"), llmtest.Fail(errBoom)}, 1, errBoom},
		"no reason":          {llmtest.Reply{llmtest.Text("a"), llmtest.Finish("")}, 1, llm.ErrIncomplete},
		"exhausted":          {nil, 0, llmtest.ErrExhausted},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(c.reply)
			if c.reply == nil {
				s = llmtest.New()
			}
			got := read(context.Background(), s)
			if len(got) != c.texts+1 {
				t.Fatalf("got %d steps %v, want %d texts and one end", len(got), got, c.texts)
			}
			end := got[len(got)-1]
			if !errors.Is(end.err, c.want) || c.want == nil && end.event.Kind != llm.Finish {
				t.Errorf("ended with %+v, want %v", end, c.want)
			}
			if end.err != nil && end.event != (llm.Event{}) {
				t.Errorf("error came with event %+v", end.event)
			}
		})
	}
}

func TestGuardTurnsPanicsIntoErrors(t *testing.T) {
	models := map[string]llm.Model{
		"in the sequence": llmtest.New(llmtest.Reply{llmtest.Text("a"), llmtest.Panic("ouch")}),
		"in Stream":       seqModel(func(context.Context) iter.Seq2[llm.Event, error] { panic("ouch") }),
		"nil sequence":    seqModel(func(context.Context) iter.Seq2[llm.Event, error] { return nil }),
	}
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			got := read(context.Background(), m)
			var e *llm.Error
			if end := got[len(got)-1]; !errors.As(end.err, &e) {
				t.Fatalf("ended with %+v, want an llm.Error", end)
			}
			if e.Fault != llm.BadAnswer || e.Retryable() || e.Message == "" {
				t.Errorf("got %+v, want a bad answer that is not tried again", e)
			}
		})
	}
}

func TestGuardLetsTheReadersPanicThrough(t *testing.T) {
	m := llm.Guard(llmtest.New(llmtest.Say("a")))
	defer func() {
		if v := recover(); v != errBoom {
			t.Errorf("recovered %v, want the reader's own panic", v)
		}
	}()
	for range m.Stream(context.Background(), llm.Request{}) {
		panic(errBoom)
	}
}

func TestGuardLetsTheReaderLeave(t *testing.T) {
	stubborn := seqModel(func(context.Context) iter.Seq2[llm.Event, error] {
		return func(yield func(llm.Event, error) bool) {
			for range 3 {
				yield(llm.Event{Kind: llm.TextDelta, Text: "a"}, nil) // does not listen
			}
		}
	})
	n := 0
	for range llm.Guard(stubborn).Stream(context.Background(), llm.Request{}) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("read %d events after leaving at the first", n)
	}
	done := make(chan struct{})
	go func() { // t.FailNow in the middle of a sequence does this
		defer close(done)
		for range llm.Guard(stubborn).Stream(context.Background(), llm.Request{}) {
			runtime.Goexit()
		}
	}()
	<-done
}

func TestGuardReportsTheEndOfTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ignoring := seqModel(func(context.Context) iter.Seq2[llm.Event, error] {
		return func(yield func(llm.Event, error) bool) {
			yield(llm.Event{Kind: llm.TextDelta, Text: "a"}, nil)
			cancel()
			yield(llm.Event{Kind: llm.TextDelta, Text: "b"}, nil)
			yield(llm.Event{Kind: llm.Finish, Reason: llm.Stop}, nil)
		}
	})
	got := read(ctx, ignoring)
	if len(got) != 2 || !errors.Is(got[1].err, context.Canceled) {
		t.Errorf("a model ignoring to its context gave %+v, want one text, then the context's error", got)
	}
	never := llmtest.New(llmtest.Say("a"))
	got = read(ctx, never)
	if len(got) != 1 || !errors.Is(got[0].err, context.Canceled) || len(never.Requests()) > 0 {
		t.Errorf("with a context that has ended: %+v after %d requests", got, len(never.Requests()))
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	got = read(ctx, llmtest.New(llmtest.Reply{llmtest.Do(func(llm.Request) { cancel() }), llmtest.Fail(errBoom)}))
	if len(got) != 1 || !errors.Is(got[0].err, context.Canceled) {
		t.Errorf("a model that fails its own way: %+v", got)
	}
	ctx, cancel = context.WithCancel(context.Background())
	got = read(ctx, seqModel(func(context.Context) iter.Seq2[llm.Event, error] {
		return func(yield func(llm.Event, error) bool) { cancel() }
	}))
	if len(got) != 1 || !errors.Is(got[0].err, context.Canceled) || errors.Is(got[0].err, llm.ErrIncomplete) {
		t.Errorf("a model that ends silently when cancelled: %+v", got)
	}
}

func TestGuardOfGuardIsOne(t *testing.T) {
	m := llm.Guard(llmtest.New())
	if llm.Guard(m) != m {
		t.Error("a guarded model was guarded again")
	}
	if m.Name() != "llmtest:script" {
		t.Errorf("name is %q", m.Name())
	}
}

// A Rethink is delivered once, and only after some text.
func TestGuardDropsInvalidRethinks(t *testing.T) {
	again := llm.Event{Kind: llm.Rethink, Text: "x", Index: 3}
	for name, c := range map[string]struct {
		reply llmtest.Reply
		want  int
	}{
		"after text": {llmtest.Reply{llmtest.Thinking("t"), llmtest.Text("a"), llmtest.Thinking("t"),
			llmtest.Emit(again), llmtest.Text("b"), llmtest.Finish(llm.Stop)}, 1},
		"twice": {llmtest.Reply{llmtest.Text("a"), llmtest.Rethink(), llmtest.Text("b"), llmtest.Rethink(),
			llmtest.Finish(llm.Stop)}, 1},
		"at the beginning": {llmtest.Reply{llmtest.Rethink(), llmtest.Thinking("t"), llmtest.Rethink(),
			llmtest.Finish(llm.Stop)}, 0},
		"after a call": {llmtest.Reply{llmtest.Text("a"), llmtest.Call(0, "c", "f", "{}"), llmtest.Rethink(),
			llmtest.Finish(llm.ToolUse)}, 0},
		"after the end": {llmtest.Reply{llmtest.Text("a"), llmtest.Finish(llm.Stop), llmtest.Rethink()}, 0},
	} {
		n := 0
		got := read(context.Background(), llmtest.New(c.reply))
		for _, s := range got {
			if s.event.Kind == llm.Rethink {
				n++
				if s.event != (llm.Event{Kind: llm.Rethink}) {
					t.Errorf("%s: %+v", name, s.event)
				}
			}
		}
		if end := got[len(got)-1]; n != c.want || end.event.Kind != llm.Finish {
			t.Errorf("%s: %d times Rethink, want %d, ended with %+v", name, n, c.want, end)
		}
	}
}

// Thinking, opaque state and the profile pass through.
func TestGuardKeepsOpaqueStateAndProfile(t *testing.T) {
	m := llm.Guard(llm.With(llmtest.New(llmtest.Use(llmtest.Thought("opaque", "hm"),
		llmtest.CallWithOpaque(0, "c", "f", "sig", "{}"))), llm.Profile{Context: 7}))
	got := read(context.Background(), m)
	if len(got) != 6 || got[1].event.Opaque != "opaque" || got[4].event.Opaque != "sig" ||
		got[5].event.Reason != llm.ToolUse {
		t.Errorf("got %+v", got)
	}
	if p := llm.ProfileOf(m); p.Context != 7 {
		t.Errorf("profile %+v", p)
	}
	if p := llm.ProfileOf(llm.Guard(llmtest.New())); p != (llm.Profile{}) {
		t.Errorf("profile of a model that has none: %+v", p)
	}
}

type seqModel func(context.Context) iter.Seq2[llm.Event, error]

func (seqModel) Name() string { return "test:seq" }

func (m seqModel) Stream(ctx context.Context, _ llm.Request) iter.Seq2[llm.Event, error] {
	return m(ctx)
}
