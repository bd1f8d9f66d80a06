package openai

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/agents/llm/llmtest/conform"
)

type outcome = conform.Outcome

var (
	collect   = conform.Collect
	userError = conform.UserError
	question  = conform.Question
	noError   = conform.NoError
	quote     = conform.Quote
)

const testKey = conform.Key

func model(t testing.TB, u *llmtest.Upstream) *Model { return modelNamed(t, u, "fake-model") }

// newHTTPClient returns a client whose connections are closed after the test.
func newHTTPClient(t testing.TB) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func modelNamed(t testing.TB, u *llmtest.Upstream, name string) *Model {
	t.Helper()
	m, err := New(Options{BaseURL: u.URL, Key: testKey, Model: name, HTTP: newHTTPClient(t)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var dialect = conform.Dialect{
	New: func(t testing.TB, u *llmtest.Upstream) llm.Model { return model(t, u) },
	Models: func(t testing.TB, ctx context.Context, u *llmtest.Upstream) ([]string, error) {
		return Models(ctx, Options{BaseURL: u.URL, Key: testKey, HTTP: newHTTPClient(t)})
	},
	ListBody:  `{"object":"list","data":[{"id":"zeta","object":"model"},{"id":"alpha"},{"id":"zeta"},{"id":""}]}`,
	Body:      body,
	WantUsage: wantUsage,
	UsageBody: func(in, out string) string {
		return llmtest.Data(text("a"), finish("stop"),
			fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%s,"completion_tokens":%s}}`, in, out), done)
	},
	Errors:         errorFrames,
	Fragments:      fragments,
	InlineThinking: true,
}

func TestConformance(t *testing.T) { conform.Run(t, dialect) }

func everyChunking(t *testing.T, body string, want outcome, check func(*testing.T, error)) {
	t.Helper()
	conform.EveryChunking(t, dialect, body, want, check)
}

// body returns the event stream of an answer.
func body(blocks []conform.Block, end llm.Reason) string {
	chunks := []string{delta(`{"role":"assistant","content":null}`)}
	calls := 0
	for _, p := range blocks {
		switch p.Kind {
		case llm.CallDelta:
			chunks = append(chunks, callChunks(p, calls)...)
			calls++
		case llm.ThinkingDelta:
			for _, piece := range p.Pieces {
				chunks = append(chunks, delta(`{"reasoning_content":`+piece+`}`))
			}
		default:
			for _, piece := range p.Pieces {
				chunks = append(chunks, delta(`{"content":`+piece+`}`))
			}
		}
	}
	if end != "" {
		name := strings.Replace(string(end), "tool_use", "tool_calls", 1)
		chunks = append(chunks, finish(name), usage, done)
	}
	return llmtest.Data(chunks...)
}

func callChunks(p conform.Block, n int) []string {
	extra := ""
	if p.Opaque != "" {
		extra = fmt.Sprintf(`,"extra_content":{"google":{"thought_signature":%q}}`, p.Opaque)
	}
	out := []string{callDelta(fmt.Sprintf(`{"index":%d,"id":%q,"type":"function",`+
		`"function":{"name":%q,"arguments":""}%s}`, n, p.ID, p.Name, extra))}
	for _, piece := range p.Pieces {
		out = append(out, callDelta(fmt.Sprintf(`{"index":%d,"function":{"arguments":%s}}`, n, piece)))
	}
	return out
}

func callDelta(json string) string { return delta(`{"tool_calls":[` + json + `]}`) }

// delta returns a chunk with that delta, given as JSON.
func delta(json string) string {
	return fmt.Sprintf(`{"id":"1","object":"chat.completion.chunk","created":1,"model":"m",`+
		`"choices":[{"index":0,"delta":%s,"finish_reason":null}]}`, json)
}

func text(s string) string { return delta(fmt.Sprintf(`{"content":%s}`, quote(s))) }

func finish(reason string) string {
	return fmt.Sprintf(`{"id":"1","choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason)
}

const (
	done  = "[DONE]"
	usage = `{"id":"1","choices":[],` +
		`"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18,` +
		`"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}}`
)

var wantUsage = llm.Usage{Input: 7, Output: 7, CacheRead: 4, Reasoning: 2}
