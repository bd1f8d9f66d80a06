// Package conform is the test suite that every provider must pass. It runs against an
// upstream that writes chosen bytes.
//
// A provider describes itself with a [Dialect]: how it writes an answer and how it
// reports an error. [Run] runs each case in several chunkings, one of them byte by
// byte, and checks the answer and the rules of delivery of package llm. The names of
// the cases begin with their numbers.
//
// # Not here
//
// The tests of a provider cover its own fields and its requests.
package conform

import (
	"context"
	"encoding/json"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// Key is the key of the models under test.
const Key = "sk-test-5ecret-key"

// A Dialect describes the answers of one provider.
type Dialect struct {
	// New returns the model "fake-model" of the server u, with [Key].
	New func(t testing.TB, u *llmtest.Upstream) llm.Model
	// Models returns the models of u, with [Key]. ListBody lists zeta, then alpha.
	Models   func(t testing.TB, ctx context.Context, u *llmtest.Upstream) ([]string, error)
	ListBody string
	// Body returns the event stream of an answer, one event per piece. If end is
	// empty, the finish reason and everything after it is missing.
	Body func(parts []Block, end llm.Reason) string
	// WantUsage is the usage that every Body with an end reports.
	WantUsage llm.Usage
	// UsageBody returns an answer with the text "a" and a usage with that JSON as the
	// counts of prompt and answer.
	UsageBody func(in, out string) string
	// Errors are frames that end an answer with a fault.
	Errors map[string]ErrorFrame
	// Fragments are bodies that all contain the calls [TwoCalls].
	Fragments map[string]string
	// InlineThinking says that the provider separates <think> blocks from text.
	InlineThinking bool
}

// An ErrorFrame is an error event and the fault that it must become.
type ErrorFrame struct {
	Frame string
	Fault llm.Fault
}

// A Block is a content block of an answer. Pieces are JSON strings with their quotes.
type Block struct {
	Kind     llm.Kind // TextDelta, ThinkingDelta or CallDelta
	Pieces   []string
	ID, Name string // of CallDelta
	Opaque   string
}

// TwoCalls are the calls of Dialect.Fragments.
var TwoCalls = []llm.Call{{ID: "c1", Name: "f", Args: []byte(`{"a":1}`)},
	{ID: "c2", Name: "g", Args: []byte(`{"a":2}`)}}

// Quote returns s as a JSON string.
func Quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("conform: quote: " + err.Error()) // a string always encodes
	}
	return string(b)
}

// Text returns a block of text in pieces.
func Text(pieces ...string) Block { return Block{Kind: llm.TextDelta, Pieces: quoted(pieces)} }

// Thinking returns a block of thinking in pieces.
func Thinking(pieces ...string) Block { return Block{Kind: llm.ThinkingDelta, Pieces: quoted(pieces)} }

// Call returns a call with its arguments in pieces.
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

// Run runs the whole suite.
func Run(t *testing.T, d Dialect) {
	for name, test := range map[string]func(*testing.T, Dialect){
		"plain":                    plain,
		"usage":                    usage,
		"impossible usage":         impossibleUsage,
		"empty":                    empty,
		"finish reasons":           finishReasons,
		"long lines":               longLines,
		"too long":                 tooLarge,
		"characters":               characters,
		"line endings":             lineEndings,
		"keep-alives":              keepAlives,
		"one space":                oneSpace,
		"JSON lines":               jsonLines,
		"tools refused":            toolsRefused,
		"error in the stream":      errorInStream,
		"incomplete":               incomplete,
		"reset":                    reset,
		"fragments":                fragments,
		"broken arguments":         brokenArguments,
		"name first":               nameFirst,
		"tags":                     tags,
		"opaque":                   opaque,
		"refusals":                 refusals,
		"retry after":              retryAfter,
		"unreachable":              unreachable,
		"cancelled":                cancelled,
		"nothing after":            nothingAfter,
		"reader leaves":            readerLeaves,
		"open body":                openBody,
		"redirects":                redirects,
		"models":                   models,
		"ids":                      ids,
		"web page with status 200": webPage,
	} {
		t.Run(name, func(t *testing.T) { test(t, d) })
	}
}
