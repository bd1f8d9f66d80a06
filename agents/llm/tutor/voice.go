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

// A voice says one reply, in the events of one sequence. It reports no usage:
// where no model is asked, there are no tokens to count.
type voice struct {
	ctx   context.Context
	pace  time.Duration
	yield func(llm.Event, error) bool
}

// call asks for a search.
func (v voice) call(r reply) {
	args, _ := json.Marshal(map[string]string{"query": r.query}) // a map of strings always encodes
	events := []llm.Event{
		{Kind: llm.CallDelta, ID: r.id, Name: searchTool},
		{Kind: llm.CallDelta, Text: string(args)},
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
	v.yield(llm.Event{Kind: llm.Finish, Reason: llm.Stop}, nil)
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
