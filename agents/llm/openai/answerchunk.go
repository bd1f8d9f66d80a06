package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// addChunk emits the content of one chunk and reports whether the reader wants more.
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
	if whole := c.JSON.ExtraFields["message"]; present(whole) { // a completion that is not streamed
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

// reasoningFields are the fields in which providers send thinking. The first that
// is present counts.
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

// emitThinking emits thinking from a field of its own.
func (a *answer) emitThinking(text string) bool {
	return text == "" ||
		a.emitParsed(a.tags.thinkingInField()) && a.Emit(llm.Event{Kind: llm.ThinkingDelta, Text: text})
}

// emitContent emits text, which may contain thinking between tags.
func (a *answer) emitContent(text string) bool {
	return text == "" || a.endThinkingField() && a.emitParsed(a.tags.feed(text))
}

// endThinkingField ends a block of thinking from a field. Its opaque state is the
// name of the field.
func (a *answer) endThinkingField() bool {
	field := a.thinkingField
	a.thinkingField = ""
	return field == "" || a.Emit(llm.Event{Kind: llm.ThinkingDelta, Opaque: field})
}

// emitParsed emits events of the tag parser and notes whether the answer has text.
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

// reportUsage emits a usage. It reads the raw JSON, because the SDK's numbers overflow.
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
	_ = json.Unmarshal([]byte(raw), &u) // the other fields are read even if one is invalid
	if u.Prompt == nil && u.Completion == nil {
		return true
	}
	prompt, cached := tokens(u.Prompt), tokens(u.PromptDetails.Cached)
	cached = min(cached, prompt)
	usage := llm.Usage{
		Input: prompt - cached, Output: tokens(u.Completion),
		CacheRead: cached, Reasoning: tokens(u.CompletionDetails.Reasoning),
	}
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

// signature returns Gemini's signature of a call, which Gemini needs back with it.
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
