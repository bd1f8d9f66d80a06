package openai

import (
	"encoding/json"
	"errors"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// An answer is one answer of a model. It belongs to the goroutine that reads it.
type answer struct {
	*wire.Call

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
func (a *answer) run(p request) (llm.Reason, error) {
	err := wire.Run(a.Call, p, a.addChunk)
	if a.Abandoned() {
		return "", err
	}
	a.emitParsed(a.tags.flush(a.finishReason != "" || err == nil && a.Done))
	a.endThinkingField()
	a.Emit(a.calls.release(true)...)
	called := len(a.calls.list) > 0
	switch {
	case a.finishReason != "":
	case err != nil:
		return "", err
	case !a.Done || called && !a.calls.allComplete() || !called && !a.hasText:
		return "", a.Server.Incomplete(nil)
	}
	a.Emit(a.calls.fillEmptyArgs()...)
	return a.reason(called)
}

// reason returns the meaning of the finish reason. called says that the answer has
// calls: many servers write "stop" then too.
func (a *answer) reason(called bool) (llm.Reason, error) {
	detail := "finish reason " + a.finishReason
	switch strings.ToLower(a.finishReason) {
	case "length", "max_tokens", "model_length":
		return llm.Length, nil
	case "content_filter", "safety", "recitation", "sensitive", "refusal", "prohibited_content", "blocklist":
		return "", a.Server.Reported("content_filter", detail)
	case "model_context_window_exceeded":
		return "", a.Server.Reported("context_length_exceeded", detail)
	case "error", "network_error", "insufficient_system_resource", "malformed_function_call":
		return "", a.Server.Reported("server_error", detail)
	case "abort", "aborted", "cancelled":
		return "", a.Server.Incomplete(errors.New(detail))
	}
	if called {
		return llm.ToolUse, nil
	}
	return llm.Stop, nil
}

// addChunk emits the content of one chunk. It returns true: more may follow.
func (a *answer) addChunk(c chunk) bool {
	a.reportUsage(c.Usage)
	for _, choice := range c.Choices {
		if choice.Index == 0 {
			a.addChoice(choice)
		}
	}
	return true
}

func (a *answer) addChoice(c choice) {
	d := c.Delta
	if c.Message != nil {
		d = *c.Message
	}
	a.emitThinking(a.readThinking(d))
	a.addContent(d)
	for _, call := range d.ToolCalls {
		a.endThinkingField()
		a.emitParsed(a.tags.callStarted())
		a.Emit(a.calls.add(call.fragment())...)
	}
	a.reportUsage(c.Usage)
	if c.FinishReason != "" && a.finishReason == "" {
		a.finishReason = c.FinishReason
		a.ExpectEnd()
	}
}

func (a *answer) readThinking(d chunkDelta) string {
	for i, field := range d.fields() {
		if raw := *field; len(raw) > 2 && raw[0] == '"' {
			a.thinkingField = reasoningFields[i]
			return a.thinking.Decode(string(raw))
		}
	}
	out := ""
	for _, p := range d.ReasoningDetails { // some of OpenRouter's models send thinking nowhere else
		switch p.Type {
		case "reasoning.text":
			out += a.thinking.Decode(string(p.Text))
		case "reasoning.summary":
			out += a.thinking.Decode(string(p.Summary))
		}
	}
	return out
}

// addContent emits the text of a delta and the thinking in it.
func (a *answer) addContent(d chunkDelta) {
	a.emitContent(d.Content)
	for _, p := range partsOf(d.Content) {
		switch p.Type {
		case "text":
			a.emitContent(p.Text)
		case "thinking":
			a.emitThinking(a.thinkingOf(p.Thinking))
		}
	}
	a.emitContent(d.Refusal)
}

func (a *answer) thinkingOf(raw json.RawMessage) string {
	out := a.thinking.Decode(string(raw))
	for _, p := range partsOf(raw) {
		if p.Type == "text" {
			out += a.thinking.Decode(string(p.Text))
		}
	}
	return out
}

// emitThinking emits thinking from a field of its own.
func (a *answer) emitThinking(text string) {
	if text != "" {
		a.emitParsed(a.tags.thinkingInField())
		a.Emit(llm.Event{Kind: llm.ThinkingDelta, Text: text})
	}
}

// emitContent emits text, which may contain thinking between tags.
func (a *answer) emitContent(raw json.RawMessage) {
	if text := a.content.Decode(string(raw)); text != "" {
		a.endThinkingField()
		a.emitParsed(a.tags.feed(text))
	}
}

// endThinkingField ends a block of thinking from a field. Its opaque state is the
// name of the field.
func (a *answer) endThinkingField() {
	if a.thinkingField != "" {
		a.Emit(llm.Event{Kind: llm.ThinkingDelta, Opaque: a.thinkingField})
		a.thinkingField = ""
	}
}

// emitParsed emits events of the tag parser and notes whether the answer has text.
func (a *answer) emitParsed(events []llm.Event) {
	for _, e := range events {
		switch e.Kind {
		case llm.TextDelta:
			a.hasText = a.hasText || strings.TrimSpace(e.Text) != ""
		case llm.Rethink:
			a.hasText = false
		}
	}
	a.Emit(events...)
}

// reportUsage emits a usage that differs from the last one.
func (a *answer) reportUsage(u *chunkUsage) {
	if u == nil || u.Prompt == nil && u.Completion == nil {
		return
	}
	prompt, cached := tokens(u.Prompt), int(u.PromptDetails.Cached)
	cached = min(cached, prompt)
	now := llm.Usage{
		Input: prompt - cached, Output: tokens(u.Completion),
		CacheRead: cached, Reasoning: int(u.CompletionDetails.Reasoning),
	}
	if now != a.usage {
		a.usage = now
		a.Emit(llm.Event{Kind: llm.UsageReport, Usage: now})
	}
}

func tokens(t *wire.Tokens) int {
	if t == nil {
		return 0
	}
	return int(*t)
}
