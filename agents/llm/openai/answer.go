package openai

import (
	"context"
	"errors"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// An answer is one answer of a model. It belongs to the goroutine that reads it.
type answer struct {
	*wire.Call
	model *Model

	content, thinking wire.JSONTextDecoder
	thinkingField     string // the field of the current block of thinking
	tags              thinkParser
	calls             *callAssembler
	usage             llm.Usage
	hasText           bool   // some text is more than white space
	finishReason      string // as the provider writes it
}

// run sends the request and emits the answer. It returns the finish reason or the
// error that ends the answer.
func (a *answer) run(p sdk.ChatCompletionNewParams) (llm.Reason, error) {
	err := wire.Run(a.Call, func(ctx context.Context) wire.Stream[sdk.ChatCompletionChunk] {
		return a.model.chat.NewStreaming(ctx, p, option.WithMiddleware(a.Middleware))
	}, a.addChunk)
	if a.Abandoned() {
		return "", err
	}
	return a.finish(err)
}

// finish emits what remains after the last chunk. err is the stream's error.
func (a *answer) finish(err error) (llm.Reason, error) {
	ended := a.finishReason != "" || err == nil && a.Body.Done
	if !a.emitParsed(a.tags.flush(ended)) || !a.endThinkingField() || !a.Emit(a.calls.release(true)...) {
		return "", err
	}
	called := len(a.calls.list) > 0
	switch {
	case a.finishReason != "":
	case err != nil:
		return "", err
	case !a.Body.Done || called && !a.calls.allComplete() || !called && !a.hasText:
		return "", a.model.provider.Incomplete(nil)
	}
	a.Emit(a.calls.fillEmptyArgs()...)
	return a.model.reason(a.finishReason, called)
}

// reason returns the meaning of a finish reason. called says that the answer has
// calls: many servers write "stop" then too.
func (m *Model) reason(text string, called bool) (llm.Reason, error) {
	switch strings.ToLower(text) {
	case "length", "max_tokens", "model_length":
		return llm.Length, nil
	case "content_filter", "safety", "recitation", "sensitive", "refusal", "prohibited_content", "blocklist":
		return "", m.provider.Declined("finish reason " + text)
	case "model_context_window_exceeded":
		return "", m.provider.TooLong("finish reason " + text)
	case "error", "network_error", "insufficient_system_resource", "malformed_function_call":
		return "", m.provider.Failed("finish reason " + text)
	case "abort", "aborted", "cancelled":
		return "", m.provider.Incomplete(errors.New("finish reason " + text))
	}
	if called {
		return llm.ToolUse, nil
	}
	return llm.Stop, nil
}
