// Package anthropic is the provider for Anthropic's messages: Anthropic itself, and
// servers and gateways with the same API.
//
// # Delivery
//
// The rules of package llm hold. Events before an error are delivered. An answer
// without message_stop is an [llm.Error] that wraps [llm.ErrIncomplete]. The stop
// reasons refusal and sensitive are errors, and so is a context that fills up during
// the answer. Deltas consist of complete characters. A call without arguments gets
// an empty object.
//
// A message that is not streamed is read as the events of a stream. Package wire says
// which forms of a stream are accepted; package agents makes retries.
//
// # Thinking
//
// For models that require it, a level is sent as adaptive thinking with an effort.
// For older models and those of other vendors it is sent as a budget of 2048, 8192
// or 16384 tokens, of which at least 1024 remain for the answer. If a server refuses
// one form with status 400, the request is sent with the other, then with neither.
// The form that worked is kept for later requests. ThinkOff is sent as disabled,
// in the same way.
//
// The signature of a block, or the data of a redacted block, is its opaque state and
// is sent back to the model that generated it. If the server no longer accepts one,
// the request is sent once more without any past thinking. No budget is sent while a
// turn has tool calls without thinking: the server would refuse that conversation.
//
// Inline <think> tags remain text: these servers separate thinking themselves.
//
// # Usage
//
// Input counts the prompt without the parts that were read from the cache
// (CacheRead) or written to it (CacheWrite). Only Anthropic itself is asked to cache
// the part of a request that the next one will repeat. A count is limited to between
// 0 and a thousand million.
//
// # Concurrency
//
// A Model may be used from many goroutines at once. It starts no goroutine other
// than those of net/http.
package anthropic

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
	Protocol:   provider.Anthropic.ID,
	DefaultURL: provider.Anthropic.DefaultURL,
	ExampleURL: provider.Anthropic.ExampleURL,
	AskPath:    "v1/messages",
	ListPath:   "v1/models?limit=1000",
	Header:     map[string]string{"Anthropic-Version": "2026-10-21"},
	KeyHeader:  "X-Api-Key",
	Hint:       "Check that its address is the one for programs that speak with Anthropic.",
	NormalPath: func(path string) string {
		return strings.TrimSuffix(strings.TrimSuffix(path, "/messages"), "/v1")
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

// Name returns "anthropic:" and the model's name.
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
		a := answer{Call: c, blocks: map[int]*block{}, ids: wire.NewIDAllocator(req)}
		reason, err := a.run(params)
		return reason, sent, err
	}
	return m.provider.Stream(ctx, req, rejectedParam, try)
}
