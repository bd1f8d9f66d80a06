package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
)

// A part is one of a list where most servers write a string: Mistral's content,
// OpenRouter's reasoning_details.
type part struct {
	Type     string
	Text     json.RawMessage
	Thinking json.RawMessage // a string, or a list of parts again
	Summary  json.RawMessage
}

// parts reads a list of them; anything else is none.
func parts(raw string) []part {
	var elements []json.RawMessage
	if !strings.HasPrefix(raw, "[") || json.Unmarshal([]byte(raw), &elements) != nil {
		return nil
	}
	out := make([]part, 0, len(elements))
	for _, e := range elements {
		var p part
		if json.Unmarshal(e, &p) == nil { // one that cannot be read does not spoil the others
			out = append(out, p)
		}
	}
	return out
}

// content passes on the text of a delta, and the thinking that may stand in it.
func (a *answer) content(d sdk.ChatCompletionChunkChoiceDelta) bool {
	raw := d.JSON.Content.Raw()
	if !a.answers(a.text.Read(raw)) {
		return false
	}
	for _, p := range parts(raw) {
		switch p.Type {
		case "text":
			if !a.answers(a.text.Read(string(p.Text))) {
				return false
			}
		case "thinking":
			if !a.thinks(a.thoughtOf(p.Thinking)) {
				return false
			}
		}
	}
	return a.answers(a.text.Read(d.JSON.Refusal.Raw()))
}

func (a *answer) thoughtOf(raw json.RawMessage) string {
	out := a.thought.Read(string(raw))
	for _, p := range parts(string(raw)) {
		if p.Type == "text" {
			out += a.thought.Read(string(p.Text))
		}
	}
	return out
}

// details reads OpenRouter's reasoning_details, which some of its models send alone.
func (a *answer) details(raw string) string {
	out := ""
	for _, p := range parts(raw) {
		switch p.Type {
		case "reasoning.text":
			out += a.thought.Read(string(p.Text))
		case "reasoning.summary":
			out += a.thought.Read(string(p.Summary))
		}
	}
	return out
}
