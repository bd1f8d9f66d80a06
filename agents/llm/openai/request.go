package openai

import (
	"regexp"
	"slices"
	"strings"

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
	return !without.Has(p) && !m.provider.Capabilities.Known(p)
}

// A request is a request for a chat completion.
type request struct {
	Model               string        `json:"model"`
	Messages            []message     `json:"messages"`
	Stream              bool          `json:"stream"`
	StreamOptions       streamOptions `json:"stream_options"`
	ReasoningEffort     string        `json:"reasoning_effort,omitempty"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	Tools               []tool        `json:"tools,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

// A function is a tool's definition, or its name and arguments in a call.
type function struct {
	Name        string      `json:"name"`
	Arguments   string      `json:"arguments,omitempty"`
	Description string      `json:"description,omitempty"`
	Parameters  wire.Schema `json:"parameters,omitzero"`
}

// params returns the request and the optional parameters in it.
func (m *Model) params(req llm.Request, without wire.OptionalParams) (request, wire.OptionalParams, error) {
	p := request{
		Model: m.provider.Model, Messages: m.messages(req),
		Stream: true, StreamOptions: streamOptions{IncludeUsage: true},
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
			p.MaxTokens = req.MaxTokens
		} else {
			p.MaxCompletionTokens = req.MaxTokens
		}
	}
	for _, t := range req.Tools {
		schema, err := wire.SchemaOf(t)
		if err != nil {
			return p, nil, err
		}
		f := function{Name: t.Name, Description: t.Description, Parameters: schema}
		p.Tools = append(p.Tools, tool{Type: "function", Function: f})
	}
	return p, sent, nil
}

var efforts = map[llm.Level]string{
	llm.ThinkOff: "none", llm.ThinkLow: "low", llm.ThinkMedium: "medium", llm.ThinkHigh: "high",
}

// tokenLimitField returns the field that limits the tokens of an answer. OpenAI's
// newer models refuse max_tokens; most other servers have no other field.
func (m *Model) tokenLimitField(without wire.OptionalParams) wire.OptionalParam {
	fields := wire.OptionalParams{"max_tokens", "max_completion_tokens"}
	if m.provider.Vendor.NewTokenName {
		slices.Reverse(fields)
	}
	for _, f := range fields {
		if m.accepts(f, without) {
			return f
		}
	}
	return ""
}
