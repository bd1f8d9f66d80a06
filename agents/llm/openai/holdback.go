package openai

import (
	"regexp"
	"strings"

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
// the package comment.
func (m *Model) holdsBack(level llm.Level) bool {
	switch {
	case m.capabilities.Known(templateOpensThink):
		return true
	case m.capabilities.Known(noLoneCloseTag), m.hosted():
		return false
	}
	asked := level != "" && level != llm.ThinkOff
	return asked || templateModels.MatchString(m.provider.Model)
}

// hosted reports whether the provider is a service that separates thinking itself.
func (m *Model) hosted() bool {
	return !strings.Contains(m.provider.Name, " at ")
}

// learn records what the last answer shows about the server.
func (m *Model) learn(t *thinkParser) {
	switch {
	case t.sawLoneClose:
		m.capabilities.Record(templateOpensThink)
		m.capabilities.Forget(noLoneCloseTag)
	case t.heldForNothing:
		m.capabilities.Record(noLoneCloseTag)
		m.capabilities.Forget(templateOpensThink)
	}
}
