package anthropic

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

func answerA() llmtest.Answer {
	return llmtest.Answer{Body: llmtest.Bytes(body([]conform.Block{conform.Text("a")}, llm.Stop))}
}

func refusal(message string) llmtest.Answer {
	return llmtest.Answer{Status: 400, Header: http.Header{"Content-Type": {"application/json"}},
		Body: llmtest.Bytes(fmt.Sprintf(`{"type":"error","error":{"type":"invalid_request_error","message":%q}}`,
			message))}
}

func TestRequest(t *testing.T) {
	// None of these may be sent to another server.
	for name, value := range map[string]string{
		"ANTHROPIC_API_KEY": "sk-env", "ANTHROPIC_AUTH_TOKEN": "tok-env", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
		"ANTHROPIC_CUSTOM_HEADERS": "X-Env: env",
	} {
		t.Setenv(name, value)
	}
	u := llmtest.Serve(t, answerA())
	conform.Collect(t, t.Context(), model(t, u, "fake-model"), llm.Request{
		System:    "You are Ada.",
		MaxTokens: 500,
		Messages: []llm.Message{
			{Role: llm.Self, Text: "Welcome."},
			{Role: llm.User, From: "Kim", Text: "why?"},
			{Role: llm.User, From: "Bo", Peer: true, Text: "yes, why"},
			{Role: llm.User, Text: " "},
			{Role: llm.Self, Text: "Let me look.",
				Calls: []llm.Call{{ID: "c1", Name: "f", Args: []byte(`{"a":1}`)},
					{ID: "c2", Name: "g", Args: []byte(`{"a":`)}}},
			{Role: llm.ToolResult, CallID: "c1", Text: "found"},
			{Role: llm.ToolResult, CallID: "c2", IsError: true},
			{Role: llm.Self, Text: ""},
			{Role: llm.Self, Text: "Because."},
			{Role: llm.Self, Text: "And so."},
		},
		Tools: []llm.Tool{{Name: "f", Description: "finds",
			Input: []byte(`{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}`)},
			{Name: "g"}},
	})
	var want map[string]any
	json.Unmarshal([]byte(`{"model":"fake-model","stream":true,"max_tokens":500,
	"system":[{"type":"text","text":"You are Ada."}],
	"messages":[
	 {"role":"user","content":[{"type":"text","text":"(go on)"}]},
	 {"role":"assistant","content":[{"type":"text","text":"Welcome."}]},
	 {"role":"user","content":[{"type":"text","text":"Kim: why?"},{"type":"text","text":"Bo: yes, why"}]},
	 {"role":"assistant","content":[{"type":"text","text":"Let me look."},
	  {"type":"tool_use","id":"c1","name":"f","input":{"a":1}},{"type":"tool_use","id":"c2","name":"g","input":{}}]},
	 {"role":"user","content":[
	  {"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"found"}],"is_error":false},
	  {"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"(no output)"}],"is_error":true}]},
	 {"role":"assistant","content":[{"type":"text","text":"Because."},{"type":"text","text":"And so."}]},
	 {"role":"user","content":[{"type":"text","text":"(go on)"}]}],
	"tools":[{"name":"f","description":"finds",
	  "input_schema":{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}},
	 {"name":"g","input_schema":{"type":"object"}}]}`), &want)
	if got := decoded(t, u, 1); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	r := u.Requests()[0]
	if r.Path != "/v1/messages" || r.Header.Get("Authorization") != "Bearer "+conform.Key ||
		r.Header.Get("X-Api-Key") != conform.Key || r.Header.Get("X-Env") != "" || r.Header.Get("Traceparent") != "" {
		t.Errorf("asked %s with %v", r.Path, r.Header)
	}
}

// thinkingOf returns the thinking parameters and the token limit of request n.
func thinkingOf(t *testing.T, u *llmtest.Upstream, n int) string {
	t.Helper()
	b := decoded(t, u, n)
	effort, _ := b["output_config"].(map[string]any)
	kind, _ := b["thinking"].(map[string]any)
	return fmt.Sprintln(kind["type"], kind["budget_tokens"], effort["effort"], b["max_tokens"])
}

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		model string
		level llm.Level
		most  int
		want  string
	}{
		{"claude-sonnet-4-5-20250929", llm.ThinkLow, 0, "enabled 2048 <nil> 10240"},
		{"claude-haiku-4-5", llm.ThinkMedium, 0, "enabled 8192 <nil> 16384"},
		{"claude-opus-4-1", llm.ThinkHigh, 0, "enabled 16384 <nil> 24576"},
		{"claude-sonnet-4-20250514", llm.ThinkHigh, 4096, "enabled 3072 <nil> 4096"},
		{"claude-3-7-sonnet-latest", llm.ThinkHigh, 2047, "<nil> <nil> <nil> 2047"},
		{"kimi-k3", llm.ThinkLow, 0, "enabled 2048 <nil> 10240"},
		{"claude-opus-4-6", llm.ThinkLow, 0, "adaptive <nil> low 10240"},
		{"claude-sonnet-5", llm.ThinkHigh, 3000, "adaptive <nil> high 3000"},
		{"claude-sonnet-5", llm.ThinkOff, 0, "disabled <nil> <nil> 8192"},
		{"claude-sonnet-5", "", 0, "<nil> <nil> <nil> 8192"},
	} {
		u := llmtest.Serve(t, answerA())
		req := conform.Question("q")
		req.Thinking, req.MaxTokens = c.level, c.most
		conform.Collect(t, t.Context(), model(t, u, c.model), req)
		if got := spaced(thinkingOf(t, u, 1)); got != spaced(c.want) {
			t.Errorf("%s, %s, %d: %s, want %s", c.model, c.level, c.most, got, c.want)
		}
	}
}

