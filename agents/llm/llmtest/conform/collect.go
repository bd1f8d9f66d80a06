package conform

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// An Outcome is a complete answer.
type Outcome struct {
	Text, Thinking string
	Opaque         []string // of the thinking, in order
	Calls          []llm.Call
	Usage          llm.Usage
	Reason         llm.Reason // empty if it ended with an error
	Err            error

	rethought bool
}

// Collect reads an answer and checks the rules of delivery.
func Collect(t *testing.T, ctx context.Context, m llm.Model, req llm.Request) Outcome {
	t.Helper()
	var o Outcome
	ended := false
	for e, err := range m.Stream(ctx, req) {
		if ended {
			t.Errorf("after the end came %+v, %v", e, err)
		}
		ended = err != nil || e.Kind == llm.Finish
		if o.Err = err; err == nil {
			o.add(t, e)
		}
	}
	o.rethought = false // two outcomes are equal with and without a Rethink
	if !ended {
		t.Error("the sequence ended silently")
	}
	return o
}

func (o *Outcome) add(t *testing.T, e llm.Event) {
	switch e.Kind {
	case llm.TextDelta:
		o.Text += e.Text
		checkDelta(t, e.Text)
	case llm.ThinkingDelta:
		o.Thinking += e.Text
		if e.Opaque != "" {
			o.Opaque = append(o.Opaque, e.Opaque)
		}
		checkDelta(t, e.Text+e.Opaque)
	case llm.Rethink:
		if o.Text == "" || len(o.Calls) > 0 || o.rethought {
			t.Errorf("a Rethink after %+v", o)
		}
		o.Thinking, o.Text, o.rethought = o.Thinking+o.Text, "", true
	case llm.CallDelta:
		o.addCall(t, e)
	case llm.UsageReport:
		o.Usage = e.Usage
	case llm.Finish:
		o.Reason = e.Reason
	}
}

func (o *Outcome) addCall(t *testing.T, e llm.Event) {
	switch {
	case e.Index > len(o.Calls):
		t.Errorf("call %d began after %d calls", e.Index, len(o.Calls))
		return
	case e.Index == len(o.Calls):
		if e.ID == "" || e.Name == "" {
			t.Errorf("call %d began without id or name: %+v", e.Index, e)
		}
		o.Calls = append(o.Calls, llm.Call{ID: e.ID, Name: e.Name})
	case e.ID != "" || e.Name != "":
		t.Errorf("call %d was named again: %+v", e.Index, e)
	}
	c := &o.Calls[e.Index]
	c.Args = append(c.Args, e.Text...)
	c.Opaque += e.Opaque
}

// Message returns the answer as a message of the next request.
func (o Outcome) Message(model string) llm.Message {
	m := llm.Message{Role: llm.Self, Model: model, Text: o.Text, Calls: o.Calls}
	for i, s := range o.Opaque {
		thought := llm.Thought{Opaque: s}
		if i == 0 {
			thought.Text = o.Thinking
		}
		m.Thought = append(m.Thought, thought)
	}
	if len(o.Opaque) == 0 && o.Thinking != "" {
		m.Thought = []llm.Thought{{Text: o.Thinking}}
	}
	return m
}

func checkDelta(t *testing.T, text string) {
	if text == "" || strings.ToValidUTF8(text, "") != text {
		t.Errorf("delta %q is empty or holds half a character", text)
	}
}

// goText matches error texts of Go's standard library, which are not for users.
var goText = regexp.MustCompile(
	`dial tcp|invalid character|EOF|http:|json|context|goroutine|%!|unmarshal|connection re`)

// UserError checks the rules for every error for users and returns the error.
func UserError(t *testing.T, err error) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("ended with %v (%T), want an llm.Error", err, err)
	}
	const server = "The model server at 127.0.0.1:"
	sentence := strings.HasPrefix(e.Message, server) && strings.HasSuffix(e.Message, ".")
	if e.Fault == "" || !sentence || goText.MatchString(e.Message) {
		t.Errorf("not for users: %s: %q", e.Fault, e.Message)
	}
	if strings.Contains(e.Error(), Key) || strings.Contains(e.Error(), "5ecret") {
		t.Errorf("the key, or a part of it, is in %q", e.Error())
	}
	return e
}

// EveryChunking requests the same body in several chunkings: at once, event by event,
// line by line, byte by byte, and with the end of the connection as its end. Each must
// give want; check checks its error.
func EveryChunking(t *testing.T, d Dialect, body string, want Outcome, check func(*testing.T, error)) {
	t.Helper()
	for name, a := range map[string]llmtest.Answer{
		"at once":   {Body: llmtest.Bytes(body)},
		"events":    {Body: llmtest.Bytes(strings.SplitAfter(body, "\n\n")...)},
		"lines":     {Body: llmtest.Bytes(strings.SplitAfter(body, "\n")...)},
		"bytes":     {Body: llmtest.EachByte(body)},
		"until EOF": {Framing: llmtest.UntilEOF, Body: llmtest.Bytes(body)},
	} {
		t.Run(name, func(t *testing.T) {
			got := Collect(t, t.Context(), d.New(t, llmtest.Serve(t, a)), Question("q"))
			check(t, got.Err)
			got.Err = nil
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// NoError is the check of an answer that ends without an error.
func NoError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("ended with %v", err)
	}
}

// Question returns a request with one message of a person.
func Question(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

// collectOne makes one request, to which a is the answer.
func collectOne(t *testing.T, d Dialect, a llmtest.Answer) Outcome {
	t.Helper()
	return Collect(t, t.Context(), d.New(t, llmtest.Serve(t, a)), Question("q"))
}

func raw(s string) json.RawMessage { return json.RawMessage(s) }
