package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

const (
	unknownContext = 32_000 // tokens, where nobody said what the model holds
	mostReserve    = 16_384 // kept free for the answer
	mostRecent     = 20_000 // kept as it was said
	summaryTime    = time.Minute
	summaryTokens  = 1024
	summaryLine    = 2000 // bytes of one line that the summary is made of

	// Of the beginnings of lines, where they are the summary: bytes of all, and of one.
	beginningBytes = 6000
	beginningLeast = 48
	beginningMost  = 160

	summaryHead    = "Summary of what was said before:\n"
	beginningsHead = "What was said before, each line cut short:\n"
	leftOut        = "[what came before is left out]"
)

func tooLong(fault error) bool {
	var e *llm.Error
	return errors.As(fault, &e) && e.Fault == llm.TooLong
}

// roomOf is how many tokens a request to a model may have.
func roomOf(p llm.Profile) int {
	window := p.Context
	if window == 0 {
		window = unknownContext
	}
	return window - min(mostReserve, window/4)
}

// fit shortens the conversation where it would not fit the model.
func (r *run) fit(ctx context.Context, model *llm.Model, req *llm.Request) error {
	p := llm.ProfileOf(*model)
	if p.Scripted || tokensOf(*req) <= roomOf(p) {
		return nil
	}
	_, err := r.compact(ctx, model, req, roomOf(p), p.Context > 0 && !p.Assumed)
	return err
}

// overflow shortens the conversation because the model said that it is too
// long, and marks the failed message as superseded. It reports whether asking
// again makes sense.
func (r *run) overflow(ctx context.Context, m classroom.MessageEnd, model *llm.Model, req *llm.Request) (bool, error) {
	done, err := r.compact(ctx, model, req, min(roomOf(llm.ProfileOf(*model)), tokensOf(*req)*2/3), true)
	if !done || err != nil {
		return false, err
	}
	return true, r.append(ctx, r.said(classroom.Retry{MessageID: m.MessageID, Attempt: 1, Max: 1, Reason: "The conversation was too long for the model. Its beginning was summarised."}))
}

// compact puts a summary in the place of the conversation's beginning, as much
// as it takes for the rest to fit into room tokens, and asks for the request
// anew. The log keeps everything. The model is asked for the summary only where
// it is known to need one: on a guess, the beginnings of the lines have to do.
// It reports whether anything became shorter.
func (r *run) compact(ctx context.Context, model *llm.Model, req *llm.Request, room int, known bool) (bool, error) {
	before := tokensOf(*req)
	old, first, ok := r.split(min(mostRecent, room/2))
	if ok {
		c := classroom.Compaction{Summary: beginnings(old), FirstKept: first, TokensBefore: before}
		if known {
			c.Summary = r.summary(ctx, *model, old, room)
		}
		if ctx.Err() != nil { // Stop came meanwhile: the answer ends, and nothing needs to be short
			return false, nil
		}
		c.TokensAfter = max(0, before-tokens(strings.Join(old, "\n"))) + tokens(c.Summary)
		if err := r.append(ctx, r.said(c)); err != nil {
			return false, err
		}
		*model, *req = r.request(ctx)
	}
	shortened := shortenResults(req, room)
	return ok || shortened, nil
}

// split finds where the recent part of the conversation begins that keeps to
// that many tokens, and returns what was said before it, a line each. The last
// window always is recent. A summary that stands already is the first line.
func (r *run) split(keep int) (old []string, first classroom.Cursor, ok bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	f := r.s.fold
	was := classroom.Cursor(0)
	if c := f.Compacted(); c != nil {
		was, old = c.FirstKept, safeLines(linesBefore(c.Summary))
	}
	sum := 0
	for i := len(f.Cards) - 1; i >= 0 && first == 0; i-- {
		card := f.Cards[i]
		for j := len(card.Windows) - 1; j >= 0; j-- {
			w := card.Windows[j]
			sum += tokens(strings.Join(linesOf(w), "\n"))
			if last := i == len(f.Cards)-1 && j == len(card.Windows)-1; sum > keep && !last {
				first = following(card, j)
				break
			}
		}
		if first == 0 && i < len(f.Cards)-1 {
			if sum += tokens(card.Question.Text); sum > keep {
				first = f.Cards[i+1].Question.Cursor
			}
		}
	}
	if first <= was {
		return nil, 0, false
	}
	for _, card := range f.Cards {
		if at := card.Question.Cursor; at >= was && at < first && safe(card) {
			old = append(old, asked(card))
		}
		for _, w := range card.Windows {
			if w.Cursor >= was && w.Cursor < first {
				old = append(old, linesOf(w)...)
			}
		}
	}
	return old, first, true
}

