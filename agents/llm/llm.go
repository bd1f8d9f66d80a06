// Package llm defines the interface to language models. Each sub-package holds a
// provider or what the providers share.
//
// # Delivery
//
// A [Model] answers a [Request] with a sequence of events that ends in exactly
// one of two ways: an event of kind [Finish], or an error. Nothing follows
// either. Text, thinking and tool-call deltas come in the order in which the model
// generated them; the deltas of a tool call carry its index. When the context ends,
// the sequence ends with an error that wraps the context's error, and the
// connection to the provider is closed. [Guard] enforces these rules on any model.
//
// # Rethink
//
// The thinking of some models cannot be told from an answer before its closing
// tag, and by then part of it was delivered as text. [Rethink] corrects that: all
// text of this answer so far, every TextDelta since its beginning, was thinking.
// The reader turns those texts into thinking in place, without opaque state, and
// no longer shows them as the answer. Later events are not affected and open a new
// block. Rethink occurs at most once, after some text and before any call. A
// reader that cannot take back what it has shown may ignore it.
//
// # Concurrency
//
// Stream may be called from many goroutines at once. A sequence is consumed by
// one goroutine and does its work on that goroutine.
//
// # Not here
//
// Package agents makes retries, runs tools and decides turns.
package llm

import (
	"context"
	"encoding/json"
	"iter"
)

// A Model generates answers.
type Model interface {
	// Name returns "provider:name".
	Name() string
	// Stream answers a request; see the package comment.
	Stream(ctx context.Context, req Request) iter.Seq2[Event, error]
}

// A Request is the whole input of a model.
type Request struct {
	Speaker   Speaker // the agent that speaks; System contains it too
	Rules     Rules   // the class's teaching rules; System contains them too
	Staging   Staging // the speaker's role in the mode; System contains it too
	Lookup    *Lookup // for scripted models; nil outside a session and for other models
	System    string
	Messages  []Message
	Tools     []Tool
	Thinking  Level // how much to think before the answer; a provider uses the nearest level it has
	MaxTokens int   // of the answer with its thinking; 0 means the provider's default
}

// A Level is how much a model thinks before it answers.
type Level string

// The levels. The empty level means the provider's default.
const (
	ThinkOff    Level = "off"
	ThinkLow    Level = "low"
	ThinkMedium Level = "medium"
	ThinkHigh   Level = "high"
)

// A Speaker is the agent that a request speaks for.
type Speaker struct {
	ID, Name string
	Role     string // teacher, assistant or student
}

// Rules are the class's teaching rules.
type Rules struct {
	Aim      string
	Manner   string // explain, hints or socratic; empty means explain
	Withheld string

	HintRung, HintOf int    // where the pupil is on the ladder of hints; 0 means that there is none
	Tries            int    // of the pupil, on this ladder
	Asked            int    // messages before this one on the ladder
	HintReason       string // open, try, stuck or press
}

// A Role says who wrote a message, from the model's point of view.
type Role string

// The model itself is Self, which the providers call assistant. People and other
// agents are both User; From names them.
const (
	User       Role = "user"
	Self       Role = "assistant"
	ToolResult Role = "tool"
)

// A Message is one step of the conversation. A message of Self with calls is
// followed by one ToolResult for each call, in order.
type Message struct {
	Role    Role
	From    string          // of User: the name of the person or agent
	Peer    bool            // of User: another agent, not a person
	Text    string          // without the name of its author; see Attributed
	Model   string          // of Self: the Name of the model that generated it
	Thought []Thought       // of Self: the thinking before Text and Calls
	Calls   []Call          // of Self
	CallID  string          // of ToolResult
	IsError bool            // of ToolResult
	Details json.RawMessage // of ToolResult: the structured result, if there is one
}

// Attributed returns the text after its author's name, such as "Ms Moss: why?".
// A provider's API has only one user, so the name must be part of the text.
func (m Message) Attributed() string {
	if m.Role != User || m.From == "" || m.Text == "" {
		return m.Text
	}
	return m.From + ": " + m.Text
}

// A Thought is one block of thinking.
type Thought struct {
	Text   string
	Opaque string // state that the provider needs back with it; only for the model that generated it
}

// A Call is a complete tool call.
type Call struct {
	ID     string
	Name   string
	Args   json.RawMessage // as the model wrote it; may be invalid JSON
	Opaque string          // as of Thought
}

// A Tool is a function that a model may call. Input is a JSON schema of an object.
type Tool struct {
	Name        string
	Description string
	Input       json.RawMessage
}

// A Kind names an event.
type Kind int

// The kinds of events, each with the fields that it uses. Nothing follows Finish.
const (
	TextDelta     Kind = iota // Text
	ThinkingDelta             // Text; or Opaque, which ends the block: the next delta opens a new one
	CallDelta                 // Index, and the new parts of ID, Name, Text (argument JSON) and Opaque
	UsageReport               // Usage, the total so far
	Finish                    // Reason
	Rethink                   // none; see the package comment
)

// An Event is one step of an answer.
type Event struct {
	Kind   Kind
	Text   string
	Index  int // of CallDelta: which call of this message, from 0
	ID     string
	Name   string
	Opaque string // see Thought
	Usage  Usage
	Reason Reason
}

// Usage counts tokens.
type Usage struct{ Input, Output, CacheRead, CacheWrite, Reasoning int }

// A Reason is why a model stopped.
type Reason string

// The reasons of a Finish.
const (
	Stop    Reason = "stop"
	Length  Reason = "length"
	ToolUse Reason = "tool_use"
)
