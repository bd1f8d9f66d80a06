package anthropic

import (
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/respjson"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// A block is one part of an answer, told apart from the others by its index.
type block struct {
	kind    string
	letters wire.Letters
	seal    string
	call    int    // the number the reader knows the call by
	input   string // of a call: what its start said
	written bool   // of a call: some arguments came
}

func (a *answer) begin(e sdk.MessageStreamEventUnion) bool {
	c := e.ContentBlock
	b := &block{kind: c.Type, seal: c.Signature}
	a.blocks[e.Index] = b
	switch c.Type {
	case "text":
		return a.say(b.letters.Read(c.JSON.Text.Raw()))
	case "thinking":
		return a.think(b.letters.Read(c.JSON.Thinking.Raw()))
	case "redacted_thinking":
		b.seal = redacted + c.Data
	case "tool_use":
		b.call, b.input = a.calls, c.JSON.Input.Raw()
		a.calls++
		return a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.call, ID: a.ids.Take(c.ID), Name: c.Name})
	}
	return true
}

func (a *answer) delta(e sdk.MessageStreamEventUnion) bool {
	b := a.blocks[e.Index]
	if b == nil { // some servers leave the start of a text out
		b = &block{kind: "text"}
		a.blocks[e.Index] = b
	}
	d := e.Delta
	switch d.Type {
	case "text_delta":
		return a.say(b.letters.Read(d.JSON.Text.Raw()))
	case "thinking_delta":
		return a.think(b.letters.Read(d.JSON.Thinking.Raw()))
	case "signature_delta":
		b.seal += d.Signature
	case "input_json_delta":
		text := b.letters.Read(d.JSON.PartialJSON.Raw())
		if b.kind != "tool_use" || text == "" {
			return true
		}
		b.written = b.written || !blank(text)
		return a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.call, Text: text})
	}
	return true
}

// stop ends a block: a thought gets its seal, a call that nothing was written for its object.
func (a *answer) stop(index int64) bool {
	b := a.blocks[index]
	delete(a.blocks, index)
	switch {
	case b == nil:
	case b.kind == "tool_use" && !b.written:
		text := "{}"
		if strings.HasPrefix(b.input, "{") {
			text = b.input
		}
		return a.Emit(llm.Event{Kind: llm.CallDelta, Index: b.call, Text: text})
	case b.seal != "" && b.seal != redacted:
		return a.Emit(llm.Event{Kind: llm.ThinkingDelta, Opaque: b.seal})
	}
	return true
}

func (a *answer) say(text string) bool {
	a.spoke = a.spoke || !blank(text)
	return text == "" || a.Emit(llm.Event{Kind: llm.TextDelta, Text: text})
}

func (a *answer) think(text string) bool {
	return text == "" || a.Emit(llm.Event{Kind: llm.ThinkingDelta, Text: text})
}

// tokens are the counts of one usage; one that is not given leaves what was known.
type tokens struct{ input, output, cacheRead, cacheWrite, reasoning respjson.Field }

func (a *answer) count(t tokens) bool {
	u := a.usage
	for to, f := range map[*int]respjson.Field{&u.Input: t.input, &u.Output: t.output, &u.CacheRead: t.cacheRead, &u.CacheWrite: t.cacheWrite, &u.Reasoning: t.reasoning} {
		if n, ok := wire.Tokens(f.Raw()); ok {
			*to = n
		}
	}
	if u == a.usage {
		return true
	}
	a.usage = u
	return a.Emit(llm.Event{Kind: llm.UsageReport, Usage: u})
}