// following is the cursor at which what stands after window j of a card begins.
func following(card *classroom.Card, j int) classroom.Cursor {
	if j+1 < len(card.Windows) {
		return card.Windows[j+1].Cursor
	}
	return card.Windows[j].Cursor + 1
}

// summary asks the model for a summary of lines. Where it has none to give, the
// beginnings of the lines stand for them.
func (r *run) summary(ctx context.Context, model llm.Model, lines []string, room int) string {
	asking, cancel := context.WithTimeout(ctx, summaryTime)
	defer cancel()
	req := llm.Request{
		System: prompt("summary"), MaxTokens: summaryTokens, Thinking: llm.ThinkOff,
		Messages: []llm.Message{{Role: llm.User, Text: "The conversation:\n" + newest(lines, summaryLine, room*2)}},
	}
	if s, whole := r.sideAsk(asking, model, req, 16<<10); whole && strings.TrimSpace(s) != "" {
		return summaryHead + strings.TrimSpace(s)
	}
	return beginnings(lines)
}

// beginnings are a summary that nobody has to be asked for.
func beginnings(lines []string) string {
	limit := max(beginningLeast, min(beginningMost, beginningBytes/max(1, len(lines))))
	return beginningsHead + newest(lines, limit, beginningBytes)
}

// linesBefore are the lines of a summary that stands already, without its head.
func linesBefore(summary string) []string {
	summary = strings.TrimPrefix(strings.TrimPrefix(summary, summaryHead), beginningsHead)
	return slices.DeleteFunc(strings.Split(summary, "\n"), func(line string) bool { return line == leftOut || strings.TrimSpace(line) == "" })
}

// newest joins lines, each cut at limit bytes, and leaves out the oldest where
// they are more than total bytes.
func newest(lines []string, limit, total int) string {
	var out []string
	for i := len(lines) - 1; i >= 0; i-- {
		line := short(lines[i], limit)
		if total -= len(line); total < 0 {
			out = append(out, leftOut)
			break
		}
		out = append(out, line)
	}
	slices.Reverse(out)
	return strings.Join(out, "\n")
}

// shortenResults cuts the results of tools where the request still has more
// than room tokens: a window of many long results has no other beginning.
func shortenResults(req *llm.Request, room int) bool {
	done := false
	size := tokensOf(*req)
	for i := 0; i < len(req.Messages) && size > room; i++ {
		if m := &req.Messages[i]; m.Role == llm.ToolResult && len(m.Text) > summaryLine {
			size -= tokens(m.Text)
			m.Text, m.Details, done = cut(m.Text, summaryLine), nil, true
			size += tokens(m.Text)
		}
	}
	return done
}

// tokensOf estimates a request.
func tokensOf(req llm.Request) int {
	n := tokens(req.System)
	for _, t := range req.Tools {
		n += tokens(t.Description) + len(t.Input)/4
	}
	for _, m := range req.Messages {
		n += 4 + tokens(m.From) + tokens(m.Text)
		for _, c := range m.Calls {
			n += 8 + len(c.Args)/4
		}
		for _, t := range m.Thought {
			n += tokens(t.Text) + len(t.Opaque)/4
		}
	}
	return n
}

// tokens estimates a text: four letters of a Latin script make a token, one of
// others about one.
func tokens(text string) int {
	ascii := 0
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			ascii++
		}
	}
	return ascii/4 + (len(text)-ascii+1)/2
}

func asked(card *classroom.Card) string {
	return fmt.Sprintf("[the person] %s: %s", card.Question.Author.Name, card.Question.Text)
}
