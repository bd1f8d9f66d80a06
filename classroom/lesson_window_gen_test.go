package classroom

import (
	"encoding/json"
	"fmt"

	"pgregory.net/rapid"
)

// How a message of the model may come out.
const (
	saysText = iota
	isCutShort
	callsTools
	isCutInCall
	isRetried
	isStopped
	failsForGood
	crashes
)

// window gives one agent the floor. It returns how the run ends where the
// window ends it, and whether another attempt goes on.
func (l *lesson) window() (end *RunEnd, more bool) {
	a := l.named(l.agent)
	l.add(l.said(AgentStart{Name: a.Name, Role: a.Role}))
	var all AgentEnd
	for turn := 1; ; turn++ {
		l.openTurn(turn)
		kind := rapid.IntRange(saysText, crashes).Draw(l.t, "message")
		if turn > 3 {
			kind = saysText
		}
		for tries := 0; kind == isRetried; tries++ {
			m := l.message(kind)
			l.add(l.said(Retry{MessageID: m.MessageID, Attempt: tries + 1, Max: 3, WaitMS: 2000,
				Reason: "The model is busy."}))
			kind = rapid.SampledFrom([]int{saysText, callsTools, isRetried, isStopped}[:min(4, 5-tries)]).Draw(l.t,
				"again")
		}
		m := l.message(kind)
		results := l.tools(m, kind)
		t := TurnEnd{Turn: turn, StopReason: m.StopReason, Usage: m.Usage, Message: &m, Results: results}
		for _, r := range results {
			t.ToolResults = append(t.ToolResults, r.CallID)
		}
		all.Turns, all.StopReason, all.ToolCalls = turn, m.StopReason, all.ToolCalls+len(results)
		all.Usage, all.Messages = all.Usage.Plus(m.Usage), append(all.Messages, m)
		l.add(l.said(t))
		if kind == callsTools || kind == isCutInCall || kind <= isCutShort && len(l.steer) > 0 {
			continue
		}
		l.add(l.said(all))
		l.barrier = false
		return l.outcome(kind)
	}
}

func (l *lesson) outcome(kind int) (end *RunEnd, more bool) {
	switch kind {
	case isStopped:
		return &RunEnd{Status: Cancelled}, false
	case failsForGood:
		return &RunEnd{Status: Failed, Code: "upstream", Message: "The model is busy. Try again."}, false
	case crashes:
		agent := l.agent
		l.agent = ""
		l.add(l.draft(RunInterrupt{Reason: "crash"}))
		l.attempt++
		l.add(l.draft(RunResume{Reason: "restart"}))
		l.agent = agent
		return nil, l.attempt < 5
	}
	return nil, false
}

func (l *lesson) named(id string) Agent {
	for _, a := range l.roster {
		if a.ID == id {
			return a
		}
	}
	return Agent{}
}

func (l *lesson) openTurn(turn int) {
	drafts := []Draft{l.said(TurnStart{Turn: turn})}
	if len(l.steer) > 0 {
		taken := l.steer[0].Cursor
		l.steer = l.steer[1:]
		u := l.queue("")
		u.Delivered = []Cursor{taken}
		drafts = append(drafts, l.said(u))
	}
	l.add(drafts...)
}

// message lets the agent say something, delta by delta.
func (l *lesson) message(kind int) MessageEnd {
	l.messages++
	m := MessageEnd{MessageID: fmt.Sprint("m", l.messages), Usage: Usage{Input: 10, Output: l.messages},
		StopReason: map[int]StopReason{
			saysText: StopEnd, isCutShort: StopLength, callsTools: StopToolUse, isCutInCall: StopLength,
			isRetried: StopError,
			isStopped: StopAborted, failsForGood: StopError, crashes: StopAborted,
		}[kind]}
	l.add(l.said(MessageStart{MessageID: m.MessageID}))
	if l.chance(30, "think") {
		m.Blocks = append(m.Blocks, l.grow(m, BlockThinking))
	}
	if kind != callsTools || l.chance(40, "talk first") {
		m.Blocks = append(m.Blocks, l.grow(m, BlockText))
	}
	calls := 0
	switch kind {
	case callsTools:
		calls = rapid.IntRange(1, 3).Draw(l.t, "calls")
	case isCutInCall:
		calls = 1
	case crashes, isStopped:
		calls = rapid.IntRange(0, 1).Draw(l.t, "calls")
	}
	for range calls {
		m.Blocks = append(m.Blocks, l.growCall(m))
	}
	ending := []Draft{l.said(m)}
	if kind == isCutInCall {
		ending = append(ending, l.said(l.dropAll()))
	}
	l.add(ending...)
	return m
}

func (l *lesson) dropAll() QueueUpdate {
	u := QueueUpdate{Reason: "barrier"}
	for _, w := range append(append([]Queued{}, l.steer...), l.followUp...) {
		u.Dropped = append(u.Dropped, w.Cursor)
		l.gone[w.Cursor] = true
	}
	l.steer, l.followUp, l.barrier = nil, nil, true
	return u
}

func (l *lesson) grow(m MessageEnd, kind string) Block {
	b := Block{Kind: kind}
	for range rapid.IntRange(1, 4).Draw(l.t, "deltas") {
		delta := l.word()
		b.Text += delta
		l.add(l.said(MessageUpdate{MessageID: m.MessageID, Block: len(m.Blocks), Kind: kind, Delta: delta}))
		l.aside()
	}
	return b
}

func (l *lesson) growCall(m MessageEnd) Block {
	l.calls++
	b := Block{Kind: BlockToolCall, CallID: fmt.Sprint("c", l.calls), Name: "search_materials",
		Args: json.RawMessage(`{"query":"light"}`)}
	if l.chance(10, "broken arguments") {
		b.Args = json.RawMessage(`"{\"query\": \"li"`)
	}
	l.add(l.said(MessageUpdate{MessageID: m.MessageID, Block: len(m.Blocks), Kind: DeltaToolArgs, Delta: `{"query":`,
		CallID: b.CallID, Name: b.Name}))
	l.add(l.said(MessageUpdate{MessageID: m.MessageID, Block: len(m.Blocks), Kind: DeltaToolArgs, Delta: `"light"}`}))
	return b
}

// tools gives each call of m its result, in the order of the calls.
func (l *lesson) tools(m MessageEnd, kind int) []ToolExecutionEnd {
	var results []ToolExecutionEnd
	for _, b := range m.Blocks {
		if b.Kind != BlockToolCall {
			continue
		}
		l.add(l.said(ToolExecutionStart{CallID: b.CallID, Name: b.Name, Args: b.Args}))
		l.aside()
		if kind == callsTools && l.chance(40, "progress") {
			l.add(l.said(ToolExecutionUpdate{CallID: b.CallID, Progress: "Looking at page 3", Args: b.Args}))
		}
		r := ToolExecutionEnd{CallID: b.CallID, Name: b.Name, IsError: kind != callsTools,
			Content: []Content{{BlockText, "Result of " + b.CallID}}, DurationMS: 12}
		if kind == callsTools {
			r.Details = json.RawMessage(`{"query":"light","passages":[]}`)
		}
		l.add(l.said(r))
		results = append(results, r)
	}
	return results
}
