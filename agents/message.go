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

// coalesce is the longest time that a delta waits for others of its block. The
// first delta of a block never waits.
const coalesce = 100 * time.Millisecond

// maxAnswer is how many bytes one message may have. A model that writes more is
// stopped there, as at its own length limit.
const maxAnswer = 2 << 20

// A message collects a model's deltas into blocks, and decides when each is written.
type message struct {
	id      string
	started bool
	blocks  []*block
	calls   map[int]int // from the model's call index to the block's index
	bytes   int
	usage   classroom.Usage
	reason  classroom.StopReason
}

// A block is a part of the message: text, thinking or a tool call.
type block struct {
	kind       string
	text       strings.Builder
	pending    string    // what the log does not have yet
	due        bool      // pending is to be written now
	updates    int       // message_updates written
	lastUpdate time.Time // when the last one was written
	callID     string
	name       string
	opaque     string // provider state that is returned to the provider; it ends a block of thinking
	isThinking bool   // text that the model later declared to be thinking
}

func newMessage(id string) *message { return &message{id: id, calls: map[int]int{}} }

// add adds one event, and returns how long its delta may wait; 0 means not at all.
func (m *message) add(e llm.Event, now time.Time) time.Duration {
	switch e.Kind {
	case llm.TextDelta:
		return m.appendText(m.blockFor(classroom.BlockText), e.Text, now)
	case llm.ThinkingDelta:
		b := m.blockFor(classroom.BlockThinking)
		b.opaque += e.Opaque
		return m.appendText(b, e.Text, now)
	case llm.CallDelta:
		return m.appendText(m.callBlock(e), e.Text, now)
	case llm.Rethink:
		m.markTextAsThinking()
	case llm.UsageReport:
		u := e.Usage
		m.usage = classroom.Usage(u)
	case llm.Finish:
		m.reason = classroom.StopReason(e.Reason)
	}
	return 0
}

// markTextAsThinking makes thinking of the text so far. The updates in the log
// still call it text; message_end, which replaces them, is right.
func (m *message) markTextAsThinking() {
	for _, b := range m.blocks {
		if b.kind == classroom.BlockText {
			b.isThinking = true
		}
	}
}

// maxBlocks is how many blocks of text and thinking may alternate. After that the
// rest goes into the last two, since the first delta of each block is written by
// itself.
const maxBlocks = 64

// blockFor returns the last block where it is of that kind, or a new one.
func (m *message) blockFor(kind string) *block {
	for n := len(m.blocks); n > 0 && m.blocks[n-1].opaque == "" && !m.blocks[n-1].isThinking; n-- {
		if m.blocks[n-1].kind == kind {
			return m.blocks[n-1]
		}
		if len(m.blocks) < maxBlocks || m.blocks[n-1].kind == classroom.BlockToolCall {
			break
		}
	}
	b := &block{kind: kind}
	m.blocks = append(m.blocks, b)
	return b
}

func (m *message) callBlock(e llm.Event) *block {
	at, ok := m.calls[e.Index]
	if !ok {
		at = len(m.blocks)
		m.calls[e.Index] = at
		// Providers repeat or omit their ids; ours are unique in the session.
		id := fmt.Sprintf("c%s-%d", m.id[1:], len(m.calls))
		m.blocks = append(m.blocks, &block{kind: classroom.BlockToolCall, callID: id})
	}
	b := m.blocks[at]
	if e.Name != "" {
		b.name = e.Name
	}
	b.opaque += e.Opaque
	return b
}

func (m *message) appendText(b *block, text string, now time.Time) time.Duration {
	if text == "" && b.kind != classroom.BlockToolCall {
		return 0
	}
	m.bytes += len(text)
	b.text.WriteString(text)
	b.pending += text
	if b.updates == 0 || now.Sub(b.lastUpdate) >= coalesce {
		b.due = true
		return 0
	}
	return max(coalesce-now.Sub(b.lastUpdate), time.Millisecond)
}

func (m *message) markAllDue() {
	for _, b := range m.blocks {
		b.due = true
	}
}

// drain adds what the model had already sent when the run was stopped.
func (m *message) drain(events <-chan modelEvent) {
	for {
		select {
		case e, ok := <-events:
			if !ok || e.fault != nil {
				return
			}
			m.add(e.Event, time.Time{})
		default:
			return
		}
	}
}

// dueUpdates returns the updates that are due, and marks them as written.
func (m *message) dueUpdates(now time.Time) []classroom.MessageUpdate {
	var updates []classroom.MessageUpdate
	for i, b := range m.blocks {
		first := b.updates == 0 && b.kind == classroom.BlockToolCall && b.name != ""
		if !b.due || b.pending == "" && !first {
			continue
		}
		u := classroom.MessageUpdate{MessageID: m.id, Block: i, Kind: b.kind, Delta: b.pending}
		if b.kind == classroom.BlockToolCall {
			u.Kind = classroom.DeltaToolArgs
			if b.updates == 0 {
				u.CallID, u.Name = b.callID, b.name
			}
		}
		b.pending, b.due, b.lastUpdate = "", false, now
		b.updates++
		updates = append(updates, u)
	}
	return updates
}

// end returns the whole message. fault is the error that ended it, or nil.
func (m *message) end(fault error) classroom.MessageEnd {
	out := classroom.MessageEnd{MessageID: m.id, Blocks: []classroom.Block{}, StopReason: m.reason, Usage: m.usage}
	calls := 0
	for _, b := range m.blocks {
		block := classroom.Block{Kind: b.kind, Opaque: b.opaque}
		if b.isThinking {
			block.Kind = classroom.BlockThinking
		}
		if b.kind == classroom.BlockToolCall {
			calls++
			block.CallID, block.Name, block.Args = b.callID, b.name, jsonArguments(b.text.String())
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
	if !hasAnswer(out.Blocks) && !hasThinking(out.Blocks) {
		out.Blocks = []classroom.Block{}
	}
	return out
}

// hasAnswer reports whether the blocks hold a tool call or text. Thinking is no answer.
func hasAnswer(blocks []classroom.Block) bool {
	return slices.ContainsFunc(blocks, func(b classroom.Block) bool {
		return b.Kind == classroom.BlockToolCall || b.Kind == classroom.BlockText && strings.TrimSpace(b.Text) != ""
	})
}

// textOf returns the text of blocks, without their thinking and calls.
func textOf(blocks []classroom.Block) string {
	text := ""
	for _, b := range blocks {
		if b.Kind == classroom.BlockText {
			text += b.Text
		}
	}
	return text
}

func hasThinking(blocks []classroom.Block) bool {
	return slices.ContainsFunc(blocks, func(b classroom.Block) bool { return b.Kind == classroom.BlockThinking })
}

// jsonArguments returns what a model wrote as a call's arguments: JSON unchanged,
// anything else as a JSON string. So the log keeps it, and no tool accepts it.
func jsonArguments(text string) json.RawMessage {
	if strings.TrimSpace(text) == "" {
		return json.RawMessage("{}")
	}
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(text)
	return quoted
}
