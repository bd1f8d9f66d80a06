package llmtest

import "net/http"

// Answers that were recorded from local servers, byte for byte.
const (
	// To GET /v1/models: Ollama without a model, and llama.cpp.
	OllamaNoModels = `{"object":"list","data":null}`
	LlamaCppModels = `{"models":[{"name":"plain.gguf","capabilities":["completion"]}],"object":"list","data":[` +
		`{"id":"plain.gguf","object":"model","owned_by":"llamacpp","meta":{"n_ctx":2048,` +
		`"n_ctx_train":131072,"n_params":134464,"size":537856}}]}`

	// To a request with tools: Ollama with a model without tools (400), llama.cpp without --jinja (500),
	// and llama.cpp with a schema whose repetitions are too large (400).
	OllamaNoTools = `{"error":{"message":"registry.example/library/tinyplain:latest does not support tools",` +
		`"type":"invalid_request_error","param":null,"code":null}}`
	LlamaCppNoJinja = `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`
	LlamaCppGrammar = `{"error":{"code":400,"message":"Failed to initialize samplers: failed to parse grammar",` +
		`"type":"invalid_request_error"}}`

	// llama.cpp to a request that is too long (400), and while it loads its model (503).
	LlamaCppTooLong = `{"error":{"code":400,"message":"request (28022 tokens) exceeds the available context size ` +
		`(2048 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":28022,"n_ctx":2048}}`
	LlamaCppLoading = `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`

	// Ollama to a request for a model that it does not have (404).
	OllamaNoModel = `{"error":{"message":"model 'nope' not found","type":"not_found_error","param":null,"code":null}}`
)

// LlamaCppStream is a short answer of llama.cpp's, with its empty first delta and its timings.
const LlamaCppStream = `data: {"choices":[{"finish_reason":null,"index":0,` +
	`"delta":{"role":"assistant","content":null}}],"created":1,` +
	`"id":"chatcmpl-1","model":"plain.gguf","object":"chat.completion.chunk"}` + "\n\n" +
	`data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":" good"}}],"created":1,` +
	`"id":"chatcmpl-1","model":"plain.gguf","object":"chat.completion.chunk"}` + "\n\n" +
	`data: {"choices":[{"finish_reason":"length","index":0,"delta":{}}],"created":1,` +
	`"id":"chatcmpl-1","model":"plain.gguf","object":"chat.completion.chunk"}` + "\n\n" +
	`data: {"choices":[],"created":1,"id":"chatcmpl-1","model":"plain.gguf","object":"chat.completion.chunk",` +
	`"usage":{"completion_tokens":1,"prompt_tokens":28,"total_tokens":29,` +
	`"prompt_tokens_details":{"cached_tokens":0}},` +
	`"timings":{"prompt_per_second":900.5,"predicted_per_second":410.2}}` + "\n\n" +
	"data: [DONE]\n\n"

// JSON returns an answer that is one JSON document.
func JSON(status int, body string) Answer {
	return Answer{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: Bytes(body)}
}
