package anthropic

import (
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

func (a *answer) startBlock(index int, c contentBlock) bool {
	b := &block{kind: c.Type, opaque: c.Signature}
	a.blocks[index] = b
	switch c.Type {
	case "text":
		return a.emitText(b.decoder.Decode(string(c.Text)))
	case "thinking":
		return a.emitThinking(b.decoder.Decode(string(c.Thinking)))
	case "redacted_thinking":
		b.opaque = redactedPrefix + c.Data
	case "tool_use":
		b.index, b.startInput = a.calls, string(c.Input)
		a.calls++
		return a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.index, ID: a.ids.Allocate(c.ID), Name: c.Name})
	}
	return true
}

func (a *answer) addDelta(e streamEvent) bool {
	b := a.blocks[e.Index]
	if b == nil { // some servers omit the start of a text
		b = &block{kind: "text"}
		a.blocks[e.Index] = b
	}
	d := e.Delta
	switch d.Type {
	case "text_delta":
		return a.emitText(b.decoder.Decode(string(d.Text)))
	case "thinking_delta":
		return a.emitThinking(b.decoder.Decode(string(d.Thinking)))
	case "signature_delta":
		b.opaque += d.Signature
	case "input_json_delta":
		text := b.decoder.Decode(string(d.PartialJSON))
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
func (a *answer) endBlock(index int) bool {
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
