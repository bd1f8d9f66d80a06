package anthropic

import (
	"context"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// An answer is one request under way; it belongs to the goroutine that reads it.
type answer struct {
	*wire.Exchange
	model *Model

	blocks  map[int64]*block
	ids     *wire.Fresh
	calls   int
	spoke   bool // there is text to read
	usage   llm.Usage
	reason  string // why the model stopped
	because string // of a refusal
	stopped bool   // message_stop came
}

// run asks and passes the answer on. It returns what ends it.
func (a *answer) run(p sdk.MessageNewParams) (llm.Reason, error) {
	err := wire.Run(a.Exchange, func(ctx context.Context) wire.Stream[sdk.MessageStreamEventUnion] {
		return a.model.chat.NewStreaming(ctx, p, option.WithMiddleware(a.Middleware))
	}, a.event)
	switch {
	case a.Over() || err != nil && !a.stopped:
		return "", err
	case !a.stopped, a.reason == "" && !a.spoke && a.calls == 0:
		return "", a.model.provider.Cut(nil)
	}
	return a.end()
}

// event passes on what one event says. It reports whether more is wanted.
func (a *answer) event(e sdk.MessageStreamEventUnion) bool {
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		return a.count(tokens{u.JSON.InputTokens, u.JSON.OutputTokens, u.JSON.CacheReadInputTokens, u.JSON.CacheCreationInputTokens, u.OutputTokensDetails.JSON.ThinkingTokens})
	case "message_delta":
		a.reason, a.because = string(e.Delta.StopReason), e.Delta.StopDetails.Explanation
		u := e.Usage
		return a.count(tokens{u.JSON.InputTokens, u.JSON.OutputTokens, u.JSON.CacheReadInputTokens, u.JSON.CacheCreationInputTokens, u.OutputTokensDetails.JSON.ThinkingTokens}) && a.last()
	case "message_stop":
		a.stopped = true
		return false
	case "message":
		return a.whole(e.RawJSON())
	case "content_block_start":
		return a.begin(e)
	case "content_block_delta":
		return a.delta(e)
	case "content_block_stop":
		return a.stop(e.Index)
	}
	return true
}

// last says that little more can come.
func (a *answer) last() bool {
	if a.reason != "" {
		a.Finished()
	}
	return true
}

func (a *answer) end() (llm.Reason, error) {
	p := &a.model.provider
	switch a.reason {
	case "max_tokens":
		return llm.Length, nil
	case "refusal", "sensitive":
		return "", p.Declined(strings.TrimSpace("stop reason " + a.reason + " " + a.because))
	case "model_context_window_exceeded":
		return "", p.TooLong("stop reason " + a.reason)
	}
	if a.calls > 0 {
		return llm.ToolUse, nil
	}
	return llm.Stop, nil
}
