package openai

import (
	"regexp"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// templated are models whose templates open the <think> block themselves.
var templateModels = regexp.MustCompile(`(?i)deepseek-r1|deepseek-v3\.[12]|(^|[^a-z0-9])r1([^a-z0-9]|$)|qwq|thinking|reason(er|ing)|minimax-m|nemotron`)

const (
	templateOpensThink wire.Fact = "the template opens <think>"
	noLoneCloseTag     wire.Fact = "no lone </think> came last"
)

// holds reports whether text has to wait for a closing tag; see the package comment.
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

// hosted reports whether the provider is a service that parts thinking from answers itself.
func (m *Model) hosted() bool {
	return !strings.Contains(m.provider.Name, " at ")
}

// learn keeps what the last answer has shown of the server.
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
