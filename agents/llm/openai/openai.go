// Package openai is the provider for OpenAI's chat completions: OpenAI itself,
// Ollama, llama.cpp's server, LM Studio, vLLM, OpenRouter, Gemini's compatible
// endpoint and others. It accepts what those servers do differently.
//
// # Delivery
//
// The rules of package llm hold. Events before an error are delivered. A stream
// that ends early is an [llm.Error] that wraps [llm.ErrIncomplete], unless a finish
// reason has arrived; "[DONE]" after text or complete calls counts as one. After a
// finish reason, the rest (usage, "[DONE]") must arrive within two seconds. Calls
// are numbered from 0 without gaps, in the order of the provider's numbers if it
// sends any; their ids differ from every id in the request. Deltas consist of
// complete characters.
//
// A completion that is not streamed is read as one chunk. Package wire says which forms
// of a stream are accepted; package agents makes retries.
//
// # Thinking
//
// Thinking comes from the fields reasoning_content, reasoning and reasoning_text;
// if there is none, from the texts of OpenRouter's reasoning_details; from a content
// that is a list, as Mistral writes it; and from a <think> block at the start of the
// answer, even if its tags are split between deltas or it is never closed.
//
// If the model's template opens the block, only the closing tag is sent, and the
// text before it looks like an answer. A closing tag without an opening tag ends the
// thinking if it begins its line, ends it, or directly follows a word or a sentence.
// A tag is text in code, within a sentence, after an opening tag of its own, and
// after a call or another closing tag. Text not yet emitted becomes thinking; text
// that was emitted is taken back with [llm.Rethink].
//
// So that thinking is not shown as an answer first, the beginning of an answer is
// held back, up to 400 characters. Short thinking is then separated before it is
// shown, and an ordinary answer streams from there on. The beginning is held back if
// the model's last answer had such a tag; and, before anything is known, if the
// model's name is that of a model with such a template or the request has a thinking
// level. It is never held back for services that separate thinking themselves, nor
// after an answer that was held back without a tag. If an answer ends early, the text
// held back becomes thinking; if it is cancelled, that text is dropped.
//
// A level is sent as reasoning_effort, ThinkOff as "none". Thinking from a field is
// sent back in that field until the answer after its tool calls is complete, as
// DeepSeek and Kimi require. Gemini's signatures of calls are always sent back.
//
// # Rejected parameters
//
// A request with reasoning_effort that is refused with status 400 or 422 is sent
// again without it. One whose max_tokens is refused is sent again with
// max_completion_tokens, and the reverse. The form that worked is kept for later
// requests.
//
// # Usage
//
// Input counts the prompt without the part from the provider's cache, which is
// CacheRead. Output includes Reasoning. A count is limited to between 0 and a
// thousand million.
//
// # Concurrency
//
// A Model may be used from many goroutines at once. It starts no goroutine other
// than those of net/http.
package openai

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
	"colloquy/classroom/provider"
)

// Options name a model and its server.
type Options = wire.Options

// A Model is one model of one provider.
type Model struct{ provider *wire.Server }

var _ llm.ToolRefuser = (*Model)(nil)

var endpoint = wire.Endpoint{
	Protocol:   provider.OpenAI.ID,
	DefaultURL: provider.OpenAI.DefaultURL,
	ExampleURL: provider.OpenAI.ExampleURL,
	AskPath:    "chat/completions",
	ListPath:   "models",
	Hint:       "Check that its address is the one for OpenAI-compatible programs; it often ends in /v1.",
	NormalPath: func(path string) string {
		if path = strings.TrimSuffix(path, "/chat/completions"); path == "" {
			return "/v1"
		}
		return path
	},
}

// New returns the model that o names. It sends nothing.
func New(o Options) (*Model, error) {
	s, err := wire.Resolve(endpoint, o)
	if err != nil {
		return nil, err
	}
	return &Model{s}, nil
}

// Models returns the names of a server's models; see [wire.Models].
func Models(ctx context.Context, o Options) ([]string, error) { return wire.Models(ctx, endpoint, o) }

// Name returns "openai:" and the model's name.
func (m *Model) Name() string { return m.provider.ModelName() }

// RefusesTools reports whether the server is known to refuse tools.
func (m *Model) RefusesTools() bool { return m.provider.Capabilities.RefusesTools() }

// Stream answers a request.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	try := func(c *wire.Call, without wire.OptionalParams) (llm.Reason, wire.OptionalParams, error) {
		params, sent, err := m.params(req, without)
		if err != nil {
			return "", nil, fmt.Errorf("ask %s: %w", m.Name(), err)
		}
		tags := thinkParser{holdBack: m.holdsBack(req.Thinking)}
		a := answer{Call: c, calls: newCallAssembler(req), tags: tags}
		defer m.learn(&a.tags)
		reason, err := a.run(params)
		return reason, sent, err
	}
	return m.provider.Stream(ctx, req, rejectedParam, try)
}
