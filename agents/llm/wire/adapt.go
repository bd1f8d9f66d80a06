package wire

import (
	"encoding/json"
	"fmt"
	"strings"

	"colloquy/agents/llm"
)

// AdaptFor adapts a message of another model for model. The thinking becomes text
// before the message's text, without tags, and opaque state is removed: only the
// model that generated it can use it.
func AdaptFor(m llm.Message, model string) llm.Message {
	if m.Role != llm.Self || m.Model == model {
		return m
	}
	var parts []string
	for _, t := range m.Thought {
		if text := strings.TrimSpace(t.Text); text != "" {
			parts = append(parts, text)
		}
	}
	if m.Text != "" {
		parts = append(parts, m.Text)
	}
	m.Text, m.Thought = strings.Join(parts, "\n\n"), nil
	m.Calls = append([]llm.Call(nil), m.Calls...)
	for i := range m.Calls {
		m.Calls[i].Opaque = ""
	}
	return m
}

// Arguments returns args, or an empty object if args is not a JSON object. Strict
// servers refuse a whole conversation for one malformed call, and the result of
// the call already tells the model about it.
func Arguments(args json.RawMessage) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(args, &o) != nil || o == nil {
		return json.RawMessage("{}")
	}
	return args
}

// A Schema is a JSON schema of an object, by its keywords.
type Schema map[string]json.RawMessage

// SchemaOf returns the schema of a tool's input, or nil if the tool has none.
func SchemaOf(t llm.Tool) (Schema, error) {
	var s Schema
	if len(t.Input) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(t.Input, &s); err != nil {
		return nil, fmt.Errorf("read schema of tool %s: %w", t.Name, err)
	}
	return s, nil
}
