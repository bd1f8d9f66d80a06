package openai

import (
	"regexp"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// templateModels matches models whose templates open the <think> block.
var templateModels = regexp.MustCompile(`(?i)deepseek-r1|deepseek-v3\.[12]|(^|[^a-z0-9])r1([^a-z0-9]|$)` +
	`|qwq|thinking|reason(er|ing)|minimax-m|nemotron`)

const (
	templateOpensThink wire.Fact = "the template opens <think>"
	noLoneCloseTag     wire.Fact = "no lone </think> came last"
)

// holdsBack reports whether the beginning of an answer waits for a closing tag; see
// the package comment. Known vendors separate thinking themselves.
func (m *Model) holdsBack(level llm.Level) bool {
	switch {
	case m.provider.Capabilities.Known(templateOpensThink):
		return true
	case m.provider.Capabilities.Known(noLoneCloseTag), m.provider.Vendor != (wire.Vendor{}):
		return false
	}
	asked := level != "" && level != llm.ThinkOff
	return asked || templateModels.MatchString(m.provider.Model)
}

// learn records what the last answer shows about the server.
func (m *Model) learn(t *thinkParser) {
	switch {
	case t.sawLoneClose:
		m.provider.Capabilities.Record(templateOpensThink)
		m.provider.Capabilities.Forget(noLoneCloseTag)
	case t.heldForNothing:
		m.provider.Capabilities.Record(noLoneCloseTag)
		m.provider.Capabilities.Forget(templateOpensThink)
	}
}