func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// A form that the server refuses is omitted, in later requests too.
func TestRefusedForms(t *testing.T) {
	u := llmtest.Serve(t,
		refusal("thinking.type.adaptive: adaptive thinking is not supported on this model"),
		refusal("thinking.type.enabled is not supported"), answerA(), answerA())
	m := model(t, u, "claude-next")
	req := conform.Question("q")
	req.Thinking = llm.ThinkLow
	for range 2 {
		if got := conform.Collect(t, t.Context(), m, req); got.Text != "a" || got.Err != nil {
			t.Fatalf("got %+v", got)
		}
	}
	var got []string
	for n := range u.Requests() {
		got = append(got, strings.Fields(thinkingOf(t, u, n+1))[0])
	}
	if want := []string{"adaptive", "enabled", "<nil>", "<nil>"}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// A refusal for another reason is reported after one request, and nothing is recorded.
func TestOtherRefusals(t *testing.T) {
	u := llmtest.Serve(t, refusal("tools.0.name: bad"), answerA())
	m := model(t, u, "claude-next")
	req := conform.Question("q")
	req.Thinking = llm.ThinkLow
	if e := conform.UserError(t, conform.Collect(t, t.Context(), m, req).Err); e.Fault != llm.Refused ||
		len(u.Requests()) != 1 {
		t.Errorf("%+v after %d requests", e, len(u.Requests()))
	}
	conform.Collect(t, t.Context(), m, req)
	if got := thinkingOf(t, u, 2); !strings.HasPrefix(got, "adaptive") {
		t.Errorf("then sent %s", got)
	}
}

// A signature that the server no longer accepts does not end the conversation.
func TestSignatureRefused(t *testing.T) {
	u := llmtest.Serve(t, refusal("messages.1.content.0: Invalid `signature` in `thinking` block"), answerA(),
		answerA())
	m := model(t, u, "claude-sonnet-4-5")
	req := conform.Question("q")
	req.Thinking = llm.ThinkLow
	req.Messages = append(req.Messages,
		llm.Message{Role: llm.Self, Model: m.Name(), Thought: []llm.Thought{{Text: "hm", Opaque: "old"}},
			Calls: []llm.Call{{ID: "c1", Name: "f"}}},
		llm.Message{Role: llm.ToolResult, CallID: "c1", Text: "x"})
	if got := conform.Collect(t, t.Context(), m, req); got.Text != "a" {
		t.Fatalf("got %+v", got)
	}
	if sent := string(u.Requests()[1].Body); strings.Contains(sent, `"old"`) || strings.Contains(sent, "enabled") {
		t.Errorf("then sent %s", sent)
	}
	conform.Collect(t, t.Context(), m, req)
	if sent := string(u.Requests()[2].Body); !strings.Contains(sent, `"old"`) {
		t.Errorf("the next request has no signature: %s", sent)
	}
}

// Only Anthropic itself is asked to cache.
func TestCaching(t *testing.T) {
	m, err := New(Options{Model: "claude-sonnet-5"})
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := m.params(conform.Question("q"), nil)
	b, _ := json.Marshal(p)
	if err != nil || !strings.Contains(string(b), `"cache_control":{"type":"ephemeral"}`) {
		t.Errorf("sent %s, %v", b, err)
	}
}

func TestBrokenSchemaIsAnError(t *testing.T) {
	u := llmtest.Serve(t)
	got := conform.Collect(t, t.Context(), model(t, u, "m"),
		llm.Request{Tools: []llm.Tool{{Name: "f", Input: []byte(`{"type":`)}}})
	if got.Err == nil || len(u.Requests()) != 0 {
		t.Errorf("ended with %v after %d requests", got.Err, len(u.Requests()))
	}
}
