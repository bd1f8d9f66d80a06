// Package conform is the suite that every provider passes over an upstream that
// writes bytes as it is told.
//
// A provider describes itself with a [Dialect]: how it writes an answer down,
// and how it complains. [Run] plays each case in several cuts, one byte at a
// time among them, and checks what the reader gets and the rules of delivery of
// package llm. Names of cases hold their ids.
//
// # Not here
//
// What only one dialect has: its own fields, its requests.
package conform

import (
	"context"
	"encoding/json"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// Key is the key that the models under test are made with.
const Key = "sk-test-5ecret-key"

// A Dialect is how one provider writes.
type Dialect struct {
	// New makes the model "fake-model" with [Key], of the server u.
	New func(t testing.TB, u *llmtest.Upstream) llm.Model
	// Models lists the models of u, with [Key]; List is the answer that holds zeta, then alpha.
	Models   func(t testing.TB, ctx context.Context, u *llmtest.Upstream) ([]string, error)
	ListBody string
	// Body is the event stream of an answer, one event for each piece. An empty
	// end leaves the answer without finish reason and all that follows it.
	Body func(parts []Block, end llm.Reason) string
	// Used is the usage that every Body with an end reports.
	WantUsage llm.Usage
	// Usage is an answer with the text "a" whose usage has that JSON as its
	// counts of prompt and answer.
	UsageBody func(in, out string) string
	// Errors are frames that end an answer with a fault.
	Errors map[string]ErrorFrame
	// Fragments are bodies that all make the calls [Two].
	Fragments map[string]string
	// InlineThinking says that the provider parts <think> from text.
	InlineThinking bool
}

// A Complaint is an error frame and what it means.
type ErrorFrame struct {
	Frame string
	Fault llm.Fault
}

// A Part is a block of an answer. Pieces are JSON strings with their quotes.
type Block struct {
	Kind     llm.Kind // TextDelta, ThinkingDelta or CallDelta
	Pieces   []string
	ID, Name string // of CallDelta
	Opaque   string
}

// Two are the calls of Dialect.Fragments.
var TwoCalls = []llm.Call{{ID: "c1", Name: "f", Args: []byte(`{"a":1}`)}, {ID: "c2", Name: "g", Args: []byte(`{"a":2}`)}}

// Quote writes s as JSON.
func Quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("conform: quote: " + err.Error()) // a string always encodes
	}
	return string(b)
}

// Text is a block of text in pieces.
func Text(pieces ...string) Block { return Block{Kind: llm.TextDelta, Pieces: quoted(pieces)} }

// Thinking is a block of thinking in pieces.
func Thinking(pieces ...string) Block { return Block{Kind: llm.ThinkingDelta, Pieces: quoted(pieces)} }

// Call is a call with its arguments in pieces.
func Call(id, name string, pieces ...string) Block {
	return Block{Kind: llm.CallDelta, ID: id, Name: name, Pieces: quoted(pieces)}
}

func quoted(pieces []string) []string {
	out := make([]string, 0, len(pieces))
	for _, p := range pieces {
		out = append(out, Quote(p))
	}
	return out
}

// Run plays the whole suite.
func Run(t *testing.T, d Dialect) {
	for name, test := range map[string]func(*testing.T, Dialect){
		"plain":                          plain,
		"usage":                          usage,
		"usage nobody can have":          impossibleUsage,
		"empty":                          empty,
		"finish":                         finishReasons,
		"U01 long lines":                 longLines,
		"U01 too long":                   tooLarge,
		"U02 characters":                 characters,
		"U03 line endings":               lineEndings,
		"U04 keep-alives":                keepAlives,
		"U06 one space":                  oneSpace,
		"U10 JSON lines":                 jsonLines,
		"tools refused":                  toolsRefused,
		"V01 error inside":               errorInStream,
		"V02 cut":                        incomplete,
		"V02 reset":                      reset,
		"V04 fragments":                  fragments,
		"V06 broken arguments":           brokenArguments,
		"V08 name first":                 nameFirst,
		"V09 tags":                       tags,
		"V11 opaque":                     opaque,
		"V14 refusals":                   refusals,
		"V14 when to come again":         retryAfter,
		"nobody there":                   unreachable,
		"R12 called off":                 cancelled,
		"R12 nothing after":              nothingAfter,
		"left":                           readerLeaves,
		"open body":                      openBody,
		"redirects":                      redirects,
		"models":                         models,
		"T01 ids":                        ids,
		"no words of Go for people, 2xx": webPage,
	} {
		t.Run(name, func(t *testing.T) { test(t, d) })
	}
}
