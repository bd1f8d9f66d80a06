package openai

import (
	"encoding/json"
	"fmt"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"colloquy/agents/llm"
)

func params(model string, req llm.Request) (sdk.ChatCompletionNewParams, error) {
	p := sdk.ChatCompletionNewParams{
		Model:         model,
		Messages:      messages(req),
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)},
	}
	for _, t := range req.Tools {
		tool, err := toolParam(t)
		if err != nil {
			return p, err
		}
		p.Tools = append(p.Tools, tool)
	}
	return p, nil
}

func messages(req llm.Request) []sdk.ChatCompletionMessageParamUnion {
	out := make([]sdk.ChatCompletionMessageParamUnion, 0, len(req.Messages)+1)
	if req.System != "" {
		out = append(out, sdk.SystemMessage(req.System))
	}
	for _, m := range req.Messages {
		switch {
		case m.Role == llm.ToolResult:
			out = append(out, sdk.ToolMessage(orElse(m.Text, "(no output)"), m.CallID))
		case m.Role == llm.Self && len(m.Calls) > 0:
			out = append(out, callsMessage(m))
		case m.Text == "": // strict servers refuse an empty message
		case m.Role == llm.Self:
			out = append(out, sdk.AssistantMessage(m.Text))
		default:
			out = append(out, sdk.UserMessage(m.Attributed()))
		}
	}
	return out
}

func callsMessage(m llm.Message) sdk.ChatCompletionMessageParamUnion {
	var own sdk.ChatCompletionAssistantMessageParam
	if m.Text != "" {
		own.Content.OfString = sdk.String(m.Text)
	}
	for _, c := range m.Calls {
		own.ToolCalls = append(own.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: arguments(c.Args)},
			},
		})
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: &own}
}

// arguments gives strict servers an object where the model wrote none: they
// refuse the whole history for one broken call, and its result already tells
// the model what was wrong.
func arguments(args json.RawMessage) string {
	var o map[string]json.RawMessage
	if json.Unmarshal(args, &o) != nil || o == nil {
		return "{}"
	}
	return string(args)
}

func toolParam(t llm.Tool) (sdk.ChatCompletionToolUnionParam, error) {
	f := shared.FunctionDefinitionParam{Name: t.Name}
	if t.Description != "" {
		f.Description = sdk.String(t.Description)
	}
	if len(t.Input) > 0 {
		if err := json.Unmarshal(t.Input, &f.Parameters); err != nil {
			return sdk.ChatCompletionToolUnionParam{}, fmt.Errorf("read schema of tool %s: %w", t.Name, err)
		}
	}
	return sdk.ChatCompletionFunctionTool(f), nil
}

func orElse(s, empty string) string {
	if s == "" {
		return empty
	}
	return s
}
