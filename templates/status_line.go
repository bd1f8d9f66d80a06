package templates

import "colloquy/classroom"

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
func newStatusLine(c *classroom.Card) statusLine {
	switch c.State {
	case classroom.CardRunning:
		return runningStatus(c)
	case classroom.CardInterrupted:
		return statusLine{"warn", "circle-alert", "Interrupted", interruptedText(c.InterruptReason), "Continue"}
	case classroom.CardCancelled:
		return statusLine{"warn", "square", "Stopped", "What was said is kept.", "Continue"}
	case classroom.CardFailed:
		return failedStatus(c)
	case classroom.CardCompleted:
		if c.Safety != nil {
			title, text := "Please talk to an adult you trust", "No agent has read this message."
			return statusLine{"calm", "hand", title, text, ""}
		}
		return completedStatus(c)
	}
	return statusLine{"calm", "clock", "Waiting", "The question is kept. The answer has not begun yet.", ""}
}

func completedStatus(c *classroom.Card) statusLine {
	if c.CutShort() {
		text := "The last answer reached the model's length limit before its end. What was said is kept."
		return statusLine{"warn", "circle-alert", "Cut off", text, "Continue"}
	}
	line := statusLine{"good", "check", "Answered", "", ""}
	if c.Cue != nil {
		line.Title = "Waiting for you"
	}
	if c.End != nil {
		line.Text = c.End.Message
	}
	return line
}

func runningStatus(c *classroom.Card) statusLine {
	line := statusLine{"calm", "clock", "Answering", "", ""}
	if c.Attempt > 1 {
		line.Title = "Answering again"
		switch c.ResumeReason {
		case "restart":
			line.Text = "Continued automatically after an interruption."
		case "retry":
			line.Text = "Trying again after an error."
		}
	}
	return line
}

const continuesText = "What was said is kept; it continues automatically, or when you press Continue."

func interruptedText(reason string) string {
	switch reason {
	case "shutdown":
		return "The program was shut down in the middle of this answer. " + continuesText
	case "lease_lost":
		return "Another running copy of the program took over this session. What was said is kept."
	}
	return "The program stopped unexpectedly in the middle of this answer. " + continuesText
}

func failedStatus(c *classroom.Card) statusLine {
	text := "Something went wrong while the class was answering. What was said is kept."
	line := statusLine{"bad", "circle-alert", "Not finished", text, "Try again"}
	if c.End == nil {
		return line
	}
	if c.End.Message != "" {
		line.Text = c.End.Message
	}
	switch c.End.Code {
	case "turn_cap", "tool_cap", "token_cap", "time_cap", "window_cap", "length":
		line.Tone, line.Title, line.Action = "warn", "Stopped at a limit", "Continue"
	}
	return line
}

// continuedBelow reports whether w was broken off and a later attempt continued it.
func continuedBelow(c *classroom.Card, w *classroom.Window) bool {
	return !w.Open && w.Attempt < c.Attempt &&
		(w.StopReason == classroom.StopAborted || w.StopReason == classroom.StopError)
}

// usageSummary is the time, tokens and cost of a finished card.
func usageSummary(c *classroom.Card) string {
	if c.Ended == 0 {
		return ""
	}
	out := formatDuration(c.WorkedMS)
	u := c.Usage()
	if n := u.Input + u.Output; n > 0 {
		out = joinDot(out, plural(n, "token", "tokens"))
	}
	if c.End != nil && c.End.Cost != nil && *c.End.Cost > 0 {
		out = joinDot(out, "cost "+formatMoney(*c.End.Cost))
	}
	return out
}

func joinDot(a, b string) string {
	if a == "" {
		return b
	}
	return a + " · " + b
}
