package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/agents/llm/llmtest/conform"
)

func answerOf(pieces ...string) llmtest.Answer {
	return llmtest.Answer{Body: llmtest.Bytes(strings.SplitAfter(body([]conform.Block{conform.Text(pieces...)},
		llm.Stop), "\n\n")...)}
}

func refusal(message string) llmtest.Answer {
	return llmtest.Answer{Status: 400, Header: http.Header{"Content-Type": {"application/json"}},
		Body: llmtest.Bytes(fmt.Sprintf(`{"error":{"type":"invalid_request_error","message":%q}}`, message))}
}

// sentParams returns the optional parameters of each request.
func sentParams(t *testing.T, u *llmtest.Upstream) []string {
	t.Helper()
	var out []string
	for _, r := range u.Requests() {
		var b map[string]any
		if err := json.Unmarshal(r.Body, &b); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(b["reasoning_effort"], " ", b["max_tokens"], " ", b["max_completion_tokens"]))
	}
	return out
}

func TestOptionalParams(t *testing.T) {
	for name, c := range map[string]struct {
		level   llm.Level
		most    int
		answers []llmtest.Answer
		want    []string // of two questions
	}{
		"none": {"", 0, []llmtest.Answer{answerOf("a"), answerOf("a")},
			[]string{"<nil> <nil> <nil>", "<nil> <nil> <nil>"}},
		"taken": {llm.ThinkHigh, 50, []llmtest.Answer{answerOf("a"), answerOf("a")},
			[]string{"high 50 <nil>", "high 50 <nil>"}},
		"off": {llm.ThinkOff, 0, []llmtest.Answer{answerOf("a"), answerOf("a")},
			[]string{"none <nil> <nil>", "none <nil> <nil>"}},
		"effort": {llm.ThinkLow, 0,
			[]llmtest.Answer{refusal("Unrecognized request argument supplied: reasoning_effort"), answerOf("a"),
				answerOf("a")}, []string{"low <nil> <nil>", "<nil> <nil> <nil>", "<nil> <nil> <nil>"}},
		"tokens": {llm.ThinkLow, 9, []llmtest.Answer{refusal("Unsupported parameter: 'max_tokens' is not supported " +
			"with this model. Use 'max_completion_tokens' instead."), answerOf("a"), answerOf("a")},
			[]string{"low 9 <nil>", "low <nil> 9", "low <nil> 9"}},
		"both": {llm.ThinkLow, 9,
			[]llmtest.Answer{refusal("unsupported: max_tokens"), refusal("thinking?"), answerOf("a"), answerOf("a")},
			[]string{"low 9 <nil>", "low <nil> 9", "<nil> <nil> 9", "<nil> <nil> 9"}},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t, c.answers...)
			m := model(t, u)
			req := question("q")
			req.Thinking, req.MaxTokens = c.level, c.most
			for range 2 {
				if got := collect(t, t.Context(), m, req); got.Text != "a" || got.Err != nil {
					t.Fatalf("got %+v", got)
				}
			}
			if got := sentParams(t, u); !reflect.DeepEqual(got, c.want) {
				t.Errorf("sent %q, want %q", got, c.want)
			}
		})
	}
}

// A refusal that remains is reported, and nothing is recorded.
func TestRefusalForAnotherReason(t *testing.T) {
	u := llmtest.Serve(t, refusal("no such model"), refusal("no such model"), answerOf("a"))
	m := model(t, u)
	req := question("q")
	req.Thinking = llm.ThinkLow
	if e := userError(t, collect(t, t.Context(), m, req).Err); e.Fault != llm.Refused || len(u.Requests()) != 2 {
		t.Errorf("%+v after %d requests", e, len(u.Requests()))
	}
	collect(t, t.Context(), m, req)
	if got := sentParams(t, u); got[2] != "low <nil> <nil>" {
		t.Errorf("then sent %q", got)
	}
	u.Add(refusal("max_tokens is too large: 9. This model supports at most 4"))
	req.Thinking, req.MaxTokens = "", 9
	if e := userError(t, collect(t, t.Context(), m, req).Err); e.Fault != llm.Refused || len(u.Requests()) != 4 {
		t.Errorf("%+v after %d requests", e, len(u.Requests()))
	}
}

