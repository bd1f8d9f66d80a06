package anthropic

import (
	"cmp"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// redactedPrefix marks the opaque state of a block of redacted thinking.
const redactedPrefix = "redacted:"

// continueText is the text of a user message that the protocol requires and the
// conversation does not have.
const continueText = "(go on)"

// A history converts the conversation to alternating messages of user and
// assistant, whose blocks are not blank.
type history struct {
	out                  []sdk.MessageParam
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
		h.user(sdk.NewToolResultBlock(h.ids.ResultID(msg.CallID), cmp.Or(msg.Text, "(no output)"), msg.IsError))
	case llm.Self:
		h.assistant(msg)
	default:
		h.callsWithoutThinking = false
		if !blank(msg.Text) {
			h.user(sdk.NewTextBlock(msg.Attributed()))
		}
	}
}

func (h *history) assistant(msg llm.Message) {
	var blocks []sdk.ContentBlockParamUnion
	if !blank(msg.Text) {
		blocks = append(blocks, sdk.NewTextBlock(msg.Text))
	}
	for _, c := range h.ids.Calls(msg) {
		blocks = append(blocks, sdk.NewToolUseBlock(c.ID, wire.Arguments(c.Args), c.Name))
	}
	if len(blocks) == 0 {
		return // thinking alone is not a message
	}
	thought := h.thinking(msg.Thought)
	h.callsWithoutThinking = len(msg.Calls) > 0 && (h.callsWithoutThinking || len(thought) == 0)
	blocks = append(thought, blocks...)
	if n := len(h.out); n > 0 && h.out[n-1].OfAssistant != nil {
		h.out[n-1].OfAssistant.Content = append(h.out[n-1].OfAssistant.Content, blocks...)
		return
	}
	if len(h.out) == 0 {
		h.user(sdk.NewTextBlock(continueText))
	}
	h.out = append(h.out, sdk.NewAssistantMessage(blocks...))
}

func (h *history) thinking(thoughts []llm.Thought) []sdk.ContentBlockParamUnion {
	var out []sdk.ContentBlockParamUnion
	for _, t := range thoughts {
		switch data, ok := strings.CutPrefix(t.Opaque, redactedPrefix); {
		case !h.sendThinking || t.Opaque == "":
		case ok:
			out = append(out, sdk.NewRedactedThinkingBlock(data))
		default:
			out = append(out, sdk.NewThinkingBlock(t.Opaque, t.Text))
		}
	}
	h.hasThinking = h.hasThinking || len(out) > 0
	return out
}

func (h *history) user(b sdk.ContentBlockParamUnion) {
	if n := len(h.out); n > 0 && h.out[n-1].OfUser != nil {
		h.out[n-1].OfUser.Content = append(h.out[n-1].OfUser.Content, b)
		return
	}
	h.out = append(h.out, sdk.NewUserMessage(b))
}

// finish returns the messages. The last one is the user's, as newer models require.
func (h *history) finish() []sdk.MessageParam {
	if n := len(h.out); n == 0 || h.out[n-1].OfAssistant != nil {
		h.user(sdk.NewTextBlock(continueText))
	}
	return h.out
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
