package conform

import (
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// toolsRefused: a refusal of tools has its own fault, and the request is not sent
// again. The model remembers it until a request with tools is answered.
func toolsRefused(t *testing.T, d Dialect) {
	answer := llmtest.Answer{Body: llmtest.Bytes(d.Body([]Block{Text("a")}, llm.Stop))}
	u := llmtest.Serve(t, llmtest.JSON(400, llmtest.OllamaNoTools), answer, answer,
		llmtest.JSON(500, llmtest.LlamaCppNoJinja), llmtest.JSON(400, llmtest.LlamaCppGrammar))
	m := llm.Guard(llm.With(d.New(t, u), llm.Profile{}))
	req := Question("q")
	req.Thinking = llm.ThinkLow // an optional parameter; the request is not sent again without it
	req.Tools = []llm.Tool{{Name: "f", Input: raw(`{"type":"object"}`)}}
	without := req
	without.Tools = nil
	ask := func(req llm.Request, fault llm.Fault, refuses bool) {
		t.Helper()
		got := Collect(t, t.Context(), m, req)
		if fault == "" && got.Err != nil {
			t.Fatal(got.Err)
		}
		if fault != "" {
			e := UserError(t, got.Err)
			if e.Fault != fault || e.Retryable() || !strings.Contains(e.Message, "cannot use tools") {
				t.Errorf("got %s: %s", e.Fault, e)
			}
		}
		if llm.RefusesTools(m) != refuses {
			t.Errorf("RefusesTools is %v", !refuses)
		}
	}
	if llm.RefusesTools(m) {
		t.Error("RefusesTools before any request")
	}
	ask(req, llm.ToolsRefused, true)
	ask(without, "", true)
	ask(req, "", false)
	ask(req, llm.ToolsRefused, true)
	ask(req, llm.ToolsRefused, true)
	if n := len(u.Requests()); n != 5 {
		t.Errorf("%d requests, want 5", n)
	}
}
