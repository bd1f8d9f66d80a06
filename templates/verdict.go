package templates

import "colloquy/classroom"

// A verdict is what the system says about a card's run: never in an agent's
// name, always with what to do next.
type verdict struct {
	Tone   string // calm, good, warn or bad; shown by icon and words, not by colour alone
	Icon   string
	Title  string
	Text   string
	Action string // the label of the button that goes on; empty where there is nothing to do
}

// verdictOf says how a card stands.
func verdictOf(c *classroom.Card) verdict {
	switch c.State {
	case classroom.CardRunning:
		return running(c)
	case classroom.CardInterrupted:
		return verdict{"warn", "circle-alert", "Interrupted", cutWords(c.InterruptReason), "Continue"}
	case classroom.CardCancelled:
		return verdict{"warn", "square", "Stopped", "What was said is kept.", "Continue"}
	case classroom.CardFailed:
		return failed(c)
	case classroom.CardCompleted:
		if c.CutShort() {
			return verdict{"warn", "circle-alert", "Cut off", "The last answer reached the model's length limit before its end. What was said is kept.", "Continue"}
		}
		v := verdict{"good", "check", "Answered", "", ""}
		if c.Cue != nil {
			v.Title = "Waiting for you"
		}
		if c.End != nil {
			v.Text = c.End.Message
		}
		return v
	}
	return verdict{"calm", "clock", "Waiting", "The question is kept. The answer has not begun yet.", ""}
}

func running(c *classroom.Card) verdict {
	v := verdict{"calm", "clock", "Answering", "", ""}
	if c.Attempt > 1 {
		v.Title = "Answering, once more"
		switch c.ResumeReason {
		case "restart":
			v.Text = "Going on by itself after an interruption."
		case "retry":
			v.Text = "Trying again after an error."
		}
	}
	return v
}

func cutWords(reason string) string {
	switch reason {
	case "shutdown":
		return "The program was shut down in the middle of this answer. What was said is kept; it goes on by itself, or when you press Continue."
	case "lease_lost":
		return "Another copy of the program took this session over. What was said is kept."
	}
	return "The program stopped unexpectedly in the middle of this answer. What was said is kept; it goes on by itself, or when you press Continue."
}

func failed(c *classroom.Card) verdict {
	v := verdict{"bad", "circle-alert", "Not finished", "Something went wrong while the class was answering. What was said is kept.", "Try again"}
	if c.End == nil {
		return v
	}
	if c.End.Message != "" {
		v.Text = c.End.Message
	}
	switch c.End.Code {
	case "turn_cap", "tool_cap", "token_cap", "time_cap", "window_cap", "length":
		v.Tone, v.Title, v.Action = "warn", "Stopped at a limit", "Continue"
	}
	return v
}

// earlier reports that w was broken off and that a later attempt went on from
// what it had said.
func earlier(c *classroom.Card, w *classroom.Window) bool {
	return !w.Open && w.Attempt < c.Attempt &&
		(w.StopReason == classroom.StopAborted || w.StopReason == classroom.StopError)
}

// figures are a finished card's time, tokens and cost.
func figures(c *classroom.Card) string {
	if c.Ended == 0 {
		return ""
	}
	out := took(c.WorkedMS)
	u := c.Usage()
	if n := u.Input + u.Output; n > 0 {
		out = joined(out, plural(n, "token", "tokens"))
	}
	if c.End != nil && c.End.Cost != nil && *c.End.Cost > 0 {
		out = joined(out, "cost "+money(*c.End.Cost))
	}
	return out
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + " · " + b
}
