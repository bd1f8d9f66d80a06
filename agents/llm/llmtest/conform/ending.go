package conform

import (
	"context"
	"errors"
	"testing"
	"time"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

func cancelled(t *testing.T, d Dialect) {
	started := d.Body([]Block{Text("a")}, "")
	for name, a := range map[string]llmtest.Answer{
		"in mid-answer":       {Body: llmtest.Body(llmtest.Bytes(started), llmtest.Until(nil))},
		"before the body":     {Body: llmtest.Until(nil)},
		"before the head":     {Framing: llmtest.NoHead, Body: llmtest.Until(nil)},
		"after half an event": {Body: llmtest.Body(llmtest.Bytes("data: {"), llmtest.Until(nil))},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t, a)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				defer cancel()
				if _, err := u.Wait(t.Context(), 1); err != nil {
					t.Error(err)
				}
			}()
			got := Collect(t, ctx, d.New(t, u), Question("q"))
			if !errors.Is(got.Err, context.Canceled) || errors.Is(got.Err, llm.ErrIncomplete) {
				t.Errorf("ended with %v", got.Err)
			}
			<-u.Requests()[0].Closed()
		})
	}
	t.Run("before the request", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		u := llmtest.Serve(t)
		if got := Collect(t, ctx, d.New(t, u), Question("q")); !errors.Is(got.Err, context.Canceled) ||
			len(u.Requests()) > 0 {
			t.Errorf("ended with %v after %d requests", got.Err, len(u.Requests()))
		}
	})
}

// nothingAfter: data that arrived before the end of the context is not delivered after it.
func nothingAfter(t *testing.T, d Dialect) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	body := d.Body([]Block{Text("a", "b", "c")}, llm.Stop)
	after := 0
	m := d.New(t, llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(body)}))
	for e, err := range m.Stream(ctx, Question("q")) {
		if ctx.Err() != nil {
			if after++; after > 1 || !errors.Is(err, context.Canceled) {
				t.Errorf("after the end of the context: %+v, %v", e, err)
			}
		}
		if e.Kind == llm.TextDelta {
			cancel()
		}
	}
	if after != 1 {
		t.Errorf("%d steps after the end of the context, want the error", after)
	}
}

func readerLeaves(t *testing.T, d Dialect) {
	u := llmtest.Serve(t,
		llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(d.Body([]Block{Text("a")}, "")), llmtest.Until(nil))})
	for range d.New(t, u).Stream(t.Context(), Question("q")) {
		break
	}
	if _, err := u.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	<-u.Requests()[0].Closed()
}

// openBody: the answer ends with its last event, even if the body stays open.
func openBody(t *testing.T, d Dialect) {
	body := d.Body([]Block{Text("a")}, llm.Stop)
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(body), llmtest.Until(nil))})
	start := time.Now()
	got := Collect(t, t.Context(), d.New(t, u), Question("q"))
	if took := time.Since(start); got.Reason != llm.Stop || got.Usage != d.WantUsage || took > 5*time.Second {
		t.Errorf("got %+v after %v", got, took)
	}
	<-u.Requests()[0].Closed()
}
