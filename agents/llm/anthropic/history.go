package anthropic

import (
	"cmp"
	"encoding/json"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// redactedPrefix marks the opaque state of a block of redacted thinking.
const redactedPrefix = "redacted:"

// continueText is the text of a user message that the protocol requires and the
// conversation does not have.
const continueText = "(go on)"

// A message is one message of a request.
type message struct {
	Content []part `json:"content"`
	Role    string `json:"role"` // user or assistant
}

// A part is one block of a message's content.
type part struct {
	Content   []part          `json:"content,omitempty"` // of a tool's result
	Data      string          `json:"data,omitempty"`
	ID        string          `json:"id,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	IsError   *bool           `json:"is_error,omitempty"`
	Name      string          `json:"name,omitempty"`
	Signature string          `json:"signature,omitempty"`
	Text      string          `json:"text,omitempty"`
	Thinking  *string         `json:"thinking,omitempty"`
	CallID    string          `json:"tool_use_id,omitempty"`
	Type      string          `json:"type"`
}

func textPart(text string) part { return part{Type: "text", Text: text} }

// A history converts the conversation to alternating messages of user and
// assistant, whose blocks are not blank.
type history struct {
	out                  []message
	ids                  wire.CallIDs
	model                string
	sendThinking         bool // send past thinking
	hasThinking          bool // out has past thinking
	callsWithoutThinking bool // the current turn has calls without thinking
}

func (m *Model) history(req llm.Request, sendThinking bool) *history {
	ids := wire.CallIDs{Accepts: func(id string) bool { return wire.IsPlainID(id, 64) }, NewLen: 24}
	h := &history{model: m.Name(), sendThinking: sendThinking, ids: ids}
	for _, msg := range req.Messages {
		h.add(msg)
	}
	return h
}

func (h *history) add(msg llm.Message) {
	msg = wire.AdaptFor(msg, h.model)
	switch msg.Role {
	case llm.ToolResult:
		h.append("user", part{
			Type: "tool_result", CallID: h.ids.ResultID(msg.CallID), IsError: &msg.IsError,
			Content: []part{textPart(cmp.Or(msg.Text, "(no output)"))},
		})
	case llm.Self:
		h.assistant(msg)
	default:
		h.callsWithoutThinking = false
		if !blank(msg.Text) {
			h.append("user", textPart(msg.Attributed()))
		}
	}
}

func (h *history) assistant(msg llm.Message) {
	var parts []part
	if !blank(msg.Text) {
		parts = append(parts, textPart(msg.Text))
	}
	for _, c := range h.ids.Calls(msg) {
		parts = append(parts, part{Type: "tool_use", ID: c.ID, Name: c.Name, Input: wire.Arguments(c.Args)})
	}
	if len(parts) == 0 {
		return // thinking alone is not a message
	}
	thought := h.thinking(msg.Thought)
	h.callsWithoutThinking = len(msg.Calls) > 0 && (h.callsWithoutThinking || len(thought) == 0)
	if len(h.out) == 0 {
		h.append("user", textPart(continueText))
	}
	h.append("assistant", append(thought, parts...)...)
}

func (h *history) thinking(thoughts []llm.Thought) []part {
	var out []part
	for _, t := range thoughts {
		switch data, ok := strings.CutPrefix(t.Opaque, redactedPrefix); {
		case !h.sendThinking || t.Opaque == "":
		case ok:
			out = append(out, part{Type: "redacted_thinking", Data: data})
		default:
			out = append(out, part{Type: "thinking", Signature: t.Opaque, Thinking: &t.Text})
		}
	}
	h.hasThinking = h.hasThinking || len(out) > 0
	return out
}

// append adds content to the last message, or as a new message of another role.
func (h *history) append(role string, parts ...part) {
	if n := len(h.out); n > 0 && h.out[n-1].Role == role {
		h.out[n-1].Content = append(h.out[n-1].Content, parts...)
		return
	}
	h.out = append(h.out, message{Role: role, Content: parts})
}

// finish returns the messages. The last one is the user's, as newer models require.
func (h *history) finish() []message {
	if n := len(h.out); n == 0 || h.out[n-1].Role != "user" {
		h.append("user", textPart(continueText))
	}
	return h.out
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
