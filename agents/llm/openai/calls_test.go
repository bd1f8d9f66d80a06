package openai

import (
	"regexp"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/agents/llm/llmtest/conform"
)

// fragments are the ways in which servers send the same two calls.
var fragments = map[string]string{
	"a: no index": twoCalls(
		callDelta(`{"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}`),
		callDelta(`{"id":"c2","function":{"name":"g","arguments":"{\"a\":2}"}}`)),
	"a: no index, in one chunk": twoCalls(
		callDelta(`{"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"c2","function":{"name":"g",` +
			`"arguments":"{\"a\":2}"}}`)),
	"a: no index, in fragments": twoCalls(
		callDelta(`{"id":"c1","function":{"name":"f","arguments":"{\"a\""}}`),
		callDelta(`{"function":{"arguments":":1}"}}`),
		callDelta(`{"id":"c2","function":{"name":"g","arguments":""}}`),
		callDelta(`{"function":{"arguments":"{\"a\":2}"}}`)),
	"b: both index 0": twoCalls(
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":"}}`),
		callDelta(`{"index":0,"function":{"arguments":"1}"}}`),
		callDelta(`{"index":0,"id":"c2","function":{"name":"g","arguments":"{\"a\":"}}`),
		callDelta(`{"index":0,"function":{"arguments":"2}"}}`)),
	"c: interleaved": twoCalls(
		callDelta(`{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}}`),
		callDelta(`{"index":1,"id":"c2","type":"function","function":{"name":"g","arguments":""}}`),
		callDelta(`{"index":0,"function":{"arguments":"{\"a\""}}`),
		callDelta(`{"index":1,"function":{"arguments":"{\"a\""}}`),
		callDelta(`{"index":0,"function":{"arguments":":1}"}}`),
		callDelta(`{"index":1,"function":{"arguments":":2}"}}`)),
	"d: index 1 first": twoCalls(
		callDelta(`{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"a\":"}}`),
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}`),
		callDelta(`{"index":1,"function":{"arguments":"2}"}}`)),
	"d: counted from 1": twoCalls(
		callDelta(`{"index":1,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}`),
		callDelta(`{"index":2,"id":"c2","function":{"name":"g","arguments":"{\"a\":2}"}}`)),
	"e: id and name repeated": twoCalls(
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\""}}`),
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":":1}"}}`),
		callDelta(`{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"a\""}}`),
		callDelta(`{"index":1,"id":"c2","function":{"name":"g","arguments":":2}"}}`)),
	"d and e": twoCalls(
		callDelta(`{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"a\""}}`),
		callDelta(`{"index":1,"id":"c2","function":{"name":"g","arguments":":2}"}}`),
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}`)),
	"e: repeated without index": twoCalls(
		callDelta(`{"id":"c1","function":{"name":"f","arguments":"{\"a\""}}`),
		callDelta(`{"id":"c2","function":{"name":"g","arguments":"{\"a\""}}`),
		callDelta(`{"id":"c1","function":{"name":"f","arguments":":1}"}}`),
		callDelta(`{"id":"c2","function":{"name":"g","arguments":":2}"}}`)),
	"arguments as an object": twoCalls(
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":{"a":1}}},{"index":1,"id":"c2",` +
			`"function":{"name":"g","arguments":{"a":2}}}`)),
	"null parts": twoCalls(
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":null}}`),
		callDelta(`{"index":0,"id":null,"function":{"name":null,"arguments":"{\"a\":1}"}}`),
		callDelta(`{"index":1,"id":"c2","function":{"name":"g"}}`),
		callDelta(`{"index":1,"id":"","function":{"name":"","arguments":"{\"a\":2}"}}`)),
	"e: repeated, no arguments yet": twoCalls(
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":""}}`),
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":""}}`),
		callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}`),
		callDelta(`{"index":1,"id":"c2","function":{"name":"g","arguments":""}}`),
		callDelta(`{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"a\":2}"}}`)),
	"name after id": twoCalls(
		callDelta(`{"index":0,"id":"c1"}`), callDelta(`{"index":0,"function":{"name":"f","arguments":"{\"a\":1}"}}`),
		callDelta(`{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"a\":2}"}}`)),
}

// A name may be split as arguments are. The known tools show when it is complete.
func TestNamesInPieces(t *testing.T) {
	tools := []llm.Tool{{Name: "search_materials"}, {Name: "search"}, {Name: "look"}}
	for name, c := range map[string]struct {
		tools  []llm.Tool
		chunks []string // of calls
		want   string
	}{
		"two pieces": {nil,
			[]string{`{"index":0,"id":"c1","function":{"name":"search_","arguments":""}}`,
				`{"index":0,"function":{"name":"materials","arguments":""}}`,
				`{"index":0,"function":{"arguments":"{}"}}`}, "search_materials {}"},
		"with ids": {tools,
			[]string{`{"index":0,"id":"c1","function":{"name":"search_"}}`,
				`{"index":0,"id":"c1","function":{"name":"materials","arguments":"{}"}}`}, "search_materials {}"},
		"a tool begins it": {tools,
			[]string{`{"index":0,"id":"c1","function":{"name":"search","arguments":""}}`,
				`{"index":0,"function":{"name":"_materials"}}`}, "search_materials {}"},
		"of two, at a time": {tools, []string{`{"index":0,"id":"c1","function":{"name":"sea"}},{"index":1,"id":"c2",` +
			`"function":{"name":"lo"}}`, `{"index":0,"function":{"name":"rch"}},{"index":1,"function":{"name":"ok"}}`,
			`{"index":0,"function":{"arguments":"{\"a\":"}},{"index":1,"function":{"arguments":"{}"}}`,
			`{"index":0,"function":{"arguments":"1}"}}`}, `search {"a":1}, look {}`},
		"whole each time": {tools,
			[]string{`{"index":0,"id":"c1","function":{"name":"search","arguments":""}}`,
				`{"index":0,"id":"c1","function":{"name":"search","arguments":"{}"}}`}, "search {}"},
		"grown each time": {nil,
			[]string{`{"index":0,"id":"c1","function":{"name":"sea","arguments":""}}`,
				`{"index":0,"id":"c1","function":{"name":"search","arguments":"{}"}}`}, "search {}"},
		"two, both index 0": {tools,
			[]string{`{"index":0,"function":{"name":"look","arguments":""}}`,
				`{"index":0,"function":{"name":"search","arguments":""}}`}, "look {}, search {}"},
		"too late": {nil,
			[]string{`{"index":0,"id":"c1","function":{"name":"look","arguments":"{"}}`,
				`{"index":0,"id":"c1","function":{"name":"x","arguments":"}"}}`}, "look {}"},
	} {
		t.Run(name, func(t *testing.T) {
			var chunks []string
			for _, x := range c.chunks {
				chunks = append(chunks, callDelta(x))
			}
			req := question("q")
			req.Tools = c.tools
			a := llmtest.Answer{Body: llmtest.Bytes(llmtest.Data(append(chunks, finish("tool_calls"))...))}
			got := collect(t, t.Context(), model(t, llmtest.Serve(t, a)), req)
			var calls []string
			for _, x := range got.Calls {
				calls = append(calls, x.Name+" "+string(x.Args))
			}
			if answer := strings.Join(calls, ", "); answer != c.want || got.Err != nil {
				t.Errorf("got %s, %v, want %s", answer, got.Err, c.want)
			}
		})
	}
}

// The complete name of a tool is delivered at once, before any argument.
func TestKnownNamesAreDeliveredAtOnce(t *testing.T) {
	named := make(chan struct{})
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Body(
		llmtest.Bytes(llmtest.Data(callDelta(`{"index":0,"id":"c1","function":{"name":"look","arguments":""}}`))),
		llmtest.Until(named),
		llmtest.Bytes(llmtest.Data(callDelta(`{"index":0,"function":{"arguments":"{}"}}`), finish("tool_calls"))))})
	req := question("q")
	req.Tools = []llm.Tool{{Name: "look"}, {Name: "search"}}
	for e, err := range model(t, u).Stream(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Name == "look" {
			close(named)
		}
	}
}

// Calls with equal ids are distinguished by their numbers.
func TestSameIDAtTwoNumbers(t *testing.T) {
	calls := callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":"}}`)
	more := callDelta(`{"index":1,"id":"c1","function":{"name":"g","arguments":"{\"a\":"}},{"index":0,"id":"c1",` +
		`"function":{"arguments":"1}"}},{"index":1,"id":"c1","function":{"arguments":"2}"}}`)
	a := llmtest.Answer{Body: llmtest.Bytes(llmtest.Data(calls, more, finish("tool_calls")))}
	got := collect(t, t.Context(), model(t, llmtest.Serve(t, a)), question("q")).Calls
	if len(got) != 2 || got[0].ID != "c1" || got[1].ID == "c1" || got[0].Name+string(got[0].Args) != `f{"a":1}` ||
		got[1].Name+string(got[1].Args) != `g{"a":2}` {
		t.Errorf("got %+v", got)
	}
}

