// Package openai asks models that speak OpenAI's chat completions: OpenAI
// itself, Ollama, llama.cpp's server, LM Studio, vLLM, OpenRouter, Gemini's
// compatible endpoint and the like. It is the official SDK with what those
// servers do differently put right.
//
// # Delivery
//
// The rules of package llm hold. What came before an error was delivered. A
// stream that breaks off is an [llm.Error] that wraps [llm.ErrIncomplete], unless a
// finish reason had come; "[DONE]" after text or whole calls counts as one.
// Once a finish reason has come, the rest (usage, "[DONE]") is waited for two
// seconds. Calls are numbered from 0 without gaps, in the order of the
// provider's own numbers where it gives any; their ids are unlike every id in
// the request. Deltas hold whole characters.
//
// # What is put right before the SDK reads it
//
// Package wire's middleware makes the body plain; see there. Beyond that, a
// whole completion where a stream was asked for is read as one chunk. The SDK's
// retries are off: package agents retries.
//
// # Thinking
//
// The fields reasoning_content, reasoning and reasoning_text, the texts of
// OpenRouter's reasoning_details where none of them comes, the thinking in a
// content that is a list, as Mistral writes it, and a <think>
// block that opens the answer, whether its tags are cut or it is never closed.
//
// Where the model's template has opened the block, only the closing tag comes,
// and what stands before it looks like an answer until then. A closing tag that
// nothing opened ends the thinking where models put it: it begins its line, ends
// it, or follows a word or a sentence at once. In code, in the midst of a
// sentence, after an opening tag of its own, and after a call or another closing
// tag, a tag is text. What was not given out yet is thinking then; what was given
// out as text is taken back with [llm.Rethink].
//
// So that thinking is not read as an answer first, the beginning of an answer is
// held back, up to 400 characters: short thinking is parted before anybody sees
// it, and an ordinary answer streams from there on. That is done where the
// model's last answer had such a tag, and, while nothing is known, where its name
// is that of a model that does so or a level of thinking is asked for; never from
// the services that part thinking themselves, and not after an answer that was
// held back for nothing. What is held back when an answer breaks off is
// thinking; one that is called off says nothing of it.
//
// A level goes out as reasoning_effort; off as "none". Thinking that came in a
// field goes back in it while the tools that it called for are at work, as
// DeepSeek and Kimi want it; Gemini's signatures of calls always go back.
//
// # What a server does not take
//
// A request with reasoning_effort that is refused with 400 or 422 is sent again
// without it, and one whose max_tokens is refused with max_completion_tokens,
// or the other way round. What helped is kept for the life of the Model.
//
// # Usage
//
// Input counts the prompt without what came from the provider's cache, which is
// CacheRead. Output includes Reasoning.
// A count is held between 0 and a thousand million, whatever the server says.
//
// # Concurrency
//
// A Model may be asked from many goroutines at once. It starts no goroutine of
// its own beyond those of net/http.
package openai

import (
	"context"
	"fmt"
	"iter"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// Options say which model to ask, and where.
type Options = wire.Options

// A Model is one model of one provider.
type Model struct {
	provider     wire.Provider
	chat         sdk.ChatCompletionService
	capabilities wire.Capabilities
}

var _ llm.ToolRefuser = (*Model)(nil)

var endpoint = wire.Endpoint{
	DefaultURL: "https://api.openai.com/v1",
	ExampleURL: "http://localhost:11434/v1",
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
	if s.Model == "" {
		return nil, wire.ErrNoModel
	}
	m := &Model{provider: s.Provider}
	opts := []option.RequestOption{option.WithBaseURL(s.Base), option.WithMaxRetries(0), option.WithHTTPClient(s.HTTP)}
	if s.Key != "" {
		opts = append(opts, option.WithAPIKey(s.Key))
	}
	// Not sdk.NewClient: that would also read keys and addresses from the environment.
	m.chat = sdk.NewChatCompletionService(opts...)
	return m, nil
}

// Name says which model this is.
func (m *Model) Name() string { return "openai:" + m.provider.Model }

// Provider names who answers, as people are told: "OpenAI", "Ollama at localhost:11434".
func (m *Model) Provider() string { return m.provider.Name }

// RefusesTools reports whether the server was seen to refuse tools.
func (m *Model) RefusesTools() bool { return m.capabilities.RefusesTools() }

// Stream asks the model.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		x := wire.NewCall(ctx, &m.provider, m.Name(), yield)
		x.Tools = len(req.Tools) > 0
		x.Send(&m.capabilities, rejectedParam, func(without wire.OptionalParams) (llm.Reason, wire.OptionalParams, error) {
			params, asked, err := m.params(req, without)
			if err != nil {
				return "", nil, fmt.Errorf("ask %s: %w", m.Name(), err)
			}
			a := answer{model: m, Call: x, calls: newCallAssembler(req), tags: thinkParser{holdBack: m.holdsBack(req.Thinking)}}
			defer m.learn(&a.tags)
			reason, err := a.run(params)
			return reason, asked, err
		})
	}
}
