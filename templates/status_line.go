package templates

import (
	"context"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

// A statusLine says how a card's run stands. It speaks for the system, never for
// an agent, and offers the next step.
type statusLine struct {
	Tone   string // calm, good, warn or bad; the icon and the title say the same as its colour
	Icon   string
	Title  string
	Text   string
	Action string // the label of the button that continues; empty without one
}

// newStatusLine returns the status line of a card.
func newStatusLine(ctx context.Context, c *classroom.Card) statusLine {
	switch c.State {
	case classroom.CardRunning:
		return runningStatus(ctx, c)
	case classroom.CardInterrupted:
		text := interruptedText(ctx, c.InterruptReason)
		return statusLine{"warn", "circle-alert", t(ctx, "status.interrupted"), text, t(ctx, "status.continue")}
	case classroom.CardCancelled:
		return statusLine{"warn", "square", t(ctx, "status.stopped"), t(ctx, "status.kept"), t(ctx, "status.continue")}
	case classroom.CardFailed:
		return failedStatus(ctx, c)
	case classroom.CardCompleted:
		if c.Safety != nil {
			return statusLine{"calm", "hand", t(ctx, "status.safety"), t(ctx, "status.safety_text"), ""}
		}
		return completedStatus(ctx, c)
	}
	return statusLine{"calm", "clock", t(ctx, "status.waiting"), t(ctx, "status.waiting_text"), ""}
}

func completedStatus(ctx context.Context, c *classroom.Card) statusLine {
	if c.CutShort() {
		text := t(ctx, "status.cut_off_text")
		return statusLine{"warn", "circle-alert", t(ctx, "status.cut_off"), text, t(ctx, "status.continue")}
	}
	line := statusLine{"good", "check", t(ctx, "status.answered"), "", ""}
	if c.Cue != nil {
		line.Tone, line.Icon, line.Title = "calm", "hand", t(ctx, "status.your_turn")
	}
	if c.End != nil {
		line.Text, _ = locale.From(ctx).RunEnd(*c.End)
	}
	return line
}

func runningStatus(ctx context.Context, c *classroom.Card) statusLine {
	line := statusLine{"calm", "clock", t(ctx, "status.answering"), "", ""}
	if c.Attempt > 1 {
		line.Title = t(ctx, "status.answering_again")
		switch c.ResumeReason {
		case "restart":
			line.Text = t(ctx, "status.resumed")
		case "retry":
			line.Text = t(ctx, "status.retrying")
		}
	}
	return line
}

func interruptedText(ctx context.Context, reason string) string {
	return locale.From(ctx).RunInterrupt(classroom.RunInterrupt{Reason: reason})
}

func failedStatus(ctx context.Context, c *classroom.Card) statusLine {
	text, again := t(ctx, "status.failed_text"), t(ctx, "status.try_again")
	line := statusLine{"bad", "circle-alert", t(ctx, "status.failed"), text, again}
	if c.End == nil {
		return line
	}
	if text, ok := locale.From(ctx).RunEnd(*c.End); ok {
		line.Text = text
	}
	switch c.End.Code {
	case "turn_cap", "tool_cap", "token_cap", "time_cap", "window_cap", "length":
		line.Tone, line.Title, line.Action = "warn", t(ctx, "status.limit"), t(ctx, "status.continue")
	}
	return line
}

// continuedBelow reports whether w was broken off and a later attempt continued it.
func continuedBelow(c *classroom.Card, w *classroom.Window) bool {
	return !w.Open && w.Attempt < c.Attempt &&
		(w.StopReason == classroom.StopAborted || w.StopReason == classroom.StopError)
}

// usageSummary is the time, tokens and cost of a finished card.
func usageSummary(ctx context.Context, c *classroom.Card) string {
	if c.Ended == 0 || c.Safety != nil && len(c.Windows) == 0 {
		return ""
	}
	out := formatDuration(ctx, c.WorkedMS)
	u := c.Usage()
	if n := u.Input + u.Output; n > 0 {
		out = joinDot(out, count(ctx, "format.tokens", n))
	}
	if c.End != nil && c.End.Cost != nil && *c.End.Cost > 0 {
		out = joinDot(out, t(ctx, "status.cost", "Amount", formatMoney(ctx, *c.End.Cost)))
	}
	return out
}

func joinDot(a, b string) string {
	if a == "" {
		return b
	}
	return a + " · " + b
}
