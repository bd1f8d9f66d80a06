package wire

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"

	"colloquy/agents/llm"
)

// IDs gives the tool calls of a conversation ids that a provider takes, whoever
// made them: those it takes stay as they are, any other becomes a hash of
// itself, the same in every request.
type CallIDs struct {
	Accepts func(id string) bool
	NewLen  int // of a made id

	current map[string]string // what an id became last
	used    map[string]bool
}

// Calls returns m's calls with the ids that they get.
func (d *CallIDs) Calls(m llm.Message) []llm.Call {
	if d.current == nil {
		d.current, d.used = map[string]string{}, map[string]bool{}
	}
	out := make([]llm.Call, 0, len(m.Calls))
	for _, c := range m.Calls {
		id := c.ID
		for n := 0; !d.Accepts(id) || d.used[id]; n++ {
			id = d.hashed(c.ID, n)
		}
		d.current[c.ID], d.used[id] = id, true
		c.ID = id
		out = append(out, c)
	}
	return out
}

// Result is the id of the call that id answers.
func (d *CallIDs) ResultID(id string) string {
	if to, ok := d.current[id]; ok {
		return to
	}
	if d.Accepts(id) {
		return id
	}
	return d.hashed(id, 0)
}

func (d *CallIDs) hashed(id string, n int) string {
	sum := sha256.Sum256([]byte(id + "\x00" + strconv.Itoa(n)))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:d.NewLen]
}

// Plain reports whether id is 1 to most letters, digits, _ and -.
func IsPlainID(id string, most int) bool {
	if id == "" || len(id) > most {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool {
		return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
}

// Fresh gives the calls of one answer ids that are unlike every id in its
// request: some servers give none, or the same in every answer.
type IDAllocator struct{ used map[string]bool }

// NewFresh returns the ids for an answer to req.
func NewIDAllocator(req llm.Request) *IDAllocator {
	f := &IDAllocator{used: map[string]bool{}}
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			f.used[c.ID] = true
		}
	}
	return f
}

// Take returns the provider's id, or one in its place.
func (f *IDAllocator) Allocate(id string) string {
	if !IsPlainID(id, 40) || f.used[id] {
		id = rand.Text()[:9] // nine letters and digits are the one form that every provider takes
	}
	f.used[id] = true
	return id
}
