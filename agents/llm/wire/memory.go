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
type Wish string

// Wishes are those that a request holds, or is sent without.
type Wishes []Wish

// Has reports whether w is among them.
func (ws Wishes) Has(w Wish) bool { return slices.Contains(ws, w) }

// A Memory keeps what a server was seen not to take, or to do.
type Memory struct {
	mu    sync.Mutex
	facts map[Wish]bool
}

// Know reports whether the fact was kept.
func (m *Memory) Know(fact Wish) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.facts[fact]
}

// Keep keeps the facts.
func (m *Memory) Keep(facts Wishes) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range facts {
		if strings.HasPrefix(string(f), "?") {
			continue
		}
		if m.facts == nil {
			m.facts = map[Wish]bool{}
		}
		m.facts[f] = true
	}
}

// Forget drops a fact that holds no more.
func (m *Memory) Forget(fact Wish) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.facts, fact)
}

// Refuses reports whether err is a server's refusal of a request whose reason matches why.
func Refuses(err error, why *regexp.Regexp) bool {
	var e *llm.Error
	if !errors.As(err, &e) || e.Err == nil {
		return false
	}
	bad := e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
	return bad && e.Fault == llm.Refused && why.MatchString(e.Err.Error())
}
