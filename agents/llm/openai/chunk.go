package openai

import (
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"

	"colloquy/agents/llm"
)

// chunk passes on what one chunk says. It reports whether the reader wants more.
func (a *answer) chunk(c sdk.ChatCompletionChunk) bool {
	if c.JSON.Usage.Valid() && !a.count(c.Usage) {
		return false
	}
	for _, choice := range c.Choices {
		if choice.Index == 0 && !a.choice(choice) {
			return false
		}
	}
	return true
}

func (a *answer) choice(c sdk.ChatCompletionChunkChoice) bool {
	delta := c.Delta
	if whole := c.JSON.ExtraFields["message"]; present(whole) { // no stream, but a completion
		if err := delta.UnmarshalJSON([]byte(whole.Raw())); err != nil {
			return true
		}
	}
	if !a.delta(delta) {
		return false
	}
	if u := c.JSON.ExtraFields["usage"]; present(u) {
		var usage sdk.CompletionUsage
		if usage.UnmarshalJSON([]byte(u.Raw())) == nil && !a.count(usage) {
			return false
		}
	}
	if c.FinishReason != "" && a.reason == "" {
		a.reason = c.FinishReason
		a.alarm.Reset(a.model.grace)
	}
	return true
}

func (a *answer) delta(d sdk.ChatCompletionChunkChoiceDelta) bool {
	if !a.say(a.thinking(d), "") {
		return false
	}
	text := a.text.read(d.JSON.Content.Raw()) + a.text.read(d.JSON.Refusal.Raw())
	if text != "" && !a.say(a.think.split(text)) {
		return false
	}
	for _, call := range d.ToolCalls {
		if !a.emit(a.calls.add(fragmentOf(call))...) {
			return false
		}
	}
	return true
}

// thinking reads the first of the fields that the providers use for it.
func (a *answer) thinking(d sdk.ChatCompletionChunkChoiceDelta) string {
	for _, name := range []string{"reasoning_content", "reasoning", "reasoning_text"} {
		if raw := d.JSON.ExtraFields[name].Raw(); len(raw) > 2 && raw[0] == '"' {
			return a.thought.read(raw)
		}
	}
	return ""
}

func (a *answer) say(thinking, text string) bool {
	if thinking != "" && !a.emit(llm.Event{Kind: llm.ThinkingDelta, Text: thinking}) {
		return false
	}
	if text == "" {
		return true
	}
	a.spoke = a.spoke || strings.TrimSpace(text) != ""
	return a.emit(llm.Event{Kind: llm.TextDelta, Text: text})
}

func (a *answer) count(u sdk.CompletionUsage) bool {
	cached := min(u.PromptTokensDetails.CachedTokens, u.PromptTokens)
	usage := llm.Usage{
		Input:     int(u.PromptTokens - cached),
		Output:    int(u.CompletionTokens),
		CacheRead: int(cached),
		Reasoning: int(u.CompletionTokensDetails.ReasoningTokens),
	}
	if usage == a.usage {
		return true
	}
	a.usage = usage
	return a.emit(llm.Event{Kind: llm.UsageReport, Usage: usage})
}

func fragmentOf(c sdk.ChatCompletionChunkChoiceDeltaToolCall) fragment {
	f := fragment{number: -1, id: c.ID, name: c.Function.Name, args: c.Function.JSON.Arguments.Raw()}
	if c.JSON.Index.Valid() && c.Index >= 0 {
		f.number = int(c.Index)
	}
	return f
}

func present(f respjson.Field) bool { return f.Raw() != "" && f.Raw() != "null" }
