package wire

import (
	"encoding/json"
	"strings"

	"colloquy/agents/llm"
)

// HandOver makes a message fit for model: what another model thought becomes
// text before the text, without tags; what a provider wants back goes to the
// model that made it only.
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

// Arguments gives strict servers an object where the model wrote none: they
// refuse the whole history for one broken call, and its result already tells
// the model what was wrong.
func Arguments(args json.RawMessage) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(args, &o) != nil || o == nil {
		return json.RawMessage("{}")
	}
	return args
}
