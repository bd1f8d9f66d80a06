package anthropic

import (
	"encoding/json"
	"strings"

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

func (a *answer) startBlock(index int, c contentBlock) {
	b := &block{kind: c.Type, opaque: c.Signature}
	a.blocks[index] = b
	switch c.Type {
	case "text":
		a.emitText(b, c.Text)
	case "thinking":
		a.emitThinking(b, c.Thinking)
	case "redacted_thinking":
		b.opaque = redactedPrefix + c.Data
	case "tool_use":
		b.index, b.startInput = a.calls, string(c.Input)
		a.calls++
		a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.index, ID: a.ids.Allocate(c.ID), Name: c.Name})
	}
}

func (a *answer) addDelta(e streamEvent) {
	b := a.blocks[e.Index]
	if b == nil { // some servers omit the start of a text
		b = &block{kind: "text"}
		a.blocks[e.Index] = b
	}
	switch d := e.Delta; d.Type {
	case "text_delta":
		a.emitText(b, d.Text)
	case "thinking_delta":
		a.emitThinking(b, d.Thinking)
	case "signature_delta":
		b.opaque += d.Signature
	case "input_json_delta":
		if text := b.decoder.Decode(string(d.PartialJSON)); text != "" && b.kind == "tool_use" {
			b.hasArgs = b.hasArgs || !blank(text)
			a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.index, Text: text})
		}
	}
}

// endBlock ends a block: it emits the opaque state of thinking, or the arguments of
// a call without deltas.
func (a *answer) endBlock(index int) {
	b := a.blocks[index]
	delete(a.blocks, index)
	switch {
	case b == nil:
	case b.kind == "tool_use" && !b.hasArgs:
		text := "{}"
		if strings.HasPrefix(b.startInput, "{") {
			text = b.startInput
		}
		a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.index, Text: text})
	case b.opaque != "" && b.opaque != redactedPrefix:
		a.Emit(llm.Event{Kind: llm.ThinkingDelta, Opaque: b.opaque})
	}
}

func (a *answer) emitText(b *block, raw json.RawMessage) {
	if text := b.decoder.Decode(string(raw)); text != "" {
		a.hasText = a.hasText || !blank(text)
		a.Emit(llm.Event{Kind: llm.TextDelta, Text: text})
	}
}

func (a *answer) emitThinking(b *block, raw json.RawMessage) {
	if text := b.decoder.Decode(string(raw)); text != "" {
		a.Emit(llm.Event{Kind: llm.ThinkingDelta, Text: text})
	}
}
