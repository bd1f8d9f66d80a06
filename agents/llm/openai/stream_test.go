package openai

import (
	"net/http"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// Chunks without choices are ignored.
func TestChunksWithoutChoices(t *testing.T) {
	everyChunking(t, llmtest.Data(`{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}`, text("a"),
		`{"id":"x"}`, `{"choices":null}`, `{}`, finish("stop"), usage, done),
		outcome{Text: "a", Usage: wantUsage, Reason: llm.Stop}, noError)
}

// Deltas without content are ignored.
func TestDeltasWithoutContent(t *testing.T) {
	everyChunking(t, llmtest.Data(delta(`{"role":"assistant","content":null}`), delta(`{}`), delta(`null`), text(" "),
		text("a"), text(" "), delta(`{"content":null,"tool_calls":null}`), finish("stop"), done),
		outcome{Text: " a ", Reason: llm.Stop}, noError)
	everyChunking(t, llmtest.Data(text(" "), finish("stop"), done), outcome{Text: " ", Reason: llm.Stop}, noError)
}

// A field of an unexpected type is skipped; the rest of the event counts.
func TestFieldsOfOtherTypes(t *testing.T) {
	everyChunking(t, llmtest.Data(
		`{"id":7,"choices":[{"index":0,"delta":{"content":"a","tool_calls":{}},"finish_reason":5}]}`,
		delta(`{"content":5,"reasoning":{},"refusal":[]}`), `{"choices":{},"usage":"none"}`,
		`{"choices":[7,{"index":"0","delta":{"content":"b","role":1}}]}`, finish("stop"), usage, done),
		outcome{Text: "ab", Usage: wantUsage, Reason: llm.Stop}, noError)
}

func TestUsageInEveryPlace(t *testing.T) {
	inChoice := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop",` +
		`"usage":{"prompt_tokens":3,"completion_tokens":2}}]}`
	everyChunking(t, llmtest.Data(text("a"), inChoice, done),
		outcome{Text: "a", Usage: llm.Usage{Input: 3, Output: 2}, Reason: llm.Stop}, noError)
	withFinish := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":3,"completion_tokens":2}}`
	everyChunking(t, llmtest.Data(text("a"), withFinish, done),
		outcome{Text: "a", Usage: llm.Usage{Input: 3, Output: 2}, Reason: llm.Stop}, noError)
}

func TestFinishReasons(t *testing.T) {
	for reason, want := range map[string]llm.Reason{
		"stop": llm.Stop, "length": llm.Length, "max_tokens": llm.Length, "MAX_TOKENS": llm.Length, "eos": llm.Stop,
		"STOP": llm.Stop, "tool_calls": llm.Stop,
	} {
		t.Run(reason, func(t *testing.T) {
			everyChunking(t, llmtest.Data(text("a"), finish(reason), done), outcome{Text: "a", Reason: want}, noError)
		})
	}
	call := delta(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]}`)
	calls := []llm.Call{{ID: "c", Name: "f", Args: []byte(`{}`)}}
	for reason, want := range map[string]llm.Reason{"stop": llm.ToolUse, "tool_calls": llm.ToolUse,
		"function_call": llm.ToolUse, "length": llm.Length} {
		t.Run("call "+reason, func(t *testing.T) {
			everyChunking(t, llmtest.Data(call, finish(reason), done), outcome{Calls: calls, Reason: want}, noError)
		})
	}
	for reason, want := range map[string]llm.Fault{"content_filter": llm.Refused, "error": llm.Overloaded,
		"abort": llm.Unreachable} {
		t.Run(reason, func(t *testing.T) {
			everyChunking(t, llmtest.Data(text("a"), finish(reason), done), outcome{Text: "a"},
				func(t *testing.T, err error) {
					if e := userError(t, err); e.Fault != want {
						t.Errorf("got %+v", e)
					}
				})
		})
	}
}

func TestThinking(t *testing.T) {
	for _, field := range []string{"reasoning_content", "reasoning", "reasoning_text"} {
		everyChunking(t,
			llmtest.Data(delta(`{"`+field+`":"I wo","content":""}`), delta(`{"`+field+`":"nder","content":null}`),
				delta(`{"`+field+`":null,"content":"a"}`), finish("stop")),
			outcome{Thinking: "I wonder", Opaque: []string{field}, Text: "a", Reason: llm.Stop}, noError)
	}
	everyChunking(t, llmtest.Data(delta(`{"reasoning_content":"","reasoning":"x","reasoning_text":"x"}`), text("a"),
		finish("stop")),
		outcome{Thinking: "x", Opaque: []string{"reasoning"}, Text: "a", Reason: llm.Stop}, noError)
}

// Mistral's reasoning models write content as a list.
func TestContentInParts(t *testing.T) {
	thinking := func(s string) string {
		return delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":` + s +
			`},{"type":"sound","text":"no"}]}]}`)
	}
	everyChunking(t, llmtest.Data(thinking(`"pl\ud83d"`), thinking(`"\ude00an"`),
		delta(`{"content":[{"type":"thinking","thinking":" more","closed":true},{"type":"text","text":"a"},`+
			`{"type":"reference","text":"no","reference_ids":[1]},7,"x",null,{"type":3},{"type":"text","text":5}]}`),
		delta(`{"content":[{"type":"text","text":"b"}]}`), text("c"), delta(`{"content":[]}`),
		delta(`{"content":{"type":"text","text":"no"}}`), finish("stop"), done),
		outcome{Thinking: "pl😀an more", Text: "abc", Reason: llm.Stop}, noError)
	everyChunking(t, `{"choices":[{"index":0,"message":{"role":"assistant","content":[{"type":"thinking",`+
		`"thinking":[{"type":"text","text":"plan"}]},{"type":"text","text":"whole"}]},"finish_reason":"stop"}]}`,
		outcome{Thinking: "plan", Text: "whole", Reason: llm.Stop}, noError)
}