func twoCalls(chunks ...string) string {
	return llmtest.Data(append(chunks, finish("tool_calls"), usage, done)...)
}

// Complete calls count even without a finish reason.
func TestCallsWithoutAFinishReason(t *testing.T) {
	for name, body := range fragments {
		t.Run(name, func(t *testing.T) {
			body = llmtest.Data(dataLines(body)...)
			everyChunking(t, body, outcome{Calls: conform.TwoCalls, Usage: wantUsage, Reason: llm.ToolUse}, noError)
		})
	}
}

// dataLines returns the payloads of a body without its finish reason.
func dataLines(body string) []string {
	var out []string
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok &&
			!strings.Contains(data, `"finish_reason":"tool_calls"`) {
			out = append(out, strings.TrimSuffix(data, "\n"))
		}
	}
	return out
}

// Some servers send no ids, or the same ids in every answer.
func TestMissingAndRepeatedCallIDs(t *testing.T) {
	req := question("q")
	req.Messages = append(req.Messages, llm.Message{Role: llm.Self, Calls: []llm.Call{{ID: "call_0", Name: "f"}}},
		llm.Message{Role: llm.ToolResult, CallID: "call_0", Text: "x"})
	for name, calls := range map[string]string{
		"none, whole": `{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"f","arguments":"{}"}}`,
		"none, index 0": `{"index":0,"id":"","function":{"name":"f","arguments":"{}"}},{"index":0,"id":"",` +
			`"function":{"name":"g","arguments":"{}"}}`,
		"used before": `{"index":0,"id":"call_0","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"c 1",` +
			`"function":{"name":"f","arguments":"{}"}}`,
		"no such letter": `{"index":0,"id":"functions.f:0","function":{"name":"f","arguments":"{}"}},` +
			`{"index":1,"id":"functions.f:1","function":{"name":"f","arguments":"{}"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			a := llmtest.Answer{Body: llmtest.Bytes(llmtest.Data(delta(`{"tool_calls":[`+calls+`]}`),
				finish("tool_calls")))}
			got := collect(t, t.Context(), model(t, llmtest.Serve(t, a)), req)
			if len(got.Calls) != 2 || got.Calls[0].ID == got.Calls[1].ID {
				t.Fatalf("got %+v", got.Calls)
			}
			for _, c := range got.Calls {
				if !regexp.MustCompile(`^[A-Za-z0-9]{9}$`).MatchString(c.ID) || string(c.Args) != "{}" {
					t.Errorf("call %+v", c)
				}
			}
		})
	}
}
