package classroom

import "encoding/json"

// A Voice says who speaks a [Line], as one agent sees it.
type Voice string

// The human, the agent itself, another agent, the result of the agent's own
// tool call, and the summary of what was left out.
const (
	VoiceHuman  Voice = "human"
	VoiceSelf   Voice = "self"
	VoicePeer   Voice = "peer"
	VoiceResult Voice = "result"
	VoiceNote   Voice = "note"
)

// A Line is one step of the transcript that an agent is given.
type Line struct {
	Voice    Voice
	Name     string // of the human or the peer
	Role     Role   // of the peer
	Text     string
	Model    string          // of VoiceSelf: the model that said it
	Thoughts []Block         // of VoiceSelf: its thinking
	Calls    []Block         // of VoiceSelf: the tool calls it made, each answered by a VoiceResult line that follows
	CallID   string          // of VoiceResult
	IsError  bool            // of VoiceResult
	Details  json.RawMessage // of VoiceResult: the structured result, where there is one
	CutOff   bool            // of VoiceSelf and VoicePeer: stopped before its end
	Exchange int
}

// noResult stands in for a result that no log holds.
const noResult = "No result: this call did not finish."

// Transcript returns what the agent of that id is to see of the session: the
// questions and steers of people, its own messages with their tool calls and
// results, and what its peers said. It is well formed: each call is followed
// by exactly one result, in the order of the calls, and no result stands
// alone. Messages that wait or were dropped and messages of distress are not in
// it, nor are superseded messages and other agents' tool calls. After a compaction its
// summary stands for what came before the first kept cursor; a question that
// is still being answered is always there. An unanswered question stays for ten more
// exchanges, so that a question asked again after a failure keeps its context. Then it
// is left out, so that no model answers an old question.
func (f *Fold) Transcript(agent string) []Line {
	var out []Line
	first := Cursor(0)
	if f.compact != nil {
		first = f.compact.FirstKept
		out = append(out, Line{Voice: VoiceNote, Text: f.compact.Summary})
	}
	for _, c := range f.Cards {
		if c.State == CardAsked || c.Exchange < len(f.Cards)-recentCards && c.unanswered() {
			continue
		}
		kept := c.from(first)
		if len(kept) == 0 && c.Question.Cursor < first && c.Exchange < len(f.Cards) {
			continue
		}
		if !c.Distressed() {
			q := c.Question
			out = append(out, Line{Voice: VoiceHuman, Name: q.Author.Name, Text: q.Text, Exchange: c.Exchange})
		}
		for _, w := range kept {
			from := len(out)
			out = w.lines(out, w.Agent.ID == agent)
			for i := from; i < len(out); i++ {
				out[i].Exchange = c.Exchange
			}
		}
	}
	return out
}

const recentCards = 10

// unanswered reports whether no agent answered in the exchange and no person interjected.
func (c *Card) unanswered() bool {
	for _, w := range c.Windows {
		for _, x := range w.Entries {
			if x.Steer != nil || x.Message != nil && !x.Message.Superseded && len(x.Message.Blocks) > 0 {
				return false
			}
		}
	}
	return true
}

// from returns the windows that began at or after a cursor.
func (c *Card) from(first Cursor) []*Window {
	for i, w := range c.Windows {
		if w.Cursor >= first {
			return c.Windows[i:]
		}
	}
	return nil
}

func (w *Window) lines(out []Line, own bool) []Line {
	for _, x := range w.Entries {
		switch {
		case x.Steer != nil:
			out = append(out, Line{Voice: VoiceHuman, Name: x.Steer.Author.Name, Text: x.Steer.Text})
		case x.Message == nil || x.Message.Superseded || x.Message.Open:
		case own:
			out = w.ownLines(out, x.Message)
		case x.Message.Text() != "":
			out = append(out, Line{Voice: VoicePeer, Name: w.Agent.Name, Role: w.Agent.Role, Text: x.Message.Text(),
				CutOff: x.Message.cutOff()})
		}
	}
	return out
}

func (m *Message) cutOff() bool {
	return m.StopReason == StopAborted || m.StopReason == StopError || m.StopReason == StopLength
}

func (w *Window) ownLines(out []Line, m *Message) []Line {
	line := Line{Voice: VoiceSelf, Name: w.Agent.Name, Role: w.Agent.Role, Text: m.Text(), Model: w.Model,
		CutOff: m.cutOff()}
	var results []Line
	for _, p := range m.Blocks {
		if p.Kind == BlockThinking {
			line.Thoughts = append(line.Thoughts, Block{Kind: p.Kind, Text: p.Text, Opaque: p.Opaque})
		}
		if p.Kind != BlockToolCall || p.CallID == "" {
			continue
		}
		line.Calls = append(line.Calls, Block{Kind: BlockToolCall, CallID: p.CallID, Name: p.Name, Args: object(p.Text),
			Opaque: p.Opaque})
		results = append(results, w.result(p.CallID))
	}
	if line.Text == "" && len(line.Calls) == 0 {
		return out
	}
	return append(append(out, line), results...)
}

func (w *Window) result(callID string) Line {
	for _, x := range w.Entries {
		if x.Call != nil && x.Call.ID == callID && x.Call.Done {
			return Line{Voice: VoiceResult, CallID: callID, Text: x.Call.Content, IsError: x.Call.IsError,
				Details: x.Call.Details}
		}
	}
	return Line{Voice: VoiceResult, CallID: callID, Text: noResult, IsError: true}
}

// object returns args where they are a JSON object, and an empty object where
// they are not: a strict provider refuses a history with broken arguments, and
// the call's result already says what was wrong.
func object(args string) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal([]byte(args), &o) != nil || o == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(args)
}
