package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// A callAssembler assembles an answer's tool calls from fragments. Providers omit
// or repeat numbers, ids and names.
type callAssembler struct {
	list     []*partialCall // in the order in which they began
	released int            // how many were emitted
	ids      *wire.IDAllocator
	tools    []llm.Tool
}

type partialCall struct {
	number     int    // as the provider sent it, -1 if it sent none
	providerID string // as the provider sent it
	id         string // as emitted
	name       string
	args       wire.JSONTextDecoder
	argsText   strings.Builder
	opaque     string
	index      int // as emitted, -1 before
}

// A fragment is the part of a call in one delta.
type fragment struct {
	number int // -1 if there is none
	id     string
	name   string
	args   string // raw JSON: a string, or an object from some servers
	opaque string // state that the provider needs back with the call
}

func newCallAssembler(req llm.Request) *callAssembler {
	return &callAssembler{ids: wire.NewIDAllocator(req), tools: req.Tools}
}

// add adds a fragment and returns the resulting events.
func (c *callAssembler) add(f fragment) []llm.Event {
	call := c.find(f)
	if call == nil {
		call = c.start(f)
	}
	if call.providerID == "" {
		call.providerID = f.id
	}
	if call.name == "" || c.nameMayGrow(call) {
		call.name = c.extendName(call.name, f.name)
	}
	text := call.args.Decode(f.args)
	if strings.HasPrefix(f.args, "{") {
		text = f.args
	}
	call.argsText.WriteString(text)
	if call.index < 0 {
		call.opaque = cmp.Or(call.opaque, f.opaque)
		return c.release(false)
	}
	if text == "" && f.opaque == "" {
		return nil
	}
	return []llm.Event{{Kind: llm.CallDelta, Index: call.index, Text: text, Opaque: f.opaque}}
}

// find returns the call that f continues, or nil if f begins a new one.
func (c *callAssembler) find(f fragment) *partialCall {
	for _, call := range slices.Backward(c.list) {
		switch {
		case f.number >= 0 && call.number >= 0 && f.number != call.number: // different calls, even if the ids are equal
		case f.id != "" && call.providerID != "":
			if f.id == call.providerID {
				return call
			}
		case f.number >= 0 && call.number != f.number:
		case f.number >= 0 && c.nameMayGrow(call):
			return call
		case f.id == "" && f.name != "" && call.name != "" && (f.name != call.name || call.argsComplete()):
			return nil // a new call with the same number or none
		case f.number < 0 && f.id != "" && call.argsText.Len() > 0:
			return nil
		default:
			return call
		}
	}
	return nil
}

// nameMayGrow reports whether more of the name may follow: some servers split names
// as they split arguments. A tool's name that is no prefix of another is complete.
func (c *callAssembler) nameMayGrow(call *partialCall) bool {
	if call.index >= 0 || call.argsText.Len() > 0 {
		return false
	}
	is, begins := c.matchTool(call.name)
	return !is || begins
}

// matchTool reports whether a tool has that name and whether it is a prefix of a
// longer name.
func (c *callAssembler) matchTool(name string) (is, begins bool) {
	for _, t := range c.tools {
		is = is || t.Name == name
		begins = begins || t.Name != name && strings.HasPrefix(t.Name, name)
	}
	return is, begins
}

// extendName returns a name after a fragment, which contains the next part of the
// name or repeats all of it.
func (c *callAssembler) extendName(name, more string) string {
	if is, begins := c.matchTool(name + more); !is && !begins && strings.HasPrefix(more, name) {
		return more
	}
	return name + more
}

func (c *callAssembler) start(f fragment) *partialCall {
	call := &partialCall{number: f.number, id: c.ids.Allocate(f.id), index: -1}
	c.list = append(c.list, call)
	return call
}

// release returns the first events of the calls that are ready: those with a
// complete name and all lower numbers before them. At the end of the answer all
// calls are ready.
func (c *callAssembler) release(end bool) []llm.Event {
	var out []llm.Event
	for {
		call := c.nextReady(end)
		if call == nil {
			return out
		}
		call.index = c.released
		c.released++
		out = append(out, llm.Event{
			Kind: llm.CallDelta, Index: call.index, ID: call.id, Name: call.name,
			Text: call.argsText.String(), Opaque: call.opaque,
		})
	}
}

func (c *callAssembler) nextReady(end bool) *partialCall {
	var first *partialCall
	for _, call := range c.list {
		if call.index < 0 && (first == nil || call.number < first.number) {
			first = call
		}
	}
	if first == nil || !end && (first.name == "" || first.number > c.released || c.nameMayGrow(first)) {
		return nil
	}
	return first
}

// argsComplete reports whether the arguments are complete JSON.
func (p *partialCall) argsComplete() bool {
	return p.argsText.Len() > 0 && json.Valid([]byte(p.argsText.String()))
}

func (c *callAssembler) allComplete() bool {
	for _, call := range c.list {
		if call.name == "" || call.argsText.Len() > 0 && !call.argsComplete() {
			return false
		}
	}
	return len(c.list) > 0
}

// fillEmptyArgs returns events that give an empty object to the calls without
// arguments.
func (c *callAssembler) fillEmptyArgs() []llm.Event {
	var out []llm.Event
	for _, call := range c.list {
		if strings.TrimSpace(call.argsText.String()) == "" {
			out = append(out, llm.Event{Kind: llm.CallDelta, Index: call.index, Text: "{}"})
		}
	}
	return out
}
