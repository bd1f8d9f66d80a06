// Package tutor is the built-in model. It reads out what the class's own materials say,
// with no network and no AI, and says so when it is asked.
//
// # What it does
//
// It plays a teacher, an assistant or a student ([llm.Speaker]), in question and answer, a
// discussion, a debate or a lecture ([llm.Staging]). All it knows is in the request: the
// passages that the runtime found, the manner, the rung of the ladder, the part of the
// lecture ([llm.Lookup], [llm.Rules]). It guesses nothing from the transcript.
//
// What it says is a fixed phrase and whole passages, each below its source. The phrases are
// data, in one file a language. It speaks the language of the passages that it quotes, and
// says when the question's language is another. A short closed list of messages, such as a
// greeting or "I don't get it", has answers of its own.
//
// Where the materials hold nothing it says so in one sentence. It does not judge what a
// pupil says. When nothing is left to read in a discussion or a debate it gives the floor
// to the people in the room, by the tool cue_user.
//
// # Delivery and concurrency
//
// A sequence is as [llm.Model] says. The answer is whole before its first word is said; the
// words then come one by one, Options.Pace apart. The same request always gives the same
// events. A Model holds no state and may be asked from many goroutines at once.
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

// Options are what a [Model] is made of.
type Options struct {
	Pace time.Duration // from one word to the next; 0 says everything at once
}

// A Model is the built-in tutor.
type Model struct{ pace time.Duration }

var _ llm.Profiled = (*Model)(nil)

// New returns a tutor that speaks at the pace of o.
func New(o Options) *Model { return &Model{pace: o.Pace} }

// Name returns "tutor".
func (m *Model) Name() string { return "tutor" }

// Profile says that the tutor plays by rule.
func (m *Model) Profile() llm.Profile { return llm.Profile{Scripted: true} }

// Stream answers req.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(llm.Event{}, fmt.Errorf("answer from the materials: %w", err))
			return
		}
		a := rest(req, answerTo(req))
		s := speech{ctx: ctx, pace: m.pace, yield: yield}
		if s.say(a.text) && s.cue(a.cue) {
			yield(llm.Event{Kind: llm.Finish, Reason: a.reason()}, nil)
		}
	}
}

// An answer is what the tutor says next.
type answer struct {
	text string
	cue  string // a question with which it gives the floor to the people; empty if it does not
}

func (a answer) reason() llm.Reason {
	if a.cue != "" {
		return llm.ToolUse
	}
	return llm.Stop
}

// rest returns what is left of an answer whose beginning is the last message: it was cut
// off. Markdown goes on only at the beginning of a block, so the block is said again.
func rest(req llm.Request, a answer) answer {
	said := ""
	for _, m := range req.Messages {
		switch {
		case m.Role == llm.Self && m.Text != "":
			said = strings.TrimSpace(m.Text)
		case m.Role == llm.User && !m.Peer:
			said = ""
		}
	}
	if said == "" || len(said) >= len(a.text) || !strings.HasPrefix(a.text, said) {
		return a
	}
	a.text = strings.TrimSpace(a.text[strings.LastIndex(a.text[:len(said)], "\n\n")+1:])
	return a
}

// A speech yields the events of one answer. It reports no usage: where no model is asked,
// there are no tokens to count.
type speech struct {
	ctx   context.Context
	pace  time.Duration
	yield func(llm.Event, error) bool
}

// say yields a text word by word, and reports whether the reader wants more.
func (s speech) say(text string) bool {
	for piece := range pieces(text) {
		err := s.ctx.Err()
		if err == nil {
			if !s.yield(llm.Event{Kind: llm.TextDelta, Text: piece}, nil) {
				return false
			}
			err = s.wait()
		}
		if err != nil {
			s.yield(llm.Event{}, fmt.Errorf("answer from the materials: %w", err))
			return false
		}
	}
	return true
}

// cue calls the tool that gives the floor to the people.
func (s speech) cue(question string) bool {
	if question == "" {
		return true
	}
	args, _ := json.Marshal(map[string]string{"question": question}) // a map of strings always encodes
	return s.yield(llm.Event{Kind: llm.CallDelta, ID: "cue", Name: cueTool}, nil) &&
		s.yield(llm.Event{Kind: llm.CallDelta, Text: string(args)}, nil)
}

func (s speech) wait() error {
	if s.pace <= 0 {
		return nil
	}
	t := time.NewTimer(s.pace)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
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