// OpenRouter's list counts if there is no plain field.
func TestReasoningDetails(t *testing.T) {
	list := `"reasoning_details":[{"type":"reasoning.text","text":"pl","signature":null},` +
		`{"type":"reasoning.encrypted","data":"zz"},{"type":"reasoning.summary","summary":"an"},{"type":"other",` +
		`"text":"no"}]`
	everyChunking(t, llmtest.Data(delta(`{"content":"",`+list+`}`),
		delta(`{"reasoning":null,"reasoning_details":[{"type":"reasoning.text","text":"-7","signature":"s"}]}`),
		delta(`{"content":"a","reasoning_details":[]}`), finish("stop")),
		outcome{Thinking: "plan-7", Text: "a", Reason: llm.Stop}, noError)
	everyChunking(t, llmtest.Data(delta(`{"reasoning":"plan",`+list+`}`), text("a"), finish("stop")),
		outcome{Thinking: "plan", Opaque: []string{"reasoning"}, Text: "a", Reason: llm.Stop}, noError)
}

func TestServersThatDoNotStream(t *testing.T) {
	completion := `{"id":"1","object":"chat.completion","choices":[{"index":0,
 "message":{"role":"assistant","content":"whole","reasoning_content":"hm",
 "tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},
 "finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`
	want := outcome{Text: "whole", Thinking: "hm", Opaque: []string{"reasoning_content"},
		Calls: []llm.Call{{ID: "c", Name: "f", Args: []byte(`{}`)}}, Usage: llm.Usage{Input: 3, Output: 2},
		Reason: llm.ToolUse}
	everyChunking(t, completion, want, noError)
	everyChunking(t, strings.ReplaceAll(completion, "\n", ""), want, noError)
	everyChunking(t, strings.ReplaceAll(text("a")+"\n"+finish("stop"), "\n\n", "\n"),
		outcome{Text: "a", Reason: llm.Stop}, noError)
	a := llmtest.Answer{Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body: llmtest.Bytes("<html>Welcome to the school's Wi-Fi")}
	got := collect(t, t.Context(), model(t, llmtest.Serve(t, a)), question("q"))
	if e := userError(t, got.Err); e.Fault != llm.BadAnswer {
		t.Errorf("a web page: %+v", e)
	}
}
