// Package anthropic asks models that speak Anthropic's messages: Anthropic
// itself, and servers and gateways that take the same. It is the official SDK
// with the middleware of package wire before it.
//
// # Delivery
//
// The rules of package llm hold. What came before an error was delivered. An
// answer without its message_stop is an [llm.Error] that wraps [llm.ErrIncomplete].
// The stop reasons refusal and sensitive are errors, and so is a context that
// ran full in mid-answer. Deltas hold whole characters. A call that nothing was
// written for gets an empty object.
//
// A whole message where a stream was asked for is read as one.
//
// The SDK's retries, its traces and all that it reads from the environment are off.
//
// # Thinking
//
// A level goes out as adaptive thinking with an effort to models that want it
// so, and as a budget of 2048, 8192 or 16384 tokens to older ones and other
// makers'; at least 1024 are left to the answer. A server that refuses one form
// with 400 is asked again with the other, then without, and what helped is kept
// for the life of the Model. Off goes out as disabled, in the same way.
//
// The signature of a block, or a redacted block, is its seal; it goes back to
// the model that made it. Where the server does not accept a seal any more, the
// request is sent once more without thinking of any age. A budget is not sent
// while tools are at work whose calls came without thinking: the server would
// refuse the history.
//
// Inline <think> tags stay text: servers of this kind part thinking themselves.
//
// # Usage
//
// Input counts the prompt without what came from the cache (CacheRead) or went
// there (CacheWrite). Anthropic itself is asked to cache what a request shares
// with the next.
// A count is held between 0 and a thousand million, whatever the server says.
//
// # Concurrency
//
// A Model may be asked from many goroutines at once. It starts no goroutine of
// its own beyond those of net/http.
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

// Options say which model to ask, and where.
type Options = wire.Options

// A Model is one model of one provider.
type Model struct {
	provider     wire.Provider
	chat         sdk.MessageService
	capabilities wire.Capabilities
}

var _ llm.ToolRefuser = (*Model)(nil)

var endpoint = wire.Endpoint{
	DefaultURL: "https://api.anthropic.com",
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
	// Not sdk.NewClient: that would also read keys and addresses from the environment.
	m.chat = sdk.NewMessageService(options(s)...)
	return m, nil
}

func options(s wire.Server) []option.RequestOption {
	opts := []option.RequestOption{
		option.WithBaseURL(s.Base), option.WithHTTPClient(s.HTTP), option.WithMaxRetries(0), option.WithoutOpenTelemetry(),
	}
	if s.Key == "" {
		return opts
	}
	opts = append(opts, option.WithAPIKey(s.Key))
	if s.Name != officialName {
		opts = append(opts, option.WithHeader("X-Api-Key", s.Key)) // as it was before the SDK's version 2
	}
	return opts
}

// official is Anthropic's own name; see wire.Address.
const officialName = "Anthropic"

// Name says which model this is.
func (m *Model) Name() string { return "anthropic:" + m.provider.Model }

// Provider names who answers, as people are told.
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
			a := answer{model: m, Call: x, blocks: map[int64]*block{}, ids: wire.NewIDAllocator(req)}
			reason, err := a.run(params)
			return reason, asked, err
		})
	}
}
