package openai

import (
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"colloquy/agents/llm/llmtest"
)

// pages serves fixed answers by path.
func pages(t *testing.T, pages map[string]string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, ok := pages[r.URL.Path]; ok {
			io.WriteString(w, body)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestLocal(t *testing.T) {
	ollama := pages(t, map[string]string{"/v1/models": `{"object":"list","data":[{"id":"llama3.2",` +
		`"owned_by":"library"}]}`, "/api/version": `{"version":"0.9.1"}`})
	fresh := pages(t, map[string]string{"/v1/models": llmtest.OllamaNoModels, "/api/version": `{"version":"0.9.1"}`})
	llamacpp := pages(t, map[string]string{"/v1/models": llmtest.LlamaCppModels, "/api/version": `{"version":"1"}`})
	vllm := pages(t, map[string]string{"/v1/models": `{"data":[{"id":"meta/llama","owned_by":"vllm"},{"id":"lora",` +
		`"owned_by":"vllm"}]}`})
	studio := pages(t, map[string]string{"/v1/models": `{"data":[{"id":"phi","owned_by":"organization_owner"}]}`,
		"/api/v0/models": `{"data":[{"id":"phi","type":"llm"},{"id":"other"}]}`})
	other := pages(t, map[string]string{"/v1/models": `{"data":[{"id":"m"}]}`})
	web := pages(t, map[string]string{"/": "<html>", "/v1/models": "<html>"})
	got := FindLocal(t.Context(), ollama, fresh, llamacpp+"/", vllm, studio, other, web, "http://127.0.0.1:1")
	want := []LocalServer{
		{"Ollama", ollama + "/v1", []string{"llama3.2"}},
		{"Ollama", fresh + "/v1", []string{}},
		{"llama.cpp", llamacpp + "/v1", []string{"plain.gguf"}},
		{"vLLM", vllm + "/v1", []string{"meta/llama", "lora"}},
		{"LM Studio", studio + "/v1", []string{"phi"}},
		{"Model server at " + other[len("http://"):], other + "/v1", []string{"m"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestLocalDoesNotWait(t *testing.T) {
	gate := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-gate }))
	defer s.Close()
	defer close(gate)
	start := time.Now()
	if got := FindLocal(t.Context(), s.URL, s.URL); len(got) != 0 || time.Since(start) > 3*time.Second {
		t.Errorf("got %v after %v", got, time.Since(start))
	}
}
