package openai

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// tokenLimitRefused matches refusals of the field, not of its value.
var tokenLimitRefused = regexp.MustCompile(
	`(?i)max_(completion_)?tokens.*` + unknownField + `|` + unknownField + `.*max_(completion_)?tokens`)

const unknownField = `(unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra|not permitted|instead)`

var anyReason = regexp.MustCompile(``)

// rejectedParam returns the optional parameter that may have caused err, or "" if
// err is no refusal.
func rejectedParam(sent wire.OptionalParams, err error) wire.OptionalParam {
	tokens := wire.IsRefusal(err, tokenLimitRefused)
	for _, p := range sent {
		if tokens == strings.HasPrefix(string(p), "max_") && wire.IsRefusal(err, anyReason) {
			return p
		}
	}
	return ""
}

// accepts reports whether the server may accept p.
func (m *Model) accepts(p wire.OptionalParam, without wire.OptionalParams) bool {
	return !without.Has(p) && !m.capabilities.Rejects(p)
}

// params returns the request and the optional parameters in it.
func (m *Model) params(
	req llm.Request, without wire.OptionalParams,
) (sdk.ChatCompletionNewParams, wire.OptionalParams, error) {
	p := sdk.ChatCompletionNewParams{
		Model:         m.provider.Model,
		Messages:      m.messages(req),
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)},
	}
	var sent wire.OptionalParams
	effort := efforts[req.Thinking]
	if level := wire.OptionalParam("reasoning_effort=" + effort); effort != "" && m.accepts(level, without) {
		p.ReasoningEffort = effort
		sent = append(sent, level)
	}
	if field := m.tokenLimitField(without); req.MaxTokens > 0 && field != "" {
		sent = append(sent, field)
		if field == "max_tokens" {
			p.MaxTokens = sdk.Int(int64(req.MaxTokens))
		} else {
			p.MaxCompletionTokens = sdk.Int(int64(req.MaxTokens))
		}
	}
	for _, t := range req.Tools {
		tool, err := toolParam(t)
		if err != nil {
			return p, nil, err
		}
		p.Tools = append(p.Tools, tool)
	}
	return p, sent, nil
}

var efforts = map[llm.Level]shared.ReasoningEffort{
	llm.ThinkOff:    shared.ReasoningEffortNone,
	llm.ThinkLow:    shared.ReasoningEffortLow,
	llm.ThinkMedium: shared.ReasoningEffortMedium,
	llm.ThinkHigh:   shared.ReasoningEffortHigh,
}

// tokenLimitField returns the field that limits the tokens of an answer. OpenAI's
// newer models refuse max_tokens; most other servers have no other field.
func (m *Model) tokenLimitField(without wire.OptionalParams) wire.OptionalParam {
	fields := wire.OptionalParams{"max_tokens", "max_completion_tokens"}
	if m.provider.Name == "OpenAI" {
		slices.Reverse(fields)
	}
	for _, f := range fields {
		if m.accepts(f, without) {
			return f
		}
	}
	return ""
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
