package anthropic

import (
	"context"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// An answer is one answer of a model. It belongs to the goroutine that reads it.
type answer struct {
	*wire.Call
	model *Model

	blocks      map[int64]*block
	ids         *wire.IDAllocator
	calls       int
	hasText     bool // some text is more than white space
	usage       llm.Usage
	stopReason  string // why the model stopped
	explanation string // of a refusal
	stopped     bool   // message_stop has arrived
}

// run sends the request and emits the answer. It returns the finish reason or the
// error that ends the answer.
func (a *answer) run(p sdk.MessageNewParams) (llm.Reason, error) {
	err := wire.Run(a.Call, func(ctx context.Context) wire.Stream[sdk.MessageStreamEventUnion] {
		return a.model.chat.NewStreaming(ctx, p, option.WithMiddleware(a.Middleware))
	}, a.addEvent)
	switch {
	case a.Abandoned() || err != nil && !a.stopped:
		return "", err
	case !a.stopped, a.stopReason == "" && !a.hasText && a.calls == 0:
		return "", a.model.provider.Incomplete(nil)
	}
	return a.finish()
}

// addEvent emits the content of one event and reports whether to read the next one.
func (a *answer) addEvent(e sdk.MessageStreamEventUnion) bool {
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		return a.reportUsage(usageFields{
			u.JSON.InputTokens, u.JSON.OutputTokens, u.JSON.CacheReadInputTokens, u.JSON.CacheCreationInputTokens,
			u.OutputTokensDetails.JSON.ThinkingTokens,
		})
	case "message_delta":
		a.stopReason, a.explanation = string(e.Delta.StopReason), e.Delta.StopDetails.Explanation
		u := e.Usage
		return a.reportUsage(usageFields{
			u.JSON.InputTokens, u.JSON.OutputTokens, u.JSON.CacheReadInputTokens, u.JSON.CacheCreationInputTokens,
			u.OutputTokensDetails.JSON.ThinkingTokens,
		}) && a.expectEnd()
	case "message_stop":
		a.stopped = true
		return false
	case "message":
		return a.addWholeMessage(e.RawJSON())
	case "content_block_start":
		return a.startBlock(e)
	case "content_block_delta":
		return a.addDelta(e)
	case "content_block_stop":
		return a.endBlock(e.Index)
	}
	return true
}

// expectEnd starts the timeout for the end of the stream if a stop reason has arrived.
func (a *answer) expectEnd() bool {
	if a.stopReason != "" {
		a.ExpectEnd()
	}
	return true
}

func (a *answer) finish() (llm.Reason, error) {
	p := &a.model.provider
	switch a.stopReason {
	case "max_tokens":
		return llm.Length, nil
	case "refusal", "sensitive":
		return "", p.Declined(strings.TrimSpace("stop reason " + a.stopReason + " " + a.explanation))
	case "model_context_window_exceeded":
		return "", p.TooLong("stop reason " + a.stopReason)
	}
	if a.calls > 0 {
		return llm.ToolUse, nil
	}
	return llm.Stop, nil
}
