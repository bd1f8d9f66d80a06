package wire

import (
	"errors"
	"net/http"
	"regexp"
	"sync"

	"colloquy/agents/llm"
)

// A Memory keeps what a server was seen not to take, or to do.
type Memory struct {
	mu    sync.Mutex
	facts map[string]bool
}

// Know reports whether the fact was noted.
func (m *Memory) Know(fact string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.facts[fact]
}

// Note keeps the fact, and reports whether it is new.
func (m *Memory) Note(fact string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.facts[fact] {
		return false
	}
	if m.facts == nil {
		m.facts = map[string]bool{}
	}
	m.facts[fact] = true
	return true
}

// Refuses reports whether err is a server's refusal of a request whose reason matches what.
func Refuses(err error, what *regexp.Regexp) bool {
	var e *llm.Error
	if !errors.As(err, &e) || e.Err == nil {
		return false
	}
	bad := e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
	return bad && e.Fault == llm.Refused && what.MatchString(e.Err.Error())
}
