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

// A Fact is one observation about a server.
type Fact string

// An OptionalParam is a part of a request that some servers reject, as "name" or
// "name=value". As a fact it means that the server rejects it. One that begins with a
// question mark is sent again with the next request, even after a rejection.
type OptionalParam = Fact

// OptionalParams are the optional parameters that a request contains or omits.
type OptionalParams []OptionalParam

// Has reports whether p is among them.
func (ps OptionalParams) Has(p OptionalParam) bool { return slices.Contains(ps, p) }

// Capabilities records what was observed about a server.
type Capabilities struct {
	mu    sync.Mutex
	facts map[Fact]bool
}

// Known reports whether the fact is recorded.
func (c *Capabilities) Known(f Fact) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.facts[f]
}

// Record records a fact.
func (c *Capabilities) Record(f Fact) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.facts == nil {
		c.facts = map[Fact]bool{}
	}
	c.facts[f] = true
}

// Forget removes a fact that is no longer true.
func (c *Capabilities) Forget(f Fact) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.facts, f)
}

// recordRejected records that the server rejects ps.
func (c *Capabilities) recordRejected(ps OptionalParams) {
	for _, p := range ps {
		if !strings.HasPrefix(string(p), "?") {
			c.Record(p)
		}
	}
}

// IsRefusal reports whether err is a server's refusal of a request for a reason
// that matches why.
func IsRefusal(err error, why *regexp.Regexp) bool {
	var e *llm.Error
	if !errors.As(err, &e) || e.Err == nil {
		return false
	}
	bad := e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
	return bad && e.Fault == llm.Refused && why.MatchString(e.Err.Error())
}
