package anthropic

import (
	"encoding/json"
	"fmt"
	"regexp"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

const (
	defaultOutput   = 8192 // tokens, if the request sets no limit; the protocol requires one
	minAnswerTokens = 1024 // that a thinking budget leaves; also the smallest budget
)

var budgets = map[llm.Level]int{llm.ThinkLow: 2048, llm.ThinkMedium: 8192, llm.ThinkHigh: 16384}

var efforts = map[llm.Level]sdk.OutputConfigEffort{
	llm.ThinkLow:    sdk.OutputConfigEffortLow,
	llm.ThinkMedium: sdk.OutputConfigEffortMedium,
	llm.ThinkHigh:   sdk.OutputConfigEffortHigh,
}

// The optional parameters.
const (
	adaptive     wire.OptionalParam = "thinking=adaptive"
	enabled      wire.OptionalParam = "thinking=enabled"
	disabled     wire.OptionalParam = "thinking=disabled"
	pastThinking wire.OptionalParam = "?thoughts"
)

var (
	signatureRefused = regexp.MustCompile(`(?i)signature|redacted_thinking`)
	thinkingRefused  = regexp.MustCompile(`(?i)thinking|adaptive|budget|effort|output_config|extra inputs` +
		`|unknown|unexpected|unrecogni[sz]ed`)
)

// rejectedParam returns the optional parameter that may have caused err, or "" if
// err is no refusal.
func rejectedParam(sent wire.OptionalParams, err error) wire.OptionalParam {
	for _, p := range sent {
		why := thinkingRefused
		if p == pastThinking {
			why = signatureRefused
		}
		if wire.IsRefusal(err, why) {
			return p
		}
	}
	return ""
}

// params returns the request and the optional parameters in it.
func (m *Model) params(
	req llm.Request, without wire.OptionalParams,
) (sdk.MessageNewParams, wire.OptionalParams, error) {
	h := m.history(req, !without.Has(pastThinking))
	p := sdk.MessageNewParams{Model: m.provider.Model, Messages: h.finish(), MaxTokens: int64(req.MaxTokens)}
	if p.MaxTokens <= 0 {
		p.MaxTokens = int64(defaultOutput + budgets[req.Thinking])
	}
	if req.System != "" {
		p.System = []sdk.TextBlockParam{{Text: req.System}}
	}
	if m.provider.Name == officialName {
		p.CacheControl = sdk.NewCacheControlEphemeralParam()
	}
	var sent wire.OptionalParams
	if h.hasThinking {
		sent = append(sent, pastThinking)
	}
	for _, form := range m.thinkingForms(req.Thinking) {
		if without.Has(form) || m.capabilities.Rejects(form) || form == enabled && h.callsWithoutThinking {
			continue
		}
		if setThinking(&p, form, req.Thinking) {
			sent = append(sent, form)
		}
		break
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

// budgetOnly matches Anthropic's models without adaptive thinking.
var budgetOnly = regexp.MustCompile(
	`claude-(instant|2|3)|claude-(opus|sonnet|haiku)-4(-[015])?([@:]|-v|-latest|-[0-9]{8}|$)`)

// thinkingForms returns the forms in which a level may be sent, the preferred one
// first.
func (m *Model) thinkingForms(level llm.Level) []wire.OptionalParam {
	switch name := m.provider.Model; {
	case level == "":
		return nil
	case level == llm.ThinkOff:
		return []wire.OptionalParam{disabled}
	case claude.MatchString(name) && !budgetOnly.MatchString(name):
		return []wire.OptionalParam{adaptive, enabled}
	}
	return []wire.OptionalParam{enabled, adaptive}
}

// setThinking sets a level in one form. It reports whether it did: a budget needs
// enough tokens.
func setThinking(p *sdk.MessageNewParams, form wire.OptionalParam, level llm.Level) bool {
	switch form {
	case disabled:
		off := sdk.NewThinkingConfigDisabledParam()
		p.Thinking.OfDisabled = &off
	case adaptive:
		p.Thinking.OfAdaptive = &sdk.ThinkingConfigAdaptiveParam{Display: sdk.ThinkingConfigAdaptiveDisplaySummarized}
		p.OutputConfig.Effort = efforts[level]
	default:
		budget := min(int64(budgets[level]), p.MaxTokens-minAnswerTokens)
		if budget < minAnswerTokens {
			return false
		}
		p.Thinking = sdk.ThinkingConfigParamOfEnabled(budget)
	}
	return true
}

var claude = regexp.MustCompile(`claude`)

func toolParam(t llm.Tool) (sdk.ToolUnionParam, error) {
	schema := map[string]json.RawMessage{}
	if len(t.Input) > 0 {
		if err := json.Unmarshal(t.Input, &schema); err != nil {
			return sdk.ToolUnionParam{}, fmt.Errorf("read schema of tool %s: %w", t.Name, err)
		}
	}
	schema["type"] = json.RawMessage(`"object"`)
	raw, err := json.Marshal(schema)
	if err != nil {
		return sdk.ToolUnionParam{}, fmt.Errorf("write schema of tool %s: %w", t.Name, err)
	}
	tool := sdk.ToolParam{Name: t.Name, InputSchema: param.Override[sdk.ToolInputSchemaParam](json.RawMessage(raw))}
	if t.Description != "" {
		tool.Description = sdk.String(t.Description)
	}
	return sdk.ToolUnionParam{OfTool: &tool}, nil
}
