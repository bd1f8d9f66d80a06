package anthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/agents/llm/llmtest/conform"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newHTTPClient returns a client whose connections are closed after the test.
func newHTTPClient(t testing.TB) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func model(t testing.TB, u *llmtest.Upstream, name string) *Model {
	t.Helper()
	m, err := New(Options{BaseURL: u.URL, Key: conform.Key, Model: name, HTTP: newHTTPClient(t)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var dialect = conform.Dialect{
	New: func(t testing.TB, u *llmtest.Upstream) llm.Model { return model(t, u, "fake-model") },
	Models: func(t testing.TB, ctx context.Context, u *llmtest.Upstream) ([]string, error) {
		return Models(ctx, Options{BaseURL: u.URL, Key: conform.Key, HTTP: newHTTPClient(t)})
	},
	ListBody: `{"data":[{"type":"model","id":"zeta","display_name":"Z","created_at":"2026-01-01T00:00:00Z"},` +
		`{"type":"model","id":"alpha"}],"has_more":false}`,
	Body:      body,
	WantUsage: llm.Usage{Input: 7, Output: 9, CacheRead: 4, CacheWrite: 3, Reasoning: 2},
	UsageBody: func(in, out string) string {
		return event("message_start", began+`,"usage":{"input_tokens":`+in+`}}`) + blockOf(0, conform.Text("a"), true) +
			event("message_delta", `"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":`+out+`}`) +
			event("message_stop", "")
	},
	Errors: map[string]conform.ErrorFrame{
		"overloaded": {Frame: event("error", `"error":{"type":"overloaded_error","message":"Overloaded"}`),
			Fault: llm.Overloaded},
		"api": {Frame: event("error", `"error":{"type":"api_error","message":"Internal server error"}`),
			Fault: llm.Overloaded},
		"limit": {Frame: event("error", `"error":{"type":"rate_limit_error","message":"x"}`),
			Fault: llm.Overloaded},
		"key": {Frame: event("error", `"error":{"type":"authentication_error","message":"invalid x-api-key"}`),
			Fault: llm.Credentials},
		"bad": {Frame: event("error", `"error":{"type":"invalid_request_error","message":"x"}`),
			Fault: llm.Refused},
		"too long": {Frame: event("error",
			`"error":{"type":"invalid_request_error","message":"prompt is too long: 2 tokens > 1 maximum"}`),
			Fault: llm.TooLong},
		"no event": {Frame: "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"," +
			"\"message\":\"Overloaded\"}}\n\n", Fault: llm.Overloaded},
		"plain text": {Frame: "event: error\ndata: Overloaded\n\n", Fault: llm.Overloaded},
		"OpenAI": {Frame: `data: {"error":{"message":"The server had an error","type":"server_error"}}` + "\n\n",
			Fault: llm.Overloaded},
		"Ollama": {Frame: `{"error":"model runner has unexpectedly stopped"}` + "\n", Fault: llm.Overloaded},
	},
	Fragments: fragments,
}

func TestConformance(t *testing.T) { conform.Run(t, dialect) }

func event(kind, fields string) string {
	if fields != "" {
		fields = "," + fields
	}
	return fmt.Sprintf("event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, fields)
}

const began = `"message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null`

// body returns the event stream of an answer.
func body(blocks []conform.Block, end llm.Reason) string {
	start := began + `}`
	if end != "" {
		start = began + `,"usage":{"input_tokens":7,"cache_read_input_tokens":4,` +
			`"cache_creation_input_tokens":3,"output_tokens":1}}`
	}
	var b strings.Builder
	b.WriteString(event("message_start", start))
	for i, p := range blocks {
		b.WriteString(blockOf(i, p, end != ""))
	}
	if end != "" {
		reason := map[llm.Reason]string{llm.Stop: "end_turn", llm.Length: "max_tokens", llm.ToolUse: "tool_use"}[end]
		b.WriteString(ended(reason) + event("message_stop", ""))
	}
	return b.String()
}

func ended(reason string) string {
	return event("message_delta", fmt.Sprintf(`"delta":{"stop_reason":%q,"stop_sequence":null},`+
		`"usage":{"output_tokens":9,"output_tokens_details":{"thinking_tokens":2}}`, reason))
}

func blockOf(i int, p conform.Block, whole bool) string {
	kind, delta := `{"type":"text","text":""}`, `{"type":"text_delta","text":%s}`
	switch p.Kind {
	case llm.ThinkingDelta:
		kind, delta = `{"type":"thinking","thinking":"","signature":""}`, `{"type":"thinking_delta","thinking":%s}`
	case llm.CallDelta:
		kind, delta = fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":{}}`, p.ID, p.Name),
			`{"type":"input_json_delta","partial_json":%s}`
	}
	out := event("content_block_start", fmt.Sprintf(`"index":%d,"content_block":%s`, i, kind))
	for _, piece := range p.Pieces {
		out += event("content_block_delta", fmt.Sprintf(`"index":%d,"delta":`+delta, i, piece))
	}
	if p.Opaque != "" && p.Kind == llm.ThinkingDelta {
		out += event("content_block_delta",
			fmt.Sprintf(`"index":%d,"delta":{"type":"signature_delta","signature":%q}`, i, p.Opaque))
	}
	if whole {
		out += event("content_block_stop", fmt.Sprintf(`"index":%d`, i))
	}
	return out
}

// fragments are the ways in which servers send the same two calls.
var fragments = map[string]string{
	"one after the other": body([]conform.Block{conform.Call("c1", "f", `{"a"`, `:1}`),
		conform.Call("c2", "g", "", `{"a":2}`)}, llm.ToolUse),
	"interleaved": within(
		start(0, `{"type":"tool_use","id":"c1","name":"f","input":{}}`),
		start(1, `{"type":"tool_use","id":"c2","name":"g","input":{}}`),
		args(0, `{"a"`), args(1, `{"a"`), args(1, `:2}`), args(0, `:1}`), stop(1), stop(0)),
	"index from 3": within(
		start(3, `{"type":"tool_use","id":"c1","name":"f","input":{}}`), args(3, `{"a":1}`), stop(3),
		start(4, `{"type":"tool_use","id":"c2","name":"g","input":{}}`), args(4, `{"a":2}`), stop(4)),
	"whole at the start": within(
		start(0, `{"type":"tool_use","id":"c1","name":"f","input":{"a":1}}`), stop(0),
		start(1, `{"type":"tool_use","id":"c2","name":"g","input":{"a":2}}`), stop(1)),
	"with stop reason end_turn": strings.Replace(body([]conform.Block{conform.Call("c1", "f", `{"a":1}`),
		conform.Call("c2", "g", `{"a":2}`)}, llm.ToolUse), `"tool_use","stop_seq`, `"end_turn","stop_seq`, 1),
}

func within(events ...string) string {
	whole := body(nil, llm.ToolUse)
	i := strings.Index(whole, "event: message_delta")
	return whole[:i] + strings.Join(events, "") + whole[i:]
}

func start(i int, block string) string {
	return event("content_block_start", fmt.Sprintf(`"index":%d,"content_block":%s`, i, block))
}

func args(i int, text string) string {
	return event("content_block_delta",
		fmt.Sprintf(`"index":%d,"delta":{"type":"input_json_delta","partial_json":%s}`, i, conform.Quote(text)))
}

func stop(i int) string { return event("content_block_stop", fmt.Sprintf(`"index":%d`, i)) }

func TestStopReasons(t *testing.T) {
	for reason, want := range map[string]llm.Reason{"end_turn": llm.Stop, "stop_sequence": llm.Stop,
		"pause_turn": llm.Stop, "max_tokens": llm.Length, "something_new": llm.Stop} {
		b := body([]conform.Block{conform.Text("a")}, "") + stop(0) + ended(reason) + event("message_stop", "")
		got := collect(t, b)
		if got.Reason != want || got.Text != "a" {
			t.Errorf("%s: %+v", reason, got)
		}
	}
	for reason, want := range map[string]llm.Fault{"refusal": llm.Refused, "sensitive": llm.Refused,
		"model_context_window_exceeded": llm.TooLong} {
		got := collect(t, body([]conform.Block{conform.Text("a")}, "")+stop(0)+ended(reason)+event("message_stop", ""))
		if e := conform.UserError(t, got.Err); e.Fault != want || got.Text != "a" {
			t.Errorf("%s: %+v", reason, e)
		}
	}
	got := collect(t, body([]conform.Block{conform.Text("a")}, "")+stop(0)+ended("end_turn"))
	if e := conform.UserError(t, got.Err); e.Fault != llm.Unreachable || got.Text != "a" {
		t.Errorf("without message_stop: %+v", e)
	}
}

// A field of an unexpected type is skipped; the rest of the event counts.
func TestFieldsOfOtherTypes(t *testing.T) {
	got := collect(t, event("message_start", `"message":{"id":1,"content":{},"usage":[]}`)+
		event("content_block_start", `"index":0,"content_block":{"type":"text","text":null,"id":5}`)+
		event("content_block_delta", `"index":0,"delta":{"type":"text_delta","text":"a","signature":1}`)+
		event("content_block_delta", `"index":0,"delta":{"type":"text_delta","text":["b"]}`)+stop(0)+
		event("message_delta", `"delta":{"stop_reason":"end_turn","stop_details":"x"},"usage":{"output_tokens":3}`)+
		event("message_stop", ""))
	want := conform.Outcome{Text: "a", Usage: llm.Usage{Output: 3}, Reason: llm.Stop}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestServersThatDoNotStream(t *testing.T) {
	whole := `{"id":"m1","type":"message","role":"assistant","content":[
 {"type":"thinking","thinking":"hm","signature":"sig"},
 {"type":"text","text":"whole"},{"type":"tool_use","id":"c1","name":"f","input":{"a":1}}],
 "stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":2}}`
	want := conform.Outcome{Thinking: "hm", Opaque: []string{"sig"}, Text: "whole", Calls: conform.TwoCalls[:1],
		Usage: llm.Usage{Input: 3, Output: 2}, Reason: llm.ToolUse}
	conform.EveryChunking(t, dialect, whole, want, conform.NoError)
}

func collect(t *testing.T, body string) conform.Outcome {
	t.Helper()
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(body)})
	return conform.Collect(t, t.Context(), model(t, u, "fake-model"), conform.Question("q"))
}

func TestRedactedThinking(t *testing.T) {
	b := within(start(0, `{"type":"redacted_thinking","data":"zzz"}`), stop(0),
		start(1, `{"type":"thinking","thinking":"hm","signature":""}`),
		event("content_block_delta", `"index":1,"delta":{"type":"signature_delta","signature":"sig"}`), stop(1),
		start(2, `{"type":"tool_use","id":"c1","name":"f","input":{}}`), stop(2))
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(b)},
		llmtest.Answer{Body: llmtest.Bytes(body([]conform.Block{conform.Text("a")}, llm.Stop))})
	m := model(t, u, "fake-model")
	got := conform.Collect(t, t.Context(), m, conform.Question("q"))
	if !reflect.DeepEqual(got.Opaque, []string{"redacted:zzz", "sig"}) || got.Thinking != "hm" {
		t.Fatalf("got %+v", got)
	}
	req := conform.Question("q")
	own := llm.Message{Role: llm.Self, Model: m.Name(),
		Thought: []llm.Thought{{Opaque: "redacted:zzz"}, {Text: "hm", Opaque: "sig"}, {Text: "no signature"}},
		Calls:   got.Calls}
	req.Messages = append(req.Messages, own, llm.Message{Role: llm.ToolResult, CallID: "c1", Text: "x"})
	conform.Collect(t, t.Context(), m, req)
	want := `"content":[{"data":"zzz","type":"redacted_thinking"},{"signature":"sig","thinking":"hm",` +
		`"type":"thinking"},{"id":"c1","input":{},"name":"f","type":"tool_use"}]`
	if sent := string(u.Requests()[1].Body); !strings.Contains(sent, want) {
		t.Errorf("sent %s, want %s", sent, want)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"no model":   {BaseURL: "http://localhost:1"},
		"no address": {BaseURL: "gopher://x", Model: "m"},
		"bad key":    {Model: "m", Key: "sk-5ecret\nHost: x"},
		"private":    {Model: "m", BaseURL: "http://localhost:1", PublicOnly: true},
	} {
		if _, err := New(o); err == nil || strings.Contains(err.Error(), "5ecret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := New(Options{Model: " m ", Key: " k\n", PublicOnly: true})
	if err != nil || m.Name() != "anthropic:m" || m.provider.Name != "Anthropic" || m.provider.Key != "k" {
		t.Errorf("got %+v, %v", m, err)
	}
}

// decoded returns the body of request n, counted from 1.
func decoded(t *testing.T, u *llmtest.Upstream, n int) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(u.Requests()[n-1].Body, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
