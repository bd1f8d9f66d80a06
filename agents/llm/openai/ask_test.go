package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

const testKey = "sk-test-5ecret-key"

// An outcome is a whole answer, put together.
type outcome struct {
	Text, Thinking string
	Calls          []llm.Call
	Usage          llm.Usage
	Reason         llm.Reason // empty where it ended with an error
	err            error
}

// listen puts an answer together and checks the rules of delivery.
func listen(t *testing.T, ctx context.Context, m *Model, req llm.Request) outcome {
	t.Helper()
	var o outcome
	args := map[int]string{}
	ended := false
	for e, err := range m.Stream(ctx, req) {
		if ended {
			t.Errorf("after the end came %+v, %v", e, err)
		}
		if err != nil {
			o.err, ended = err, true
			continue
		}
		switch e.Kind {
		case llm.TextDelta:
			o.Text += e.Text
			checkWhole(t, e.Text)
		case llm.ThinkingDelta:
			o.Thinking += e.Text
			checkWhole(t, e.Text)
		case llm.CallDelta:
			o.call(t, e)
			args[e.Index] += e.Text
		case llm.UsageReport:
			o.Usage = e.Usage
		case llm.Finish:
			o.Reason, ended = e.Reason, true
		}
	}
	if !ended {
		t.Error("the sequence ended silently")
	}
	for i := range o.Calls {
		o.Calls[i].Args = json.RawMessage(args[i])
	}
	return o
}

func (o *outcome) call(t *testing.T, e llm.Event) {
	if e.Index > len(o.Calls) {
		t.Errorf("call %d began after %d calls", e.Index, len(o.Calls))
		return
	}
	if e.Index == len(o.Calls) {
		o.Calls = append(o.Calls, llm.Call{ID: e.ID, Name: e.Name})
	} else if e.ID != "" || e.Name != "" {
		t.Errorf("call %d was named again: %+v", e.Index, e)
	}
}

func checkWhole(t *testing.T, text string) {
	if text == "" || strings.ToValidUTF8(text, "") != text {
		t.Errorf("delta %q is empty or holds half a character", text)
	}
}

func model(t *testing.T, u *llmtest.Upstream) *Model {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	m, err := New(Options{BaseURL: u.URL, Key: testKey, Model: "fake-model", HTTP: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// every asks for the same body in several cuts: at once, event by event, line
// by line and byte by byte, and by the end of the connection. Each has to give want.
func every(t *testing.T, body string, want outcome, check func(*testing.T, error)) {
	t.Helper()
	for name, a := range map[string]llmtest.Answer{
		"at once":   {Body: llmtest.Bytes(body)},
		"events":    {Body: llmtest.Bytes(strings.SplitAfter(body, "\n\n")...)},
		"lines":     {Body: llmtest.Bytes(strings.SplitAfter(body, "\n")...)},
		"bytes":     {Body: llmtest.Dribble(body)},
		"until EOF": {Framing: llmtest.UntilEOF, Body: llmtest.Bytes(body)},
	} {
		t.Run(name, func(t *testing.T) {
			got := listen(t, t.Context(), model(t, llmtest.Serve(t, a)), question("q"))
			check(t, got.err)
			got.err = nil
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("ended with %v", err)
	}
}

func question(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

// delta is a chunk with that delta, given as JSON.
func delta(json string) string {
	return fmt.Sprintf(`{"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":null}]}`, json)
}

func text(s string) string { return delta(fmt.Sprintf(`{"content":%s}`, quote(s))) }

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func finish(reason string) string {
	return fmt.Sprintf(`{"id":"1","choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason)
}

const (
	done  = "[DONE]"
	usage = `{"id":"1","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}}`
)

var counted = llm.Usage{Input: 7, Output: 7, CacheRead: 4, Reasoning: 2}
