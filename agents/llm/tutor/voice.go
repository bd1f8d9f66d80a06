package tutor

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"colloquy/agents/llm"
)

// charsPerToken is a usual estimate: nothing here counts tokens.
const charsPerToken = 4

// A voice says one reply, in the events of one sequence.
type voice struct {
	ctx   context.Context
	pace  time.Duration
	yield func(llm.Event, error) bool
	heard int // tokens of the request
}

// call asks for a search.
func (v voice) call(r reply) {
	args, _ := json.Marshal(map[string]string{"query": r.query}) // a map of strings always encodes
	events := []llm.Event{
		{Kind: llm.CallDelta, ID: r.id, Name: searchTool},
		{Kind: llm.CallDelta, Text: string(args)},
		v.usage(len(args)),
		{Kind: llm.Finish, Reason: llm.ToolUse},
	}
	for _, e := range events {
		if !v.yield(e, nil) {
			return
		}
	}
}

// say speaks text word by word.
func (v voice) say(text string) {
	for piece := range pieces(text) {
		if err := v.ctx.Err(); err != nil {
			v.yield(llm.Event{}, fmt.Errorf("answer from the materials: %w", err))
			return
		}
		if !v.yield(llm.Event{Kind: llm.TextDelta, Text: piece}, nil) {
			return
		}
		if err := v.wait(); err != nil {
			v.yield(llm.Event{}, fmt.Errorf("answer from the materials: %w", err))
			return
		}
	}
	if v.yield(v.usage(len(text)), nil) {
		v.yield(llm.Event{Kind: llm.Finish, Reason: llm.Stop}, nil)
	}
}

func (v voice) wait() error {
	if v.pace <= 0 {
		return nil
	}
	t := time.NewTimer(v.pace)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-v.ctx.Done():
		return v.ctx.Err()
	}
}

func (v voice) usage(chars int) llm.Event {
	return llm.Event{Kind: llm.UsageReport, Usage: llm.Usage{Input: v.heard, Output: perToken(chars)}}
}

func tokens(req llm.Request) int {
	chars := len(req.System)
	for _, m := range req.Messages {
		chars += len(m.Text)
		for _, c := range m.Calls {
			chars += len(c.Args)
		}
	}
	return perToken(chars)
}

func perToken(chars int) int { return (chars + charsPerToken - 1) / charsPerToken }

// pieces cuts text into words, each with the white space behind it. Joined they are text.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			n := strings.IndexFunc(text, unicode.IsSpace)
			if n < 0 {
				n = len(text)
			}
			for n < len(text) {
				r, size := utf8.DecodeRuneInString(text[n:])
				if !unicode.IsSpace(r) {
					break
				}
				n += size
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
