package anthropic

import (
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/respjson"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// A block is one content block of an answer.
type block struct {
	kind       string
	decoder    wire.JSONTextDecoder
	opaque     string
	index      int    // of a call: its number
	startInput string // of a call: the input in its start event
	hasArgs    bool   // of a call: a delta had arguments
}

func (a *answer) startBlock(e sdk.MessageStreamEventUnion) bool {
	c := e.ContentBlock
	b := &block{kind: c.Type, opaque: c.Signature}
	a.blocks[e.Index] = b
	switch c.Type {
	case "text":
		return a.emitText(b.decoder.Decode(c.JSON.Text.Raw()))
	case "thinking":
		return a.emitThinking(b.decoder.Decode(c.JSON.Thinking.Raw()))
	case "redacted_thinking":
		b.opaque = redactedPrefix + c.Data
	case "tool_use":
		b.index, b.startInput = a.calls, c.JSON.Input.Raw()
		a.calls++
		return a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.index, ID: a.ids.Allocate(c.ID), Name: c.Name})
	}
	return true
}

func (a *answer) addDelta(e sdk.MessageStreamEventUnion) bool {
	b := a.blocks[e.Index]
	if b == nil { // some servers omit the start of a text
		b = &block{kind: "text"}
		a.blocks[e.Index] = b
	}
	d := e.Delta
	switch d.Type {
	case "text_delta":
		return a.emitText(b.decoder.Decode(d.JSON.Text.Raw()))
	case "thinking_delta":
		return a.emitThinking(b.decoder.Decode(d.JSON.Thinking.Raw()))
	case "signature_delta":
		b.opaque += d.Signature
	case "input_json_delta":
		text := b.decoder.Decode(d.JSON.PartialJSON.Raw())
		if b.kind != "tool_use" || text == "" {
			return true
		}
		b.hasArgs = b.hasArgs || !blank(text)
		return a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.index, Text: text})
	}
	return true
}

// endBlock ends a block: it emits the opaque state of thinking, or the arguments of
// a call without deltas.
func (a *answer) endBlock(index int64) bool {
	b := a.blocks[index]
	delete(a.blocks, index)
	switch {
	case b == nil:
	case b.kind == "tool_use" && !b.hasArgs:
		text := "{}"
		if strings.HasPrefix(b.startInput, "{") {
			text = b.startInput
		}
		return a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.index, Text: text})
	case b.opaque != "" && b.opaque != redactedPrefix:
		return a.Emit(llm.Event{Kind: llm.ThinkingDelta, Opaque: b.opaque})
	}
	return true
}

func (a *answer) emitText(text string) bool {
	a.hasText = a.hasText || !blank(text)
	return text == "" || a.Emit(llm.Event{Kind: llm.TextDelta, Text: text})
}

func (a *answer) emitThinking(text string) bool {
	return text == "" || a.Emit(llm.Event{Kind: llm.ThinkingDelta, Text: text})
}

// usageFields are the counts of one usage. A missing one leaves the last value.
type usageFields struct{ input, output, cacheRead, cacheWrite, reasoning respjson.Field }

func (a *answer) reportUsage(t usageFields) bool {
	u := a.usage
	for to, f := range map[*int]respjson.Field{
		&u.Input: t.input, &u.Output: t.output, &u.CacheRead: t.cacheRead,
		&u.CacheWrite: t.cacheWrite, &u.Reasoning: t.reasoning,
	} {
		if n, ok := wire.ParseTokens(f.Raw()); ok {
			*to = n
		}
	}
	if u == a.usage {
		return true
	}
	a.usage = u
	return a.Emit(llm.Event{Kind: llm.UsageReport, Usage: u})
}
