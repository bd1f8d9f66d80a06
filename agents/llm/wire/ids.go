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
type IDs struct {
	Takes func(id string) bool
	Len   int // of a made id

	now   map[string]string // what an id became last
	taken map[string]bool
}

// Calls returns m's calls with the ids that they get.
func (d *IDs) Calls(m llm.Message) []llm.Call {
	if d.now == nil {
		d.now, d.taken = map[string]string{}, map[string]bool{}
	}
	out := make([]llm.Call, 0, len(m.Calls))
	for _, c := range m.Calls {
		id := c.ID
		for n := 0; !d.Takes(id) || d.taken[id]; n++ {
			id = d.made(c.ID, n)
		}
		d.now[c.ID], d.taken[id] = id, true
		c.ID = id
		out = append(out, c)
	}
	return out
}

// Result is the id of the call that id answers.
func (d *IDs) Result(id string) string {
	if to, ok := d.now[id]; ok {
		return to
	}
	if d.Takes(id) {
		return id
	}
	return d.made(id, 0)
}

func (d *IDs) made(id string, n int) string {
	sum := sha256.Sum256([]byte(id + "\x00" + strconv.Itoa(n)))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:d.Len]
}

// Plain reports whether id is 1 to most letters, digits, _ and -.
func Plain(id string, most int) bool {
	if id == "" || len(id) > most {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool {
		return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
}

// Fresh gives the calls of one answer ids that are unlike every id in its
// request: some servers give none, or the same in every answer.
type Fresh struct{ taken map[string]bool }

// NewFresh returns the ids for an answer to req.
func NewFresh(req llm.Request) *Fresh {
	f := &Fresh{taken: map[string]bool{}}
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			f.taken[c.ID] = true
		}
	}
	return f
}

// Take returns the provider's id, or one in its place.
func (f *Fresh) Take(id string) string {
	if !Plain(id, 40) || f.taken[id] {
		id = rand.Text()[:9] // nine letters and digits are the one form that every provider takes
	}
	f.taken[id] = true
	return id
}
