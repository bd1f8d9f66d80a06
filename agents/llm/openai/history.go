package openai

import (
	"cmp"
	"regexp"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// skipSignature replaces the signature of a call that Gemini did not make.
const skipSignature = "skip_thought_signature_validator"

// A history converts the conversation for one request.
type history struct {
	model  *Model
	ids    wire.CallIDs
	gemini bool
	out    []sdk.ChatCompletionMessageParamUnion
}

func (m *Model) messages(req llm.Request) []sdk.ChatCompletionMessageParamUnion {
	h := history{model: m, ids: m.callIDs(), gemini: strings.Contains(strings.ToLower(m.provider.Model), "gemini")}
	if req.System != "" {
		h.out = append(h.out, sdk.SystemMessage(req.System))
	}
	turn := 0 // the first message after the last one of a user
	for i, msg := range req.Messages {
		if msg.Role == llm.User {
			turn = i + 1
		}
	}
	for i, msg := range req.Messages {
		h.add(msg, i >= turn)
	}
	return h.out
}

var nineAlphanumerics = regexp.MustCompile(`^[A-Za-z0-9]{9}$`)

func (m *Model) callIDs() wire.CallIDs {
	if m.provider.Name == "Mistral" {
		return wire.CallIDs{Accepts: nineAlphanumerics.MatchString, NewLen: 9}
	}
	return wire.CallIDs{Accepts: func(id string) bool { return wire.IsPlainID(id, 40) }, NewLen: 24}
}

// add appends a message. current reports whether it belongs to the unfinished answer.
func (h *history) add(msg llm.Message, current bool) {
	own := msg.Model == h.model.Name()
	msg = wire.AdaptFor(msg, h.model.Name())
	switch {
	case msg.Role == llm.ToolResult:
		h.out = append(h.out, sdk.ToolMessage(cmp.Or(msg.Text, "(no output)"), h.ids.ResultID(msg.CallID)))
	case msg.Role == llm.Self && len(msg.Calls) > 0:
		h.out = append(h.out, h.assistantWithCalls(msg, own, current))
	case msg.Text == "": // strict servers refuse an empty message
	case msg.Role == llm.Self:
		h.out = append(h.out, sdk.AssistantMessage(msg.Text))
	default:
		h.out = append(h.out, sdk.UserMessage(msg.Attributed()))
	}
}

func (h *history) assistantWithCalls(msg llm.Message, own, current bool) sdk.ChatCompletionMessageParamUnion {
	var message sdk.ChatCompletionAssistantMessageParam
	if msg.Text != "" {
		message.Content.OfString = sdk.String(msg.Text)
	}
	for i, c := range h.ids.Calls(msg) {
		call := &sdk.ChatCompletionMessageFunctionToolCallParam{
			ID: c.ID,
			Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{
				Name: c.Name, Arguments: string(wire.Arguments(c.Args)),
			},
		}
		if h.gemini && !own && i == 0 {
			c.Opaque = skipSignature
		}
		if c.Opaque != "" {
			google := map[string]any{"thought_signature": c.Opaque}
			call.SetExtraFields(map[string]any{"extra_content": map[string]any{"google": google}})
		}
		message.ToolCalls = append(message.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: call})
	}
	if fields := thinkingFields(msg.Thought); current && len(fields) > 0 {
		message.SetExtraFields(fields)
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: &message}
}

// thinkingFields returns each block of thinking in the field that it came from.
func thinkingFields(thoughts []llm.Thought) map[string]any {
	fields := map[string]any{}
	for _, t := range thoughts {
		for _, name := range reasoningFields {
			if t.Opaque == name && t.Text != "" {
				before, _ := fields[name].(string)
				fields[name] = before + t.Text
			}
		}
	}
	return fields
}
