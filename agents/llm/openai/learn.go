package openai

import (
	"regexp"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// templated are models whose templates open the <think> block themselves.
var templated = regexp.MustCompile(`(?i)deepseek-r1|deepseek-v3\.[12]|(^|[^a-z0-9])r1([^a-z0-9]|$)|qwq|thinking|reason(er|ing)|minimax-m|nemotron`)

const (
	opensItself wire.Wish = "the template opens <think>"
	partsItself wire.Wish = "no lone </think> came last"
)

// holds reports whether text has to wait for a closing tag; see the package comment.
func (m *Model) holds(level llm.Level) bool {
	switch {
	case m.seen.Know(opensItself):
		return true
	case m.seen.Know(partsItself), m.hosted():
		return false
	}
	asked := level != "" && level != llm.ThinkOff
	return asked || templated.MatchString(m.provider.Model)
}

// hosted reports whether the provider is a service that parts thinking from answers itself.
func (m *Model) hosted() bool {
	return !strings.Contains(m.provider.Name, " at ")
}

// learn keeps what the last answer has shown of the server.
func (m *Model) learn(t *thinker) {
	switch {
	case t.lone:
		m.seen.Keep(wire.Wishes{opensItself})
		m.seen.Forget(partsItself)
	case t.idle:
		m.seen.Keep(wire.Wishes{partsItself})
		m.seen.Forget(opensItself)
	}
}
