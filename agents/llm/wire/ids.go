package wire

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"

	"colloquy/agents/llm"
)

// CallIDs gives the tool calls of a conversation ids that a provider accepts. An
// accepted id stays as it is; any other is replaced by a hash of itself, the same
// in every request.
type CallIDs struct {
	Accepts func(id string) bool
	NewLen  int // of a hashed id

	current map[string]string // the latest replacement of an id
	used    map[string]bool
}

// Calls returns m's calls with accepted ids.
func (ids *CallIDs) Calls(m llm.Message) []llm.Call {
	if ids.current == nil {
		ids.current, ids.used = map[string]string{}, map[string]bool{}
	}
	out := make([]llm.Call, 0, len(m.Calls))
	for _, c := range m.Calls {
		id := c.ID
		for n := 0; !ids.Accepts(id) || ids.used[id]; n++ {
			id = ids.hashed(c.ID, n)
		}
		ids.current[c.ID], ids.used[id] = id, true
		c.ID = id
		out = append(out, c)
	}
	return out
}

// ResultID returns the accepted id of the call that id belongs to.
func (ids *CallIDs) ResultID(id string) string {
	if to, ok := ids.current[id]; ok {
		return to
	}
	if ids.Accepts(id) {
		return id
	}
	return ids.hashed(id, 0)
}

func (ids *CallIDs) hashed(id string, n int) string {
	sum := sha256.Sum256([]byte(id + "\x00" + strconv.Itoa(n)))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:ids.NewLen]
}

// IsPlainID reports whether id consists of 1 to most letters, digits, _ and -.
func IsPlainID(id string, most int) bool {
	if id == "" || len(id) > most {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool {
		return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
}

// An IDAllocator gives the calls of one answer ids that differ from every id in
// its request: some servers send none, or the same ids in every answer.
type IDAllocator struct{ used map[string]bool }

// NewIDAllocator returns the allocator for an answer to req.
func NewIDAllocator(req llm.Request) *IDAllocator {
	f := &IDAllocator{used: map[string]bool{}}
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			f.used[c.ID] = true
		}
	}
	return f
}

// Allocate returns the provider's id if it is usable and unused, otherwise a new one.
func (a *IDAllocator) Allocate(id string) string {
	if !IsPlainID(id, 40) || a.used[id] {
		id = rand.Text()[:9] // every provider accepts nine letters and digits
	}
	a.used[id] = true
	return id
}
