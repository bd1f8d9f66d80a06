// Package llm is the door to models: one interface, a provider in each
// sub-package.
//
// # Delivery
//
// A [Model] answers a [Request] with a sequence of events that ends in exactly
// one of two ways: an event of kind [Finish], or an error. Nothing follows
// either. Text, thinking and tool-call deltas come in the order the model made
// them; a tool call's deltas carry its index. The sequence ends with an error
// that wraps the context's when the context ends, and the connection to the
// provider is closed then. [Guard] holds any model to this.
//
// # Second thoughts
//
// Some models' thinking looks like an answer until the sign comes that ends it,
// and part of it was delivered as text by then. [Rethink] says so: all text of
// this answer so far, every TextDelta since its beginning, was thinking. The
// reader counts those texts as thinking, where they stand, and shows them no
// longer as the answer; they have no seal. What comes after Rethink is not
// touched by it, and opens a new block. It comes once at the most, after some
// text and before any call. A reader that cannot take back what it has shown may
// ignore it.
//
// # Concurrency
//
// A Model may be asked from many goroutines at once. A sequence is consumed by
// one goroutine and does its work on it.
//
// # Not here
//
// Retries, tools and turns belong to package agents.
package llm

import (
	"context"
	"encoding/json"
	"iter"
)

// A Model answers requests.
type Model interface {
	// Name says which model this is, as "provider:name".
	Name() string
	Stream(ctx context.Context, req Request) iter.Seq2[Event, error]
}

// A Request is everything a model is given.
type Request struct {
	Speaker   Speaker // who speaks; a provider may ignore it, System says it too
	Rules     Rules   // the class's teaching rules; System says them too
	Staging   Staging // the speaker's part; System says it too
	System    string
	Messages  []Message
	Tools     []Tool
	Thinking  Level // how much to think before the answer; a provider takes the nearest it knows
	MaxTokens int   // of the answer, thinking included; 0 leaves it to the provider
}

// A Level says how much a model thinks before it answers.
type Level string

// The levels; the empty one leaves it to the provider.
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
}

// A Role says who a message is from, as the model sees it.
type Role string

// The model itself is the assistant; peers and people are users, told apart by From.
const (
	User       Role = "user"
	Self       Role = "assistant"
	ToolResult Role = "tool"
)

// A Message is one step of the conversation. A message of Self with calls is
// followed by one ToolResult for each call, in order.
type Message struct {
	Role    Role
	From    string          // of User: the name of the person or peer
	Peer    bool            // of User: another agent, not a person
	Text    string          // as it was said; see Attributed
	Model   string          // of Self: the Name of the model that said it
	Thought []Thought       // of Self: what it thought before Text and Calls
	Calls   []Call          // of Self
	CallID  string          // of ToolResult
	IsError bool            // of ToolResult
	Details json.RawMessage // of ToolResult: the structured result, where there is one
}

// Attributed is the text with who says it in front, as a model that knows only
// users and itself needs it: "Ms Moss: why?".
func (m Message) Attributed() string {
	if m.Role != User || m.From == "" || m.Text == "" {
		return m.Text
	}
	return m.From + ": " + m.Text
}

// A Thought is one block of a model's thinking.
type Thought struct {
	Text   string
	Opaque string // what the provider wants back with it, opaque; only for the model that made it
}

// A Call is a tool call, whole.
type Call struct {
	ID     string
	Name   string
	Args   json.RawMessage // as the model wrote it; may be no JSON at all
	Opaque string          // as of Thought
}

// A Tool is what a model may call; Input is a JSON schema of an object.
type Tool struct {
	Name        string
	Description string
	Input       json.RawMessage
}

// A Kind names an event.
type Kind int

// The kinds of events. Nothing comes after Finish.
const (
	TextDelta     Kind = iota // Text
	ThinkingDelta             // Text, or Opaque of the block that it ends; what follows opens a new block
	CallDelta                 // Index, and of ID, Name, Text (argument JSON), Opaque what is new
	UsageReport               // Usage, the total so far
	Finish                    // Reason
	Rethink                   // nothing else; see the package comment
)

// An Event is one step of an answer.
type Event struct {
	Kind   Kind
	Text   string
	Index  int // of CallDelta: which call of this message, from 0
	ID     string
	Name   string
	Opaque string // opaque; see Thought
	Usage  Usage
	Reason Reason
}

// Usage counts tokens.
type Usage struct{ Input, Output, CacheRead, CacheWrite, Reasoning int }

// A Reason says why a model stopped.
type Reason string

// The reasons of a Finish.
const (
	Stop    Reason = "stop"
	Length  Reason = "length"
	ToolUse Reason = "tool_use"
)
