package openai

import (
	"errors"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/agents/llm/llmtest/conform"
)

// errorFrames are errors in a stream with status 200, of every dialect: gateways
// forward those of others.
var errorFrames = map[string]conform.ErrorFrame{
	"OpenAI": {Frame: llmtest.Data(`{"error":{"message":"The server had an error","type":"server_error",` +
		`"code":null}}`), Fault: llm.Overloaded},
	"Anthropic": {Frame: "event: error\n" +
		llmtest.Data(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`),
		Fault: llm.Overloaded},
	"Ollama": {Frame: `{"error":"model runner has unexpectedly stopped"}` + "\n", Fault: llm.Overloaded},
	"string": {Frame: llmtest.Data(`{"error":"out of memory"}`), Fault: llm.Overloaded},
	"OpenRouter": {Frame: llmtest.Data(`{"id":"x","error":{"code":429,"message":"Rate limited"},` +
		`"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`), Fault: llm.Overloaded},
	"named, bare object": {Frame: "event: error\n" +
		llmtest.Data(`{"message":"Invalid API key","type":"authentication_error"}`), Fault: llm.Credentials},
	"named, plain text": {Frame: "event: error\n" + llmtest.Data("Overloaded"), Fault: llm.Overloaded},
	"context": {Frame: llmtest.Data(`{"error":{"message":"This model's maximum context length is 4096 ` +
		`tokens","code":"context_length_exceeded"}}`), Fault: llm.TooLong},
	"filter": {Frame: llmtest.Data(`{"error":{"message":"no","type":"invalid_request_error",` +
		`"code":"content_filter"}}`), Fault: llm.Refused},
	"pretty JSON": {Frame: "{\n  \"error\": {\n    \"message\": \"no\",\n    \"code\": 503\n  }\n}\n",
		Fault: llm.Overloaded},
}

func TestEmptyErrorIsNoError(t *testing.T) {
	for _, nothing := range []string{"null", `""`, "{}", "false"} {
		chunk := `{"error":` + nothing + `,"choices":[{"index":0,"delta":{"content":"a \"error\" b"}}]}`
		everyChunking(t, llmtest.Data(chunk, finish("stop")), outcome{Text: `a "error" b`, Reason: llm.Stop}, noError)
	}
}

// "[DONE]" counts as a finish reason if the answer has text.
func TestDoneWithoutAFinishReason(t *testing.T) {
	everyChunking(t, llmtest.Data(text("a"), done), outcome{Text: "a", Reason: llm.Stop}, noError)
	incomplete := func(t *testing.T, err error) {
		if !errors.Is(err, llm.ErrIncomplete) {
			t.Errorf("ended with %v", err)
		}
	}
	everyChunking(t, llmtest.Data(done), outcome{}, incomplete)
	everyChunking(t, "", outcome{}, incomplete)
	everyChunking(t, llmtest.Data(delta(`{"reasoning":"hm"}`), done),
		outcome{Thinking: "hm", Opaque: []string{"reasoning"}}, incomplete)
}
