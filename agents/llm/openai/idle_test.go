package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// A pipe answers requests from memory, so that synctest controls the time of each
// write.
type pipe struct {
	script  func(w io.Writer)
	playing sync.WaitGroup
}

func (p *pipe) RoundTrip(req *http.Request) (*http.Response, error) {
	r, w := io.Pipe()
	context.AfterFunc(req.Context(), func() { w.CloseWithError(req.Context().Err()) })
	p.playing.Go(func() {
		p.script(w)
		<-req.Context().Done()
	})
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: r, Request: req}, nil
}

func play(t *testing.T, script func(w io.Writer)) outcome {
	t.Helper()
	p := &pipe{script: script}
	defer p.playing.Wait()
	return ask(t, p)
}

func ask(t *testing.T, rt http.RoundTripper) outcome {
	t.Helper()
	m, err := New(Options{BaseURL: "http://127.0.0.1:1", Key: testKey, Model: "m", HTTP: &http.Client{Transport: rt}})
	if err != nil {
		t.Fatal(err)
	}
	return collect(t, t.Context(), m, question("q"))
}

// A model may pause for minutes before the first delta and between two deltas.
func TestSlowAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := play(t, func(w io.Writer) {
			time.Sleep(130 * time.Second)
			io.WriteString(w, ": thinking\n")
			for range 4 {
				time.Sleep(4 * time.Minute)
				io.WriteString(w, llmtest.Data(text("a")))
			}
			time.Sleep(4 * time.Minute)
			io.WriteString(w, llmtest.Data(finish("stop"), done))
		})
		if got.Text != "aaaa" || got.Reason != llm.Stop {
			t.Errorf("got %+v", got)
		}
	})
}

func TestIdleTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		got := play(t, func(w io.Writer) { io.WriteString(w, llmtest.Data(text("a"))) })
		e := userError(t, got.Err)
		if got.Text != "a" || !errors.Is(e, llm.ErrIncomplete) || !e.Retryable() || time.Since(start) != 5*time.Minute {
			t.Errorf("got %q, %v after %v", got.Text, e, time.Since(start))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		got := ask(t, deaf{})
		if e := userError(t, got.Err); e.Fault != llm.Unreachable || time.Since(start) != 5*time.Minute {
			t.Errorf("nothing at all: %v after %v", e, time.Since(start))
		}
	})
}

type deaf struct{}

func (deaf) RoundTrip(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

// The answer ends with its finish reason even if the body stays open; a usage may
// follow within EndTimeout.
func TestOpenBodyAfterTheFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		got := play(t, func(w io.Writer) {
			io.WriteString(w, llmtest.Data(text("a"), finish("stop")))
			time.Sleep(time.Second)
			io.WriteString(w, llmtest.Data(usage))
			for {
				time.Sleep(500 * time.Millisecond)
				if _, err := io.WriteString(w, ": still here\n\n"); err != nil {
					return
				}
			}
		})
		if took := time.Since(start); got.Reason != llm.Stop || got.Usage != wantUsage || took > 3*time.Second {
			t.Errorf("got %+v after %v", got, took)
		}
	})
}

// A connection that fails after the finish reason makes no difference.
func TestFailureAfterTheFinish(t *testing.T) {
	a := llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(llmtest.Data(text("a"), finish("length"))), llmtest.FIN())}
	if got := collect(t, t.Context(), model(t, llmtest.Serve(t, a)), question("q")); got.Reason != llm.Length {
		t.Errorf("got %+v", got)
	}
}
