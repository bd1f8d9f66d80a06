package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestNewRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"no model":         {BaseURL: "http://localhost:1"},
		"no address":       {BaseURL: "gopher://x", Model: "m"},
		"key with a break": {Model: "m", Key: "sk-5ecret\nHost: x"},
	} {
		if _, err := New(o); err == nil || strings.Contains(err.Error(), "5ecret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := New(Options{Model: " m ", Key: " k\n"})
	if err != nil || m.Name() != "openai:m" || m.provider.Name != "OpenAI" || m.provider.Key != "k" {
		t.Errorf("got %+v, %v", m, err)
	}
}

// sent makes one request and returns it as the server received it.
func sent(t *testing.T, req llm.Request) (*llmtest.Request, map[string]any) {
	t.Helper()
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(llmtest.Data(text("a"), finish("stop"), done))})
	collect(t, t.Context(), model(t, u), req)
	r := u.Requests()[0]
	var body map[string]any
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Fatal(err)
	}
	return r, body
}

func TestRequest(t *testing.T) {
	// None of these may be sent to another server.
	t.Setenv("OPENAI_API_KEY", "sk-env")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
	t.Setenv("OPENAI_ORG_ID", "org-env")
	r, got := sent(t, llm.Request{
		System: "You are Ada.",
		Messages: []llm.Message{
			{Role: llm.User, Text: "Kim: why?"},
			{Role: llm.Self, Text: "Let me look.",
				Calls: []llm.Call{{ID: "c1", Name: "f", Args: []byte(`{"a":1}`)},
					{ID: "c2", Name: "g", Args: []byte(`{"a":`)}}},
			{Role: llm.ToolResult, CallID: "c1", Text: "found"},
			{Role: llm.ToolResult, CallID: "c2", IsError: true},
			{Role: llm.Self, Calls: []llm.Call{{ID: "c3", Name: "f"}}},
			{Role: llm.ToolResult, CallID: "c3", Text: "x"},
			{Role: llm.Self, Text: ""},
			{Role: llm.Self, Text: "Because."},
			{Role: llm.User, Peer: true, Text: "Bo (student): but"},
		},
		Tools: []llm.Tool{{Name: "f", Description: "finds",
			Input: []byte(`{"type":"object","properties":{"a":{"type":"integer"}}}`)}, {Name: "g"}},
	})
	var want map[string]any
	json.Unmarshal([]byte(`{"model":"fake-model","stream":true,"stream_options":{"include_usage":true},
	"messages":[
	 {"role":"system","content":"You are Ada."},
	 {"role":"user","content":"Kim: why?"},
	 {"role":"assistant","content":"Let me look.","tool_calls":[
	  {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},
	  {"id":"c2","type":"function","function":{"name":"g","arguments":"{}"}}]},
	 {"role":"tool","tool_call_id":"c1","content":"found"},
	 {"role":"tool","tool_call_id":"c2","content":"(no output)"},
	 {"role":"assistant","tool_calls":[{"id":"c3","type":"function","function":{"name":"f","arguments":"{}"}}]},
	 {"role":"tool","tool_call_id":"c3","content":"x"},
	 {"role":"assistant","content":"Because."},
	 {"role":"user","content":"Bo (student): but"}],
	"tools":[{"type":"function","function":{"name":"f","description":"finds",
	  "parameters":{"type":"object","properties":{"a":{"type":"integer"}}}}},
	 {"type":"function","function":{"name":"g"}}]}`), &want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if r.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+testKey ||
		r.Header.Get("Openai-Organization") != "" {
		t.Errorf("asked %s with %v", r.Path, r.Header)
	}
}

func TestRequestWithoutToolsKeyOrSystem(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-env")
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(llmtest.Data(text("a"), finish("stop")))})
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	m, err := New(Options{BaseURL: u.URL, Model: "m", HTTP: &http.Client{Transport: tr}})
	if err != nil {
		t.Fatal(err)
	}
	collect(t, t.Context(), m, question("q"))
	r := u.Requests()[0]
	if strings.Contains(string(r.Body), `"tools"`) || strings.Contains(string(r.Body), `"system"`) ||
		len(r.Header["Authorization"]) > 0 {
		t.Errorf("sent %s with %v", r.Body, r.Header)
	}
}

// The protocol has one user; messages name their authors.
func TestSpeakersAreNamed(t *testing.T) {
	_, body := sent(t, llm.Request{Messages: []llm.Message{
		{Role: llm.User, From: "Kim", Text: "why?"},
		{Role: llm.User, From: "Bo, classmate", Peer: true, Text: "hm"},
		{Role: llm.User, From: "Kim"},
		{Role: llm.Self, From: "Ada", Text: "own"},
		{Role: llm.User, Text: "no name"},
	}})
	var got []any
	for _, m := range body["messages"].([]any) {
		got = append(got, m.(map[string]any)["content"])
	}
	if want := []any{"Kim: why?", "Bo, classmate: hm", "own", "no name"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBrokenSchemaIsAnError(t *testing.T) {
	u := llmtest.Serve(t)
	got := collect(t, t.Context(), model(t, u), llm.Request{Tools: []llm.Tool{{Name: "f", Input: []byte(`{"type":`)}}})
	if got.Err == nil || len(u.Requests()) != 0 {
		t.Errorf("ended with %v after %d requests", got.Err, len(u.Requests()))
	}
}

func TestManyAtOnce(t *testing.T) {
	const n = 16
	u := llmtest.Serve(t)
	for range n {
		u.Add(llmtest.Answer{Body: llmtest.Bytes(strings.SplitAfter(llmtest.Data(text("a"), text("b"), finish("stop"),
			done), "\n\n")...)})
	}
	m := model(t, u)
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			if got := collect(t, context.Background(), m, question("q")); got.Text != "ab" || got.Err != nil {
				t.Errorf("got %+v", got)
			}
		})
	}
	all.Wait()
}
