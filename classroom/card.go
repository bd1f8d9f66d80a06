package classroom

import (
	"encoding/json"
	"strings"
)

// A CardState is the run state of an exchange. Only run_end makes it one of
// the last three.
type CardState string

// The states of a card.
const (
	CardAsked       CardState = "asked" // the question is in the log, the run has not started
	CardRunning     CardState = "running"
	CardInterrupted CardState = "interrupted"
	CardCompleted   CardState = "completed"
	CardFailed      CardState = "failed"
	CardCancelled   CardState = "cancelled"
)

// An Utterance is what a person wrote.
type Utterance struct {
	Cursor Cursor
	Author Author
	Text   string
	Option string // id of the cue's option that Text is the label of
	Time   Stamp

	Speakers string // who answers, over the rules of the class; empty: as they say
}

// A Card is one exchange: the question and its whole answer.
type Card struct {
	Exchange        int
	Question        Utterance
	State           CardState
	Attempt         int
	Started         Stamp // run_start; 0 before
	Ended           Stamp // the last run_end; 0 where End is nil
	WorkedMS        int64 // how long the attempts took together, up to the last that ended
	Windows         []*Window
	Counted         int         // how many of Windows the run_ends so far include in their usage
	End             *RunEnd     // the last run_end; nil unless the card is completed, failed or cancelled
	InterruptReason string      // of the last run_interrupt, "" once the run went on
	ResumeReason    string      // of the last run_resume
	Cue             *CueUser    // open until the next question
	Safety          *CardSafety // a message of distress ended the exchange
	Hint            *Hint       // how much of the answer is given; nil: all
	Lift            *Lift       // the whole answer, which somebody gave free
	Guarded         int         // how often an agent was about to give away what is withheld
	Replaced        int         // how often a fixed hint stands for what it said
	Products        []Link      // what the exchange produced, first seen first
	Rev             Cursor      // the last event that changed anything in the card
	FootRev         Cursor      // the last event that changed the card's own fields, Usage or CutShort
	pending         []Link      // added to Products at agent_end
	attemptStarted  Stamp       // 0 while no attempt is at work
}

// A Link is something an exchange produced.
type Link struct {
	Kind  Type // checkpoint, stage_link, library_changed or media_ready
	Ref   string
	Title string
}

// A Window is one agent's time on the floor.
type Window struct {
	Index      int // its place in the card, from 0
	Agent      Agent
	StageRole  string // in the session's mode: a Stage constant; "" is the role's own
	Round      int
	By         string // who gave the floor: a By constant
	Model      string // of the agent, as "provider:name"
	Cursor     Cursor // of its agent_start
	Attempt    int
	Open       bool
	Turns      int
	Started    Stamp
	Ended      Stamp
	StopReason StopReason
	Usage      Usage
	Entries    []*Entry
	Rev        Cursor // the last event that changed anything in the window
	HeaderRev  Cursor // the last event that changed the window's own fields
}

// Thinking reports that the agent has the floor and has shown nothing yet.
func (w *Window) Thinking() bool { return w.Open && len(w.Entries) == 0 }

// An Entry is one thing in a window, in the order of the log: exactly one of
// its pointers is set.
type Entry struct {
	Index   int // its place in the window, from 0
	Message *Message
	Call    *Call
	Steer   *Utterance
	Retry   *Retry
	Notice  *Compaction
	Rev     Cursor
}

// A Message is one assistant message, growing while Open.
type Message struct {
	ID         string
	Open       bool
	Blocks     []*BlockView
	StopReason StopReason
	Usage      Usage
	Started    Stamp
	Ended      Stamp
	Citations  []Citation
	Superseded bool // a retry replaced it; shown folded as an earlier attempt
}

// A BlockView is a block of a message as the page shows it.
type BlockView struct {
	Kind    string // text, thinking or tool_call
	Text    string // of text and thinking; the raw arguments of a tool call
	CallID  string
	Name    string
	Opaque  string // of thinking and tool calls: what the provider wants back
	Started Stamp
	Ended   Stamp // when its last delta came, or message_end
	Rev     Cursor
	text    strings.Builder // the storage of Text while deltas come: a delta copies none of those before it
}

// A Call is one tool execution.
type Call struct {
	ID         string
	Name       string
	View       string // how a card shows it; empty in logs of earlier versions
	Args       json.RawMessage
	Progress   string
	Done       bool
	IsError    bool
	Content    string // the text the model was given
	Details    json.RawMessage
	Started    Stamp
	DurationMS int64
}

// Text returns what the message says, its text blocks joined by blank lines.
func (m *Message) Text() string {
	out := ""
	for _, p := range m.Blocks {
		if p.Kind != BlockText || p.Text == "" {
			continue
		}
		if out != "" {
			out += "\n\n"
		}
		out += p.Text
	}
	return out
}

// Usage sums what the card's windows used.
func (c *Card) Usage() Usage {
	if c.End != nil {
		return c.End.Usage
	}
	var u Usage
	for _, w := range c.Windows {
		u = u.Plus(w.Usage)
	}
	return u
}

// LastWindow returns the latest window, or nil.
func (c *Card) LastWindow() *Window {
	if len(c.Windows) == 0 {
		return nil
	}
	return c.Windows[len(c.Windows)-1]
}

// LastSteer returns the newest message of a person that entered the exchange, or nil.
func (c *Card) LastSteer() *Utterance {
	for i := len(c.Windows) - 1; i >= 0; i-- {
		entries := c.Windows[i].Entries
		for j := len(entries) - 1; j >= 0; j-- {
			if entries[j].Steer != nil {
				return entries[j].Steer
			}
		}
	}
	return nil
}

// CutShort reports that an agent's last answer stopped at the model's length
// limit, and that it can go on.
func (c *Card) CutShort() bool {
	if c.Safety != nil {
		return false
	}
	last := map[string]*Window{}
	for _, w := range c.Windows {
		last[w.Agent.ID] = w
	}
	for _, w := range last {
		if !w.Open && w.StopReason == StopLength {
			return true
		}
	}
	return false
}
