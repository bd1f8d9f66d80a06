package openai

import (
	"regexp"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// V04
func TestCallFragments(t *testing.T) {
	two := []llm.Call{{ID: "c1", Name: "f", Args: []byte(`{"a":1}`)}, {ID: "c2", Name: "g", Args: []byte(`{"a":2}`)}}
	call := func(json string) string { return delta(`{"tool_calls":[` + json + `]}`) }
	for name, chunks := range map[string][]string{
		"a: no index": {
			call(`{"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}`),
			call(`{"id":"c2","function":{"name":"g","arguments":"{\"a\":2}"}}`)},
		"a: no index, in one chunk": {
			call(`{"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"c2","function":{"name":"g","arguments":"{\"a\":2}"}}`)},
		"a: no index, in fragments": {
			call(`{"id":"c1","function":{"name":"f","arguments":"{\"a\""}}`), call(`{"function":{"arguments":":1}"}}`),
			call(`{"id":"c2","function":{"name":"g","arguments":""}}`), call(`{"function":{"arguments":"{\"a\":2}"}}`)},
		"b: both index 0": {
			call(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":"}}`), call(`{"index":0,"function":{"arguments":"1}"}}`),
			call(`{"index":0,"id":"c2","function":{"name":"g","arguments":"{\"a\":"}}`), call(`{"index":0,"function":{"arguments":"2}"}}`)},
		"c: interleaved": {
			call(`{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}}`), call(`{"index":1,"id":"c2","type":"function","function":{"name":"g","arguments":""}}`),
			call(`{"index":0,"function":{"arguments":"{\"a\""}}`), call(`{"index":1,"function":{"arguments":"{\"a\""}}`),
			call(`{"index":0,"function":{"arguments":":1}"}}`), call(`{"index":1,"function":{"arguments":":2}"}}`)},
		"d: index 1 first": {
			call(`{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"a\":"}}`), call(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}`),
			call(`{"index":1,"function":{"arguments":"2}"}}`)},
		"d: counted from 1": {
			call(`{"index":1,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}`), call(`{"index":2,"id":"c2","function":{"name":"g","arguments":"{\"a\":2}"}}`)},
		"e: id and name repeated": {
			call(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\""}}`), call(`{"index":0,"id":"c1","function":{"name":"f","arguments":":1}"}}`),
			call(`{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"a\""}}`), call(`{"index":1,"id":"c2","function":{"name":"g","arguments":":2}"}}`)},
		"d and e": {
			call(`{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"a\""}}`), call(`{"index":1,"id":"c2","function":{"name":"g","arguments":":2}"}}`),
			call(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}`)},
		"e: repeated without index": {
			call(`{"id":"c1","function":{"name":"f","arguments":"{\"a\""}}`), call(`{"id":"c2","function":{"name":"g","arguments":"{\"a\""}}`),
			call(`{"id":"c1","function":{"name":"f","arguments":":1}"}}`), call(`{"id":"c2","function":{"name":"g","arguments":":2}"}}`)},
		"arguments as an object": {
			call(`{"index":0,"id":"c1","function":{"name":"f","arguments":{"a":1}}},{"index":1,"id":"c2","function":{"name":"g","arguments":{"a":2}}}`)},
		"null parts": {
			call(`{"index":0,"id":"c1","function":{"name":"f","arguments":null}}`), call(`{"index":0,"id":null,"function":{"name":null,"arguments":"{\"a\":1}"}}`),
			call(`{"index":1,"id":"c2","function":{"name":"g"}}`), call(`{"index":1,"id":"","function":{"name":"","arguments":"{\"a\":2}"}}`)},
		"name after id": {
			call(`{"index":0,"id":"c1"}`), call(`{"index":0,"function":{"name":"f","arguments":"{\"a\":1}"}}`), call(`{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"a\":2}"}}`)},
	} {
		t.Run(name, func(t *testing.T) {
			every(t, llmtest.Data(append(chunks, finish("tool_calls"), done)...), outcome{Calls: two, Reason: llm.ToolUse}, noError)
			every(t, llmtest.Data(append(chunks, done)...), outcome{Calls: two, Reason: llm.ToolUse}, noError)
		})
	}
}

// V04, with servers that give no ids, or the same again in every answer.
func TestCallIDsAreMadeWhereTheyMust(t *testing.T) {
	req := question("q")
	req.Messages = append(req.Messages, llm.Message{Role: llm.Self, Calls: []llm.Call{{ID: "call_0", Name: "f"}}}, llm.Message{Role: llm.ToolResult, CallID: "call_0", Text: "x"})
	for name, calls := range map[string]string{
		"none, whole":    `{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"f","arguments":"{}"}}`,
		"none, index 0":  `{"index":0,"id":"","function":{"name":"f","arguments":"{}"}},{"index":0,"id":"","function":{"name":"g","arguments":"{}"}}`,
		"used before":    `{"index":0,"id":"call_0","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"c 1","function":{"name":"f","arguments":"{}"}}`,
		"no such letter": `{"index":0,"id":"functions.f:0","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"functions.f:1","function":{"name":"f","arguments":"{}"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			a := llmtest.Answer{Body: llmtest.Bytes(llmtest.Data(delta(`{"tool_calls":[`+calls+`]}`), finish("tool_calls")))}
			got := listen(t, t.Context(), model(t, llmtest.Serve(t, a)), req)
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

// V06: what the model wrote is handed on as it is; V08: the name at once, the arguments as they come.
func TestCallsAreNotMended(t *testing.T) {
	for _, args := range []string{`{"topic":"fractions"`, `{"n":1,}`, "{\"a\":\"b\nc\"}", ""} {
		body := llmtest.Data(delta(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":`+quote(args)+`}}]}`), finish("tool_calls"), done)
		every(t, body, outcome{Calls: []llm.Call{{ID: "c", Name: "f", Args: []byte(args)}}, Reason: llm.ToolUse}, noError)
	}
	c := newCalls(llm.Request{})
	if got := c.add(fragment{number: 0, id: "c", name: "f", args: `""`}); len(got) != 1 || got[0].Name != "f" || got[0].ID != "c" {
		t.Errorf("the first fragment gave %+v", got)
	}
	if got := c.add(fragment{number: 0, args: `"{\"a"`}); len(got) != 1 || got[0].Text != `{"a` || got[0].Name != "" {
		t.Errorf("the second fragment gave %+v", got)
	}
}
