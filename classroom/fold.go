package classroom

// A Fold is what the page shows of a session's log up to Cursor. The zero Fold
// is an empty page.
type Fold struct {
	Cursor    Cursor
	ClassID   string
	Title     string
	Mode      string
	Roster    []Agent
	Rounds    int     // asked for; 0 leaves it to the mode
	Cards     []*Card // Cards[i] is exchange i+1
	Queue     Queue
	Running   int    // the exchange at work, 0 when idle
	Barrier   bool   // steer and follow-up are refused until agent_end
	HeaderRev Cursor // the last event that changed title or roster
	QueueAt   Cursor // the last queue_update
	QueueRev  Cursor // the last event that changed the queue, the barrier, Running or the status

	unplaced map[Cursor]*Utterance // messages that no card or window has yet
	compact  *Compaction           // the newest
}

// Of returns the fold of events, which begin at the start of a log.
func Of(events []Event) *Fold {
	f := new(Fold)
	for _, e := range events {
		f.Apply(e)
	}
	return f
}

// Apply adds one event to the fold. An event at or below the cursor changes
// nothing; any other moves the cursor, also when its type is unknown or its
// payload is malformed.
func (f *Fold) Apply(e Event) {
	if e.ID <= f.Cursor {
		return
	}
	f.Cursor = e.ID
	p, err := Decode(e)
	if err != nil || p == nil {
		return
	}
	f.apply(e, p)
}

// apply reports whether it knows the payload's type; a test checks that it covers [Types].
func (f *Fold) apply(e Event, p Payload) bool {
	switch p := p.(type) {
	case SessionStart:
		f.ClassID, f.Title, f.Mode, f.Roster, f.Rounds = p.ClassID, p.Title, p.Mode, p.Roster, p.Rounds
		f.HeaderRev = e.ID
	case TitleChange:
		f.Title, f.HeaderRev = p.Title, e.ID
	case UserMessage:
		f.userMessage(e, p)
	case QueueUpdate:
		f.queueUpdate(e, p)
	case RunStart:
		f.runStart(e, p)
	case RunResume:
		f.runResume(e, p)
	case RunInterrupt:
		f.runInterrupt(e, p)
	case RunEnd:
		f.runEnd(e, p)
	case CueUser:
		f.cueUser(e, p)
	case Safety:
		f.safety(e, p)
	case Hint:
		f.hint(e, p)
	case Lift:
		f.lift(e, p)
	case AgentStart:
		f.agentStart(e, p)
	case AgentEnd:
		f.agentEnd(e, p)
	case TurnStart:
		f.turnStart(e, p)
	case TurnEnd:
		f.turnEnd(e, p)
	default:
		return f.applyInWindow(e, p) || f.applyLink(e, p)
	}
	return true
}

func (f *Fold) applyInWindow(e Event, p Payload) bool {
	switch p := p.(type) {
	case MessageStart:
		f.messageStart(e, p)
	case MessageUpdate:
		f.messageUpdate(e, p)
	case MessageEnd:
		f.messageEnd(e, p)
	case ToolExecutionStart:
		f.toolStart(e, p)
	case ToolExecutionUpdate:
		f.toolUpdate(e, p)
	case ToolExecutionEnd:
		f.toolEnd(e, p)
	case Retry:
		f.retry(e, p)
	case Compaction:
		f.compact = &p
		f.entry(e, &Entry{Notice: &p})
	case Withheld:
		f.withheld(e, p)
	case Whiteboard: // kept in the log; no page shows drawings yet
	default:
		return false
	}
	return true
}

// Card returns the card of an exchange, or nil.
func (f *Fold) Card(exchange int) *Card {
	if exchange < 1 || exchange > len(f.Cards) {
		return nil
	}
	return f.Cards[exchange-1]
}

// LastCard returns the newest card, or nil.
func (f *Fold) LastCard() *Card { return f.Card(len(f.Cards)) }

// Status says whether the session is at work.
func (f *Fold) Status() Status {
	if f.Running != 0 {
		return Running
	}
	if c := f.LastCard(); c != nil && c.State == CardInterrupted {
		return Interrupted
	}
	return Idle
}

// RosterAgent returns the agent of that id as the session's roster has it.
func (f *Fold) RosterAgent(id string) (Agent, bool) {
	for _, a := range f.Roster {
		if a.ID == id {
			return a, true
		}
	}
	return Agent{}, false
}

// Compacted returns the newest compaction, or nil.
func (f *Fold) Compacted() *Compaction { return f.compact }

// touch marks the card as changed by e, and returns it.
func (f *Fold) touch(e Event) *Card {
	c := f.Card(e.Exchange)
	if c != nil {
		c.Rev = e.ID
	}
	return c
}

// window marks the newest window of e's exchange as changed, and returns it.
func (f *Fold) window(e Event) *Window {
	c := f.touch(e)
	if c == nil || len(c.Windows) == 0 {
		return nil
	}
	w := c.LastWindow()
	w.Rev = e.ID
	return w
}

// entry appends x to the newest window of e's exchange.
func (f *Fold) entry(e Event, x *Entry) *Entry {
	w := f.window(e)
	if w == nil {
		return nil
	}
	if len(w.Entries) == 0 {
		w.HeaderRev = e.ID // the thinking indicator goes
	}
	x.Index, x.Rev = len(w.Entries), e.ID
	w.Entries = append(w.Entries, x)
	return x
}
