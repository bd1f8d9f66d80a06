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
	defaultOutput   = 8192 // of an answer, where the request sets no limit; the protocol wants one
	minAnswerTokens = 1024 // of a limit, to the answer; no budget is smaller either
)

var budgets = map[llm.Level]int{llm.ThinkLow: 2048, llm.ThinkMedium: 8192, llm.ThinkHigh: 16384}

var efforts = map[llm.Level]sdk.OutputConfigEffort{
	llm.ThinkLow: sdk.OutputConfigEffortLow, llm.ThinkMedium: sdk.OutputConfigEffortMedium, llm.ThinkHigh: sdk.OutputConfigEffortHigh,
}

// What not every server takes; see wire.Wishes.
const (
	adaptive     wire.OptionalParam = "thinking=adaptive"
	enabled      wire.OptionalParam = "thinking=enabled"
	disabled     wire.OptionalParam = "thinking=disabled"
	pastThinking wire.OptionalParam = "?thoughts" // of one request only
)

var (
	signatureRefused = regexp.MustCompile(`(?i)signature|redacted_thinking`)
	thinkingRefused  = regexp.MustCompile(`(?i)thinking|adaptive|budget|effort|output_config|extra inputs|unknown|unexpected|unrecogni[sz]ed`)
)

// refused returns the wish to leave out, if err is a refusal that may be due to one.
func rejectedParam(asked wire.OptionalParams, err error) wire.OptionalParam {
	for _, w := range asked {
		why := thinkingRefused
		if w == pastThinking {
			why = signatureRefused
		}
		if wire.IsRefusal(err, why) {
			return w
		}
	}
	return ""
}

// params makes the request, and says which wishes it holds.
func (m *Model) params(req llm.Request, without wire.OptionalParams) (sdk.MessageNewParams, wire.OptionalParams, error) {
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
	var asked wire.OptionalParams
	if h.hasThinking {
		asked = append(asked, pastThinking)
	}
	if w := m.setThinking(&p, req.Thinking, without, h.callsWithoutThinking); w != "" {
		asked = append(asked, w)
	}
	for _, t := range req.Tools {
		tool, err := toolParam(t)
		if err != nil {
			return p, nil, err
		}
		p.Tools = append(p.Tools, tool)
	}
	return p, asked, nil
}

// byBudget are the models of Anthropic's that know no adaptive thinking.
var budgetOnly = regexp.MustCompile(`claude-(instant|2|3)|claude-(opus|sonnet|haiku)-4(-[015])?([@:]|-v|-latest|-[0-9]{8}|$)`)

// think puts the level into p, in the first form that the server may take. A
// budget is not for a history whose tools at work were called without thinking.
func (m *Model) setThinking(p *sdk.MessageNewParams, level llm.Level, without wire.OptionalParams, bare bool) wire.OptionalParam {
	var forms []wire.OptionalParam
	switch name := m.provider.Model; {
	case level == "":
	case level == llm.ThinkOff:
		forms = []wire.OptionalParam{disabled}
	case claude.MatchString(name) && !budgetOnly.MatchString(name):
		forms = []wire.OptionalParam{adaptive, enabled}
	default:
		forms = []wire.OptionalParam{enabled, adaptive}
	}
	for _, w := range forms {
		if without.Has(w) || m.capabilities.Rejects(w) || w == enabled && bare {
			continue
		}
		switch w {
		case disabled:
			off := sdk.NewThinkingConfigDisabledParam()
			p.Thinking.OfDisabled = &off
		case adaptive:
			p.Thinking.OfAdaptive = &sdk.ThinkingConfigAdaptiveParam{Display: sdk.ThinkingConfigAdaptiveDisplaySummarized}
			p.OutputConfig.Effort = efforts[level]
		default:
			budget := min(int64(budgets[level]), p.MaxTokens-minAnswerTokens)
			if budget < minAnswerTokens {
				return ""
			}
			p.Thinking = sdk.ThinkingConfigParamOfEnabled(budget)
		}
		return w
	}
	return ""
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
