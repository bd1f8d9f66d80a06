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
type callAssembler struct {
	list     []*partialCall // in the order they began
	released int            // how many the reader knows
	ids      *wire.IDAllocator
	tools    []llm.Tool
}

type partialCall struct {
	number     int    // the provider's, -1 where it gave none
	providerID string // the provider's id
	id         string
	name       string
	args       wire.JSONTextDecoder
	argsText   strings.Builder
	opaque     string
	index      int // the number the reader knows it by, -1 before
}

// A fragment is what one delta says of one call.
type fragment struct {
	number int // -1 where there is none
	id     string
	name   string
	args   string // raw JSON: a string, or an object from servers that skip the string
	opaque string // what the provider wants back with the call
}

func newCallAssembler(req llm.Request) *callAssembler {
	return &callAssembler{ids: wire.NewIDAllocator(req), tools: req.Tools}
}

// add takes a fragment and returns the events it makes.
func (c *callAssembler) add(f fragment) []llm.Event {
	x := c.find(f)
	if x == nil {
		x = c.start(f)
	}
	if x.providerID == "" {
		x.providerID = f.id
	}
	if x.name == "" || c.nameMayGrow(x) {
		x.name = c.extendName(x.name, f.name)
	}
	text := x.args.Decode(f.args)
	if strings.HasPrefix(f.args, "{") {
		text = f.args
	}
	x.argsText.WriteString(text)
	if x.index < 0 {
		x.opaque = cmp.Or(x.opaque, f.opaque)
		return c.release(false)
	}
	if text == "" && f.opaque == "" {
		return nil
	}
	return []llm.Event{{Kind: llm.CallDelta, Index: x.index, Text: text, Opaque: f.opaque}}
}

// find returns the call that f goes on with, or nil if f begins one.
func (c *callAssembler) find(f fragment) *partialCall {
	for _, x := range slices.Backward(c.list) {
		switch {
		case f.number >= 0 && x.number >= 0 && f.number != x.number: // whatever the ids say
		case f.id != "" && x.providerID != "":
			if f.id == x.providerID {
				return x
			}
		case f.number >= 0 && x.number != f.number:
		case f.number >= 0 && c.nameMayGrow(x):
			return x
		case f.id == "" && f.name != "" && x.name != "" && (f.name != x.name || x.argsComplete()):
			return nil // the same number, or none, but another call
		case f.number < 0 && f.id != "" && x.argsText.Len() > 0:
			return nil
		default:
			return x
		}
	}
	return nil
}

// unsettled reports whether more of x's name may come: some servers cut it up
// as they do the arguments. The name of a tool that begins no other's is whole.
func (c *callAssembler) nameMayGrow(x *partialCall) bool {
	if x.index >= 0 || x.argsText.Len() > 0 {
		return false
	}
	is, begins := c.matchTool(x.name)
	return !is || begins
}

// tool reports whether a tool has that name, and whether a longer name begins so.
func (c *callAssembler) matchTool(name string) (is, begins bool) {
	for _, t := range c.tools {
		is = is || t.Name == name
		begins = begins || t.Name != name && strings.HasPrefix(t.Name, name)
	}
	return is, begins
}

// grown is a name with what a fragment says of it: the next part of it, or all of it again.
func (c *callAssembler) extendName(name, more string) string {
	if is, begins := c.matchTool(name + more); !is && !begins && strings.HasPrefix(more, name) {
		return more
	}
	return name + more
}

func (c *callAssembler) start(f fragment) *partialCall {
	x := &partialCall{number: f.number, id: c.ids.Allocate(f.id), index: -1}
	c.list = append(c.list, x)
	return x
}

// release makes known the calls whose turn has come: those with a whole name and
// all lower numbers before them. At the end of the answer it is every call's turn.
func (c *callAssembler) release(end bool) []llm.Event {
	var out []llm.Event
	for {
		x := c.nextReady(end)
		if x == nil {
			return out
		}
		x.index = c.released
		c.released++
		out = append(out, llm.Event{Kind: llm.CallDelta, Index: x.index, ID: x.id, Name: x.name, Text: x.argsText.String(), Opaque: x.opaque})
	}
}

func (c *callAssembler) nextReady(end bool) *partialCall {
	var first *partialCall
	for _, x := range c.list {
		if x.index < 0 && (first == nil || x.number < first.number) {
			first = x
		}
	}
	if first == nil || !end && (first.name == "" || first.number > c.released || c.nameMayGrow(first)) {
		return nil
	}
	return first
}

// complete reports whether the arguments are whole; a tool without parameters may get none.
func (x *partialCall) argsComplete() bool {
	return x.argsText.Len() > 0 && json.Valid([]byte(x.argsText.String()))
}

func (c *callAssembler) allComplete() bool {
	for _, x := range c.list {
		if x.name == "" || x.argsText.Len() > 0 && !x.argsComplete() {
			return false
		}
	}
	return len(c.list) > 0
}

// fill gives an empty object to the calls that no argument was written for.
func (c *callAssembler) fillEmptyArgs() []llm.Event {
	var out []llm.Event
	for _, x := range c.list {
		if strings.TrimSpace(x.argsText.String()) == "" {
			out = append(out, llm.Event{Kind: llm.CallDelta, Index: x.index, Text: "{}"})
		}
	}
	return out
}
