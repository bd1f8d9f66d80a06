package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
)

// A contentPart is one element of a list where most servers send a string:
// Mistral's content, OpenRouter's reasoning_details.
type contentPart struct {
	Type     string
	Text     json.RawMessage
	Thinking json.RawMessage // a string or a list of parts
	Summary  json.RawMessage
}

// contentParts reads a list of parts. Of any other value it returns none.
func contentParts(raw string) []contentPart {
	var elements []json.RawMessage
	if !strings.HasPrefix(raw, "[") || json.Unmarshal([]byte(raw), &elements) != nil {
		return nil
	}
	out := make([]contentPart, 0, len(elements))
	for _, e := range elements {
		var p contentPart
		if json.Unmarshal(e, &p) == nil { // the others are read even if one is invalid
			out = append(out, p)
		}
	}
	return out
}

// addContent emits the text of a delta and the thinking in it.
func (a *answer) addContent(d sdk.ChatCompletionChunkChoiceDelta) bool {
	raw := d.JSON.Content.Raw()
	if !a.emitContent(a.content.Decode(raw)) {
		return false
	}
	for _, p := range contentParts(raw) {
		switch p.Type {
		case "text":
			if !a.emitContent(a.content.Decode(string(p.Text))) {
				return false
			}
		case "thinking":
			if !a.emitThinking(a.thinkingOf(p.Thinking)) {
				return false
			}
		}
	}
	return a.emitContent(a.content.Decode(d.JSON.Refusal.Raw()))
}

func (a *answer) thinkingOf(raw json.RawMessage) string {
	out := a.thinking.Decode(string(raw))
	for _, p := range contentParts(string(raw)) {
		if p.Type == "text" {
			out += a.thinking.Decode(string(p.Text))
		}
	}
	return out
}

// reasoningDetails reads OpenRouter's reasoning_details. Some of its models send
// thinking nowhere else.
func (a *answer) reasoningDetails(raw string) string {
	out := ""
	for _, p := range contentParts(raw) {
		switch p.Type {
		case "reasoning.text":
			out += a.thinking.Decode(string(p.Text))
		case "reasoning.summary":
			out += a.thinking.Decode(string(p.Summary))
		}
	}
	return out
}
