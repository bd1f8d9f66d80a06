package agents

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

const (
	maxRecent     = 20_000 // tokens of the conversation that are kept in full
	summaryTime   = time.Minute
	summaryTokens = 1024
	maxSummary    = 16 << 10 // bytes
	summaryLine   = 2000     // bytes of a line that is summarised

	// Bytes of the excerpts that stand for a summary, and of one of them.
	maxExcerpts = 6000
	minExcerpt  = 48
	maxExcerpt  = 160

	summaryHead  = "Summary of what was said before:\n"
	excerptsHead = "What was said before, each line cut short:\n"
	omittedMark  = "[what came before is left out]"
)

func tooLong(fault error) bool {
	var e *llm.Error
	return errors.As(fault, &e) && e.Fault == llm.TooLong
}

// shortenToFit shortens the conversation where it does not fit the model's context.
func (r *run) shortenToFit(ctx context.Context, model *llm.Model, req *llm.Request) error {
	p := llm.ProfileOf(*model)
	if p.Scripted || requestTokens(*req) <= inputBudget(p) {
		return nil
	}
	_, err := r.compact(ctx, model, req, inputBudget(p), p.Context > 0 && !p.Assumed)
	return err
}

// shortenAfterOverflow shortens the conversation after the model refused it as too
// long, and marks the failed message as superseded. It reports whether the model
// should be asked again.
func (r *run) shortenAfterOverflow(
	ctx context.Context, m classroom.MessageEnd, model *llm.Model, req *llm.Request,
) (bool, error) {
	done, err := r.compact(ctx, model, req, min(inputBudget(llm.ProfileOf(*model)), requestTokens(*req)*2/3), true)
	if !done || err != nil {
		return false, err
	}
	return true, r.append(ctx, r.agentDraft(classroom.Retry{
		MessageID: m.MessageID, Attempt: 1, Max: 1,
		Reason: "summarised",
	}))
}

// compact replaces the beginning of the conversation by a summary, so that the
// rest fits into budget tokens, and makes the request again. The log keeps
// everything. The model writes the summary where its context is known to be too
// small; where that is a guess, excerpts stand for it. compact reports whether
// anything became shorter.
func (r *run) compact(ctx context.Context, model *llm.Model, req *llm.Request, budget int, known bool) (bool, error) {
	before := requestTokens(*req)
	old, first, ok := r.splitRecent(min(maxRecent, budget/2))
	if ok {
		c := classroom.Compaction{Summary: excerpts(old), FirstKept: first, TokensBefore: before}
		if known {
			c.Summary = r.summarise(ctx, *model, old, budget)
		}
		if ctx.Err() != nil { // Stop was pressed meanwhile: the answer ends
			return false, nil
		}
		c.TokensAfter = max(0, before-textTokens(strings.Join(old, "\n"))) + textTokens(c.Summary)
		if err := r.append(ctx, r.agentDraft(c)); err != nil {
			return false, err
		}
		*model, *req = r.request(ctx)
	}
	shortened := shortenResults(req, budget)
	return ok || shortened, nil
}

// splitRecent finds where the recent part of the conversation begins, which has
// at most keep tokens. It returns the lines before it and its first event. The
// last window is always recent. The lines of an earlier summary come first.
func (r *run) splitRecent(keep int) (old []string, first classroom.Cursor, ok bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	f := r.s.fold
	was := classroom.Cursor(0)
	if c := f.Compacted(); c != nil {
		was, old = c.FirstKept, removeDistress(summaryLines(c.Summary))
	}
	sum := 0
	for i := len(f.Cards) - 1; i >= 0 && first == 0; i-- {
		card := f.Cards[i]
		for j := len(card.Windows) - 1; j >= 0; j-- {
			w := card.Windows[j]
			sum += textTokens(strings.Join(windowLines(w), "\n"))
			if last := i == len(f.Cards)-1 && j == len(card.Windows)-1; sum > keep && !last {
				first = cursorAfter(card, j)
				break
			}
		}
		if first == 0 && i < len(f.Cards)-1 {
			if sum += textTokens(card.Question.Text); sum > keep {
				first = f.Cards[i+1].Question.Cursor
			}
		}
	}
	if first <= was {
		return nil, 0, false
	}
	for _, card := range f.Cards {
		if at := card.Question.Cursor; at >= was && at < first && mayReachModel(card) {
			old = append(old, questionLine(card))
		}
		for _, w := range card.Windows {
			if w.Cursor >= was && w.Cursor < first {
				old = append(old, windowLines(w)...)
			}
		}
	}
	return old, first, true
}

// cursorAfter returns the cursor at which what follows window j of a card begins.
func cursorAfter(card *classroom.Card, j int) classroom.Cursor {
	if j+1 < len(card.Windows) {
		return card.Windows[j+1].Cursor
	}
	return card.Windows[j].Cursor + 1
}

// summarise asks the model for a summary of lines. Where it gives none, excerpts
// stand for it.
func (r *run) summarise(ctx context.Context, model llm.Model, lines []string, budget int) string {
	asking, cancel := context.WithTimeout(ctx, summaryTime)
	defer cancel()
	req := llm.Request{
		System: promptText("summary"), MaxTokens: summaryTokens, Thinking: llm.ThinkOff,
		Messages: []llm.Message{{
			Role: llm.User, Text: "The conversation:\n" + joinNewest(lines, summaryLine, budget*2),
		}},
	}
	if s, finished := r.complete(asking, model, req, maxSummary); finished && strings.TrimSpace(s) != "" &&
		!r.withheld.Holds(s) {
		return summaryHead + strings.TrimSpace(s)
	}
	return excerpts(lines)
}

// excerpts returns the first words of each line. They stand for a summary.
func excerpts(lines []string) string {
	limit := max(minExcerpt, min(maxExcerpt, maxExcerpts/max(1, len(lines))))
	return excerptsHead + joinNewest(lines, limit, maxExcerpts)
}

// summaryLines returns the lines of an earlier summary, without its heading.
func summaryLines(summary string) []string {
	summary = strings.TrimPrefix(strings.TrimPrefix(summary, summaryHead), excerptsHead)
	return slices.DeleteFunc(strings.Split(summary, "\n"), func(line string) bool {
		return line == omittedMark || strings.TrimSpace(line) == ""
	})
}

// joinNewest joins lines, each truncated to limit bytes. It omits the oldest where
// all have more than total bytes.
func joinNewest(lines []string, limit, total int) string {
	var out []string
	for i := len(lines) - 1; i >= 0; i-- {
		line := truncateLine(lines[i], limit)
		if total -= len(line); total < 0 {
			out = append(out, omittedMark)
			break
		}
		out = append(out, line)
	}
	slices.Reverse(out)
	return strings.Join(out, "\n")
}

// shortenResults truncates the results of tools where the request still has more
// than budget tokens, as a single window with many long results may have.
func shortenResults(req *llm.Request, budget int) bool {
	done := false
	size := requestTokens(*req)
	for i := 0; i < len(req.Messages) && size > budget; i++ {
		if m := &req.Messages[i]; m.Role == llm.ToolResult && len(m.Text) > summaryLine {
			size -= textTokens(m.Text)
			m.Text, m.Details, done = truncateResult(m.Text, summaryLine), nil, true
			size += textTokens(m.Text)
		}
	}
	return done
}
