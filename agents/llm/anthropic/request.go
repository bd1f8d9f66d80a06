package anthropic

import (
	"encoding/json"
	"regexp"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

const (
	defaultOutput   = 8192 // tokens, if the request sets no limit; the protocol requires one
	minAnswerTokens = 1024 // that a thinking budget leaves; also the smallest budget
)

var budgets = map[llm.Level]int{llm.ThinkLow: 2048, llm.ThinkMedium: 8192, llm.ThinkHigh: 16384}

var efforts = map[llm.Level]string{llm.ThinkLow: "low", llm.ThinkMedium: "medium", llm.ThinkHigh: "high"}

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

// A request is a request for a message.
type request struct {
	Model        string        `json:"model"`
	MaxTokens    int           `json:"max_tokens"`
	Stream       bool          `json:"stream"`
	System       []part        `json:"system,omitempty"`
	Messages     []message     `json:"messages"`
	Tools        []tool        `json:"tools,omitempty"`
	Thinking     *thinking     `json:"thinking,omitempty"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`
	CacheControl *cacheControl `json:"cache_control,omitempty"`
}

type tool struct {
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"`
	InputSchema wire.Schema `json:"input_schema"`
}

type thinking struct {
	Type    string `json:"type"`
	Budget  int    `json:"budget_tokens,omitempty"`
	Display string `json:"display,omitempty"`
}

type outputConfig struct {
	Effort string `json:"effort"`
}

type cacheControl struct {
	Type string `json:"type"`
}

// params returns the request and the optional parameters in it.
func (m *Model) params(req llm.Request, without wire.OptionalParams) (request, wire.OptionalParams, error) {
	h := m.history(req, !without.Has(pastThinking))
	p := request{Model: m.provider.Model, Messages: h.finish(), MaxTokens: req.MaxTokens, Stream: true}
	if p.MaxTokens <= 0 {
		p.MaxTokens = defaultOutput + budgets[req.Thinking]
	}
	if req.System != "" {
		p.System = []part{textPart(req.System)}
	}
	if m.provider.Official {
		p.CacheControl = &cacheControl{Type: "ephemeral"}
	}
	var sent wire.OptionalParams
	if h.hasThinking {
		sent = append(sent, pastThinking)
	}
	for _, form := range m.thinkingForms(req.Thinking) {
		rejected := without.Has(form) || m.provider.Capabilities.Known(form)
		if rejected || form == enabled && h.callsWithoutThinking {
			continue
		}
		if p.setThinking(form, req.Thinking) {
			sent = append(sent, form)
		}
		break
	}
	for _, t := range req.Tools {
		schema, err := wire.SchemaOf(t)
		if err != nil {
			return p, nil, err
		}
		if schema == nil {
			schema = wire.Schema{}
		}
		schema["type"] = json.RawMessage(`"object"`)
		p.Tools = append(p.Tools, tool{Name: t.Name, Description: t.Description, InputSchema: schema})
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
func (p *request) setThinking(form wire.OptionalParam, level llm.Level) bool {
	switch form {
	case disabled:
		p.Thinking = &thinking{Type: "disabled"}
	case adaptive:
		p.Thinking = &thinking{Type: "adaptive", Display: "summarized"}
		p.OutputConfig = &outputConfig{Effort: efforts[level]}
	default:
		budget := min(budgets[level], p.MaxTokens-minAnswerTokens)
		if budget < minAnswerTokens {
			return false
		}
		p.Thinking = &thinking{Type: "enabled", Budget: budget}
	}
	return true
}

var claude = regexp.MustCompile(`claude`)
