package wire

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"colloquy/agents/llm"
)

// A Wish is a part of a request that not every server takes, as "name" or
// "name=value". One that begins with a question mark is of one request only.
type OptionalParam string

// Wishes are those that a request holds, or is sent without.
type OptionalParams []OptionalParam

// Has reports whether w is among them.
func (ws OptionalParams) Has(w OptionalParam) bool { return slices.Contains(ws, w) }

// A Memory keeps what a server was seen not to take, or to do.
type Capabilities struct {
	mu    sync.Mutex
	facts map[OptionalParam]bool
}

// Know reports whether the fact was kept.
func (m *Capabilities) Known(fact OptionalParam) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.facts[fact]
}

// Keep keeps the facts.
func (m *Capabilities) Record(facts OptionalParams) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range facts {
		if strings.HasPrefix(string(f), "?") {
			continue
		}
		if m.facts == nil {
			m.facts = map[OptionalParam]bool{}
		}
		m.facts[f] = true
	}
}

// Forget drops a fact that holds no more.
func (m *Capabilities) Forget(fact OptionalParam) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.facts, fact)
}

// Refuses reports whether err is a server's refusal of a request whose reason matches why.
func IsRefusal(err error, why *regexp.Regexp) bool {
	var e *llm.Error
	if !errors.As(err, &e) || e.Err == nil {
		return false
	}
	bad := e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
	return bad && e.Fault == llm.Refused && why.MatchString(e.Err.Error())
}
