// Package anthropic is the provider for Anthropic's messages: Anthropic itself, and
// servers and gateways with the same API. It uses the official SDK with the
// middleware of package wire.
//
// # Delivery
//
// The rules of package llm hold. Events before an error are delivered. An answer
// without message_stop is an [llm.Error] that wraps [llm.ErrIncomplete]. The stop
// reasons refusal and sensitive are errors, and so is a context that fills up during
// the answer. Deltas consist of complete characters. A call without arguments gets
// an empty object.
//
// A message that is not streamed is read as the events of a stream.
//
// The SDK's retries and traces are off, and it reads nothing from the environment.
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

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// Options name a model and its server.
type Options = wire.Options

// A Model is one model of one provider.
type Model struct {
	provider     wire.Provider
	chat         sdk.MessageService
	capabilities wire.Capabilities
}

var _ llm.ToolRefuser = (*Model)(nil)

// DefaultBaseURL is the address of Anthropic's own API.
const DefaultBaseURL = "https://api.anthropic.com"

var endpoint = wire.Endpoint{
	DefaultURL: DefaultBaseURL,
	ExampleURL: "http://localhost:8080",
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
	if s.Model == "" {
		return nil, wire.ErrNoModel
	}
	m := &Model{provider: s.Provider}
	// sdk.NewClient would also read keys and addresses from the environment.
	m.chat = sdk.NewMessageService(options(s)...)
	return m, nil
}

func options(s wire.Server) []option.RequestOption {
	opts := []option.RequestOption{
		option.WithBaseURL(s.Base), option.WithHTTPClient(s.HTTP),
		option.WithMaxRetries(0), option.WithoutOpenTelemetry(),
	}
	if s.Key == "" {
		return opts
	}
	opts = append(opts, option.WithAPIKey(s.Key))
	if s.Name != officialName {
		opts = append(opts, option.WithHeader("X-Api-Key", s.Key)) // version 2 of the SDK omits it
	}
	return opts
}

// officialName is the provider name of Anthropic itself; see wire.Address.
const officialName = "Anthropic"

// Name returns "anthropic:" and the model's name.
func (m *Model) Name() string { return "anthropic:" + m.provider.Model }

// RefusesTools reports whether the server is known to refuse tools.
func (m *Model) RefusesTools() bool { return m.capabilities.RefusesTools() }

// Stream answers a request.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		call := wire.NewCall(ctx, &m.provider, m.Name(), yield)
		call.Tools = len(req.Tools) > 0
		try := func(without wire.OptionalParams) (llm.Reason, wire.OptionalParams, error) {
			params, sent, err := m.params(req, without)
			if err != nil {
				return "", nil, fmt.Errorf("ask %s: %w", m.Name(), err)
			}
			a := answer{model: m, Call: call, blocks: map[int64]*block{}, ids: wire.NewIDAllocator(req)}
			reason, err := a.run(params)
			return reason, sent, err
		}
		call.Send(&m.capabilities, rejectedParam, try)
	}
}
