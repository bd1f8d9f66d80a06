package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// calls puts an answer's tool calls together from fragments, whatever the
// provider leaves out or repeats: numbers, ids, names.
type calls struct {
	list  []*call // in the order they began
	out   int     // how many the reader knows
	ids   *wire.Fresh
	tools []llm.Tool
}

type call struct {
	number  int    // the provider's, -1 where it gave none
	theirs  string // the provider's id
	id      string
	name    string
	args    wire.Letters
	written strings.Builder
	opaque  string
	at      int // the number the reader knows it by, -1 before
}

// A fragment is what one delta says of one call.
type fragment struct {
	number int // -1 where there is none
	id     string
	name   string
	args   string // raw JSON: a string, or an object from servers that skip the string
	opaque string // what the provider wants back with the call
}

func newCalls(req llm.Request) *calls { return &calls{ids: wire.NewFresh(req), tools: req.Tools} }

// add takes a fragment and returns the events it makes.
func (c *calls) add(f fragment) []llm.Event {
	x := c.find(f)
	if x == nil {
		x = c.begin(f)
	}
	if x.theirs == "" {
		x.theirs = f.id
	}
	if x.name == "" || c.unsettled(x) {
		x.name = c.grown(x.name, f.name)
	}
	text := x.args.Read(f.args)
	if strings.HasPrefix(f.args, "{") {
		text = f.args
	}
	x.written.WriteString(text)
	if x.at < 0 {
		x.opaque = cmp.Or(x.opaque, f.opaque)
		return c.release(false)
	}
	if text == "" && f.opaque == "" {
		return nil
	}
	return []llm.Event{{Kind: llm.CallDelta, Index: x.at, Text: text, Opaque: f.opaque}}
}

// find returns the call that f goes on with, or nil if f begins one.
func (c *calls) find(f fragment) *call {
	for _, x := range slices.Backward(c.list) {
		switch {
		case f.number >= 0 && x.number >= 0 && f.number != x.number: // whatever the ids say
		case f.id != "" && x.theirs != "":
			if f.id == x.theirs {
				return x
			}
		case f.number >= 0 && x.number != f.number:
		case f.number >= 0 && c.unsettled(x):
			return x
		case f.id == "" && f.name != "" && x.name != "" && (f.name != x.name || x.complete()):
			return nil // the same number, or none, but another call
		case f.number < 0 && f.id != "" && x.written.Len() > 0:
			return nil
		default:
			return x
		}
	}
	return nil
}

// unsettled reports whether more of x's name may come: some servers cut it up
// as they do the arguments. The name of a tool that begins no other's is whole.
func (c *calls) unsettled(x *call) bool {
	if x.at >= 0 || x.written.Len() > 0 {
		return false
	}
	is, begins := c.tool(x.name)
	return !is || begins
}

// tool reports whether a tool has that name, and whether a longer name begins so.
func (c *calls) tool(name string) (is, begins bool) {
	for _, t := range c.tools {
		is = is || t.Name == name
		begins = begins || t.Name != name && strings.HasPrefix(t.Name, name)
	}
	return is, begins
}

// grown is a name with what a fragment says of it: the next part of it, or all of it again.
func (c *calls) grown(name, more string) string {
	if is, begins := c.tool(name + more); !is && !begins && strings.HasPrefix(more, name) {
		return more
	}
	return name + more
}

func (c *calls) begin(f fragment) *call {
	x := &call{number: f.number, id: c.ids.Take(f.id), at: -1}
	c.list = append(c.list, x)
	return x
}

// release makes known the calls whose turn has come: those with a whole name and
// all lower numbers before them. At the end of the answer it is every call's turn.
func (c *calls) release(end bool) []llm.Event {
	var out []llm.Event
	for {
		x := c.next(end)
		if x == nil {
			return out
		}
		x.at = c.out
		c.out++
		out = append(out, llm.Event{Kind: llm.CallDelta, Index: x.at, ID: x.id, Name: x.name, Text: x.written.String(), Opaque: x.opaque})
	}
}

func (c *calls) next(end bool) *call {
	var first *call
	for _, x := range c.list {
		if x.at < 0 && (first == nil || x.number < first.number) {
			first = x
		}
	}
	if first == nil || !end && (first.name == "" || first.number > c.out || c.unsettled(first)) {
		return nil
	}
	return first
}

// complete reports whether the arguments are whole; a tool without parameters may get none.
func (x *call) complete() bool {
	return x.written.Len() > 0 && json.Valid([]byte(x.written.String()))
}

func (c *calls) whole() bool {
	for _, x := range c.list {
		if x.name == "" || x.written.Len() > 0 && !x.complete() {
			return false
		}
	}
	return len(c.list) > 0
}

// fill gives an empty object to the calls that no argument was written for.
func (c *calls) fill() []llm.Event {
	var out []llm.Event
	for _, x := range c.list {
		if strings.TrimSpace(x.written.String()) == "" {
			out = append(out, llm.Event{Kind: llm.CallDelta, Index: x.at, Text: "{}"})
		}
	}
	return out
}
