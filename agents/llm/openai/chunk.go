package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// chunk passes on what one chunk says. It reports whether the reader wants more.
func (a *answer) addChunk(c sdk.ChatCompletionChunk) bool {
	if u := c.JSON.Usage; present(u) && !a.reportUsage(u.Raw()) {
		return false
	}
	for _, choice := range c.Choices {
		if choice.Index == 0 && !a.addChoice(choice) {
			return false
		}
	}
	return true
}

func (a *answer) addChoice(c sdk.ChatCompletionChunkChoice) bool {
	delta := c.Delta
	if whole := c.JSON.ExtraFields["message"]; present(whole) { // no stream, but a completion
		if err := delta.UnmarshalJSON([]byte(whole.Raw())); err != nil {
			return true
		}
	}
	if !a.addDelta(delta) {
		return false
	}
	if u := c.JSON.ExtraFields["usage"]; present(u) && !a.reportUsage(u.Raw()) {
		return false
	}
	if c.FinishReason != "" && a.finishReason == "" {
		a.finishReason = c.FinishReason
		a.ExpectEnd()
	}
	return true
}

func (a *answer) addDelta(d sdk.ChatCompletionChunkChoiceDelta) bool {
	if !a.emitThinking(a.readThinking(d)) || !a.addContent(d) {
		return false
	}
	for _, call := range d.ToolCalls {
		if !a.endThinkingField() || !a.emitParsed(a.tags.callStarted()) || !a.Emit(a.calls.add(fragmentOf(call))...) {
			return false
		}
	}
	return true
}

// reasoningFields are where the providers put thinking; the first that holds some counts.
var reasoningFields = []string{"reasoning_content", "reasoning", "reasoning_text"}

func (a *answer) readThinking(d sdk.ChatCompletionChunkChoiceDelta) string {
	for _, name := range reasoningFields {
		if raw := d.JSON.ExtraFields[name].Raw(); len(raw) > 2 && raw[0] == '"' {
			a.thinkingField = name
			return a.thinking.Decode(raw)
		}
	}
	return a.reasoningDetails(d.JSON.ExtraFields["reasoning_details"].Raw())
}

// thinks passes on thinking that comes by itself.
func (a *answer) emitThinking(text string) bool {
	return text == "" || a.emitParsed(a.tags.thinkingInField()) && a.Emit(llm.Event{Kind: llm.ThinkingDelta, Text: text})
}

// answers passes on text, in which thinking may stand between tags.
func (a *answer) emitContent(text string) bool {
	return text == "" || a.endThinkingField() && a.emitParsed(a.tags.feed(text))
}

// sealThought ends a block of thinking that came in a field; the seal is the field's name.
func (a *answer) endThinkingField() bool {
	field := a.thinkingField
	a.thinkingField = ""
	return field == "" || a.Emit(llm.Event{Kind: llm.ThinkingDelta, Opaque: field})
}

func (a *answer) emitParsed(events []llm.Event) bool {
	for _, e := range events {
		switch e.Kind {
		case llm.TextDelta:
			a.hasText = a.hasText || strings.TrimSpace(e.Text) != ""
		case llm.Rethink:
			a.hasText = false
		}
	}
	return a.Emit(events...)
}

// count reads a usage from its raw JSON: the SDK's numbers wrap around.
func (a *answer) reportUsage(raw string) bool {
	var u struct {
		Prompt        json.RawMessage `json:"prompt_tokens"`
		Completion    json.RawMessage `json:"completion_tokens"`
		PromptDetails struct {
			Cached json.RawMessage `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionDetails struct {
			Reasoning json.RawMessage `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
	_ = json.Unmarshal([]byte(raw), &u) // a field that cannot be read does not spoil the others
	if u.Prompt == nil && u.Completion == nil {
		return true
	}
	prompt, cached := tokens(u.Prompt), tokens(u.PromptDetails.Cached)
	cached = min(cached, prompt)
	usage := llm.Usage{Input: prompt - cached, Output: tokens(u.Completion), CacheRead: cached, Reasoning: tokens(u.CompletionDetails.Reasoning)}
	if usage == a.usage {
		return true
	}
	a.usage = usage
	return a.Emit(llm.Event{Kind: llm.UsageReport, Usage: usage})
}

func tokens(raw json.RawMessage) int {
	n, _ := wire.ParseTokens(string(raw))
	return n
}

func fragmentOf(c sdk.ChatCompletionChunkChoiceDeltaToolCall) fragment {
	f := fragment{number: -1, id: c.ID, name: c.Function.Name, args: c.Function.JSON.Arguments.Raw()}
	if c.JSON.Index.Valid() && c.Index >= 0 {
		f.number = int(c.Index)
	}
	if extra := c.JSON.ExtraFields["extra_content"]; present(extra) {
		f.opaque = signature(extra.Raw())
	}
	return f
}

func present(f respjson.Field) bool { return f.Raw() != "" && f.Raw() != "null" }

// signature reads Gemini's signature of a call, which Gemini wants back with it.
func signature(extra string) string {
	var e struct {
		Google struct {
			Signature string `json:"thought_signature"`
		} `json:"google"`
	}
	if json.Unmarshal([]byte(extra), &e) != nil {
		return ""
	}
	return e.Google.Signature
}