// For Gemini, a call of another model has a placeholder for its signature.
func TestGeminiAcceptsCallsOfOthers(t *testing.T) {
	for name, want := range map[string]bool{"gemini-3-flash": true, "google/Gemini-3": true, "gpt-5": false} {
		u := llmtest.Serve(t, answerOf("a"))
		req := question("q")
		req.Messages = append(req.Messages,
			llm.Message{Role: llm.Self, Model: "tutor:tutor",
				Calls: []llm.Call{{ID: "c1", Name: "f"}, {ID: "c2", Name: "f"}}},
			llm.Message{Role: llm.ToolResult, CallID: "c1", Text: "x"},
			llm.Message{Role: llm.ToolResult, CallID: "c2", Text: "x"})
		collect(t, t.Context(), modelNamed(t, u, name), req)
		n := strings.Count(string(u.Requests()[0].Body),
			`"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}`)
		if want != (n == 1) {
			t.Errorf("%s: %d placeholders", name, n)
		}
	}
}

// Thinking from a field is sent back in that field until the answer is complete.
func TestThinkingIsSentBackInItsField(t *testing.T) {
	u := llmtest.Serve(t, answerOf("a"), answerOf("a"))
	m := model(t, u)
	req := question("q")
	req.Messages = append(req.Messages,
		llm.Message{Role: llm.Self, Model: m.Name(),
			Thought: []llm.Thought{{Text: "plan-7", Opaque: "reasoning_content"}, {Text: "inline"}},
			Calls:   []llm.Call{{ID: "c1", Name: "f"}}},
		llm.Message{Role: llm.ToolResult, CallID: "c1", Text: "x"})
	collect(t, t.Context(), m, req)
	req.Messages = append(req.Messages, llm.Message{Role: llm.Self, Model: m.Name(), Text: "b"},
		llm.Message{Role: llm.User, Text: "q"})
	collect(t, t.Context(), m, req)
	for i, want := range []bool{true, false} {
		sent := string(u.Requests()[i].Body)
		if strings.Contains(sent, `"reasoning_content":"plan-7"`) != want || strings.Contains(sent, "inline") {
			t.Errorf("request %d: %s", i+1, sent)
		}
	}
}

// What a vendor needs depends on its address: Mistral's ids of calls have nine letters
// and digits, and OpenAI limits an answer by max_completion_tokens.
func TestVendors(t *testing.T) {
	req := llm.Request{MaxTokens: 5, Messages: []llm.Message{
		{Role: llm.Self, Calls: []llm.Call{{ID: "call_0123456789", Name: "f"}}},
		{Role: llm.ToolResult, CallID: "call_0123456789", Text: "x"},
	}}
	for baseURL, want := range map[string]struct {
		idLen  int
		tokens request
	}{
		"":                          {15, request{MaxCompletionTokens: 5}},
		"https://api.mistral.ai/v1": {9, request{MaxTokens: 5}},
		"https://x.example/v1":      {15, request{MaxTokens: 5}},
	} {
		m, err := New(Options{BaseURL: baseURL, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := m.params(req, nil)
		tokens := request{MaxTokens: p.MaxTokens, MaxCompletionTokens: p.MaxCompletionTokens}
		id := p.Messages[0].ToolCalls[0].ID
		if err != nil || len(id) != want.idLen || p.Messages[1].CallID != id ||
			!reflect.DeepEqual(tokens, want.tokens) {
			t.Errorf("%q: id %s, %+v, %v", baseURL, id, tokens, err)
		}
	}
}
