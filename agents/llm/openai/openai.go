// Package openai asks models that speak OpenAI's chat completions: OpenAI
// itself, Ollama, llama.cpp's server, LM Studio, vLLM, OpenRouter, Gemini's
// compatible endpoint and the like. It is the official SDK with what those
// servers do differently put right.
//
// # Delivery
//
// The rules of package llm hold. What came before an error was delivered. A
// stream that breaks off is an [llm.Error] that wraps [llm.ErrCut], unless a
// finish reason had come; "[DONE]" after text or whole calls counts as one.
// Once a finish reason has come, the rest (usage, "[DONE]") is waited for two
// seconds. Calls are numbered from 0 without gaps, in the order of the
// provider's own numbers where it gives any; their ids are unlike every id in
// the request. Deltas hold whole characters.
//
// # What is put right before the SDK reads it
//
// The SDK's event reader takes LF and CRLF only, drops a last event that no
// blank line ends, takes "error": null for an error and gives up at the first
// data line that is not JSON. So a middleware rewrites the body into one data
// line an event: CR, CRLF and LF, a BOM, comments, empty and chatty data lines,
// events without blank lines between them, lines that are bare JSON, a whole
// completion where a stream was asked for, lines up to 16 MB. The SDK's strings
// lose characters that a delta cuts in half; they are read from its raw JSON.
// The SDK's retries are off: package agents retries.
//
// # Thinking
//
// The fields reasoning_content, reasoning and reasoning_text, and a <think>
// block that opens the answer. A closing tag that was never opened stays text.
//
// # Usage
//
// Input counts the prompt without what came from the provider's cache, which is
// CacheRead. Output includes Reasoning.
//
// # Concurrency
//
// A Model may be asked from many goroutines at once. It starts no goroutine of
// its own beyond those of net/http.
package openai

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"colloquy/agents/llm"
)

// Options say which model to ask, and where.
type Options struct {
	BaseURL string       // "" is OpenAI's; "http://localhost:11434" gets the missing "/v1"
	Key     string       // "" sends none, as local servers want it
	Model   string       // as the provider names it
	HTTP    *http.Client // nil is a client made for slow answers; any client's redirects are held to one host
}

// A Model is one model of one provider.
type Model struct {
	name string
	key  string
	at   address
	chat sdk.ChatCompletionService

	silence time.Duration // how long an answer may say nothing
	grace   time.Duration // how long to wait for usage after a finish reason
}

var _ llm.Model = (*Model)(nil)

// New returns the model that o names. It sends nothing.
func New(o Options) (*Model, error) {
	at, err := parseAddress(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(o.Model) == "" {
		return nil, errors.New("no model is named; set the model as its provider names it, such as llama3.2")
	}
	key := strings.TrimSpace(o.Key)
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the model's key holds characters that no key has; copy it again")
	}
	m := &Model{name: strings.TrimSpace(o.Model), key: key, at: at, silence: 5 * time.Minute, grace: 2 * time.Second}
	opts := []option.RequestOption{option.WithBaseURL(at.base), option.WithMaxRetries(0), option.WithHTTPClient(client(o.HTTP))}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	// Not sdk.NewClient: that would also read keys and addresses from the environment.
	m.chat = sdk.NewChatCompletionService(opts...)
	return m, nil
}

// Name says which model this is.
func (m *Model) Name() string { return "openai:" + m.name }

// Provider names who answers, as people are told: "OpenAI", "Ollama at localhost:11434".
func (m *Model) Provider() string { return m.at.name }

// Stream asks the model.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		params, err := params(m.name, req)
		if err != nil {
			yield(llm.Event{}, fmt.Errorf("ask %s: %w", m.Name(), err))
			return
		}
		a := answer{model: m, ctx: ctx, yield: yield, calls: newCalls(req)}
		if err := a.run(params); err != nil && !a.left {
			yield(llm.Event{}, err)
		}
	}
}
