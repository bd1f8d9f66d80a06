package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

// coalesce is the longest a delta waits for others of its block. The first
// delta of a block never waits.
const coalesce = 100 * time.Millisecond

// maxAnswer is the most bytes one message may have. A model that says more is
// stopped there, as at its own length limit.
const maxAnswer = 2 << 20

// A message gathers what a model says into blocks, and says which deltas are due.
type message struct {
	id      string
	started bool
	blocks  []*growing
	calls   map[int]int // the model's call index to the block's
	bytes   int
	usage   classroom.Usage
	reason  classroom.StopReason
}

// A growing block, and what of it the log does not have yet.
type growing struct {
	kind    string
	text    strings.Builder
	pending string
	rows    int
	last    time.Time // of its last row
	due     bool
	callID  string
	name    string
	opaque  string // what the provider wants back; it ends a block of thinking
	thought bool   // text that turned out to be thinking
}

func newMessage(id string) *message { return &message{id: id, calls: map[int]int{}} }

// take adds one event, and returns how long its delta may wait, 0 if not at all.
func (m *message) take(e llm.Event, now time.Time) time.Duration {
	switch e.Kind {
	case llm.TextDelta:
		return m.grow(m.current(classroom.BlockText), e.Text, now)
	case llm.ThinkingDelta:
		b := m.current(classroom.BlockThinking)
		b.opaque += e.Opaque
		return m.grow(b, e.Text, now)
	case llm.CallDelta:
		return m.grow(m.call(e), e.Text, now)
	case llm.Rethink:
		m.rethink()
	case llm.UsageReport:
		u := e.Usage
		m.usage = classroom.Usage{Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite, Reasoning: u.Reasoning}
	case llm.Finish:
		m.reason = classroom.StopReason(e.Reason)
	}
	return 0
}

// rethink makes thinking of the text so far. The log's updates stay as they
// were; message_end, which replaces them, has it right.
func (m *message) rethink() {
	for _, b := range m.blocks {
		if b.kind == classroom.BlockText {
			b.thought = true
		}
	}
}

// maxBlocks is how many blocks of text and thinking may alternate. A model that
// goes on like that has the rest in the last two: each block costs a row of its
// own at once.
const maxBlocks = 64

// current returns the last block when it is of that kind, or a new one.
func (m *message) current(kind string) *growing {
	for n := len(m.blocks); n > 0 && m.blocks[n-1].opaque == "" && !m.blocks[n-1].thought; n-- {
		if m.blocks[n-1].kind == kind {
			return m.blocks[n-1]
		}
		if len(m.blocks) < maxBlocks || m.blocks[n-1].kind == classroom.BlockToolCall {
			break
		}
	}
	b := &growing{kind: kind}
	m.blocks = append(m.blocks, b)
	return b
}

func (m *message) call(e llm.Event) *growing {
	at, ok := m.calls[e.Index]
	if !ok {
		at = len(m.blocks)
		m.calls[e.Index] = at
		// Providers repeat their ids and leave them out; ours are unique in the session.
		m.blocks = append(m.blocks, &growing{kind: classroom.BlockToolCall, callID: fmt.Sprintf("c%s-%d", m.id[1:], len(m.calls))})
	}
	b := m.blocks[at]
	if e.Name != "" {
		b.name = e.Name
	}
	b.opaque += e.Opaque
	return b
}

func (m *message) grow(b *growing, text string, now time.Time) time.Duration {
	if text == "" && b.kind != classroom.BlockToolCall {
		return 0
	}
	m.bytes += len(text)
	b.text.WriteString(text)
	b.pending += text
	if b.rows == 0 || now.Sub(b.last) >= coalesce {
		b.due = true
		return 0
	}
	return max(coalesce-now.Sub(b.last), time.Millisecond)
}

func (m *message) dueAll() {
	for _, b := range m.blocks {
		b.due = true
	}
}

// drain takes what the model had already said when the run was stopped.
func (m *message) drain(events <-chan heard) {
	for {
		select {
		case e, ok := <-events:
			if !ok || e.fault != nil {
				return
			}
			m.take(e.Event, time.Time{})
		default:
			return
		}
	}
}

// ready returns the updates that are due, and marks them as written.
func (m *message) ready(now time.Time) []classroom.MessageUpdate {
	var out []classroom.MessageUpdate
	for i, b := range m.blocks {
		first := b.rows == 0 && b.kind == classroom.BlockToolCall && b.name != ""
		if !b.due || b.pending == "" && !first {
			continue
		}
		u := classroom.MessageUpdate{MessageID: m.id, Block: i, Kind: b.kind, Delta: b.pending}
		if b.kind == classroom.BlockToolCall {
			u.Kind = classroom.DeltaToolArgs
			if b.rows == 0 {
				u.CallID, u.Name = b.callID, b.name
			}
		}
		b.pending, b.due, b.last = "", false, now
		b.rows++
		out = append(out, u)
	}
	return out
}

// end is the whole message, however it ended.
func (m *message) end(fault error) classroom.MessageEnd {
	out := classroom.MessageEnd{MessageID: m.id, Blocks: []classroom.Block{}, StopReason: m.reason, Usage: m.usage}
	calls := 0
	for _, b := range m.blocks {
		block := classroom.Block{Kind: b.kind, Opaque: b.opaque}
		if b.thought {
			block.Kind = classroom.BlockThinking
		}
		if b.kind == classroom.BlockToolCall {
			calls++
			block.CallID, block.Name, block.Args = b.callID, b.name, arguments(b.text.String())
		} else {
			block.Text = b.text.String()
		}
		out.Blocks = append(out.Blocks, block)
	}
	switch {
	case fault != nil && errors.Is(fault, errCancelled):
		out.StopReason = classroom.StopAborted
	case fault != nil:
		out.StopReason = classroom.StopError
	case out.StopReason == classroom.StopEnd && calls > 0:
		out.StopReason = classroom.StopToolUse
	}
	out.Blocks = slices.DeleteFunc(out.Blocks, func(b classroom.Block) bool {
		return b.Kind == classroom.BlockThinking && strings.TrimSpace(b.Text) == "" && b.Opaque == ""
	})
	if !answers(out.Blocks) && !thinks(out.Blocks) {
		out.Blocks = []classroom.Block{}
	}
	return out
}

// answers reports whether the blocks hold anything that answers. Thinking does not.
func answers(blocks []classroom.Block) bool {
	return slices.ContainsFunc(blocks, func(b classroom.Block) bool {
		return b.Kind == classroom.BlockToolCall || b.Kind == classroom.BlockText && strings.TrimSpace(b.Text) != ""
	})
}

// textOf is the text of blocks, without their thinking and calls.
func textOf(blocks []classroom.Block) string {
	text := ""
	for _, b := range blocks {
		if b.Kind == classroom.BlockText {
			text += b.Text
		}
	}
	return text
}

func thinks(blocks []classroom.Block) bool {
	return slices.ContainsFunc(blocks, func(b classroom.Block) bool { return b.Kind == classroom.BlockThinking })
}

// arguments keeps what a model wrote as a call's arguments: JSON as it is,
// anything else as a JSON string, so that nothing is lost and nothing is run.
func arguments(text string) json.RawMessage {
	if strings.TrimSpace(text) == "" {
		return json.RawMessage("{}")
	}
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(text)
	return quoted
}
