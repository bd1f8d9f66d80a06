package classroom

func (f *Fold) userMessage(e Event, p UserMessage) {
	message := Utterance{Cursor: e.ID, Author: p.Author, Text: p.Text, Option: p.Option, Time: e.Time,
		Speakers: p.Speakers}
	if p.Delivery == Prompt && e.Exchange == len(f.Cards)+1 {
		f.openCard(e.ID, message)
		return
	}
	if f.unplaced == nil {
		f.unplaced = map[Cursor]*Utterance{}
	}
	f.unplaced[e.ID] = &message
}

// openCard opens the next card with a question.
func (f *Fold) openCard(rev Cursor, question Utterance) *Card {
	if last := f.LastCard(); last != nil && last.Cue != nil {
		last.Cue, last.Rev, last.FootRev = nil, rev, rev
	}
	c := &Card{Exchange: len(f.Cards) + 1, Question: question, State: CardAsked, Rev: rev, FootRev: rev}
	f.Cards = append(f.Cards, c)
	f.Queue.Dropped, f.Queue.Reason, f.QueueRev = nil, "", rev // the status may change too
	return c
}

func (f *Fold) queueUpdate(e Event, p QueueUpdate) {
	for _, at := range p.Delivered {
		if message := f.removeUnplaced(at); message != nil {
			f.entry(e, &Entry{Steer: message})
		}
	}
	f.QueueRev, f.QueueAt = e.ID, e.ID
	dropped := []Queued(nil)
	for _, at := range p.Dropped {
		if message := f.removeUnplaced(at); message != nil {
			dropped = append(dropped, Queued{Cursor: at, Text: message.Text})
		}
	}
	if p.Reason == "barrier" { // what a person took out is not offered again
		f.Barrier, f.Queue.Dropped, f.Queue.Reason = true, dropped, p.Reason
	}
	f.Queue.Steer, f.Queue.FollowUp = p.Steer, p.FollowUp
	f.applyEdits(p.Steer)
	f.applyEdits(p.FollowUp)
}

// applyEdits gives waiting messages the text that their queue has. The update
// that removes a message from its queue no longer has the text.
func (f *Fold) applyEdits(queue []Queued) {
	for _, q := range queue {
		if message := f.unplaced[q.Cursor]; message != nil {
			message.Text = q.Text
		}
	}
}

// removeUnplaced removes the message at a cursor from those without a place, and
// returns it, or nil where there is none.
func (f *Fold) removeUnplaced(at Cursor) *Utterance {
	message := f.unplaced[at]
	delete(f.unplaced, at)
	return message
}

func (f *Fold) runStart(e Event, p RunStart) {
	c := f.Card(e.Exchange)
	if c == nil && e.Exchange == len(f.Cards)+1 {
		for i, w := range f.Queue.FollowUp {
			if w.Cursor == p.Prompt {
				f.Queue.FollowUp = append(append([]Queued{}, f.Queue.FollowUp[:i]...), f.Queue.FollowUp[i+1:]...)
				break
			}
		}
		question := f.removeUnplaced(p.Prompt)
		if question == nil {
			question = &Utterance{Cursor: p.Prompt, Time: e.Time}
		}
		c = f.openCard(e.ID, *question)
	}
	if c == nil {
		return
	}
	c.State, c.Attempt, c.End, c.Ended = CardRunning, 1, nil, 0
	c.Started, c.attemptStarted = e.Time, e.Time
	c.Rev, c.FootRev = e.ID, e.ID
	f.Running, f.QueueRev = c.Exchange, e.ID
}

func (f *Fold) runResume(e Event, p RunResume) {
	c := f.touch(e)
	if c == nil {
		return
	}
	c.State, c.Attempt, c.End, c.Ended = CardRunning, max(e.Attempt, c.Attempt+1), nil, 0
	c.ResumeReason, c.InterruptReason = p.Reason, ""
	c.attemptStarted, c.FootRev = e.Time, e.ID
	f.Running, f.QueueRev = c.Exchange, e.ID
	for _, w := range c.Windows { // from now on the aborted windows are shown as an earlier attempt
		if w.StopReason == StopAborted || w.StopReason == StopError {
			w.Rev, w.HeaderRev = e.ID, e.ID
		}
	}
}

func (f *Fold) runInterrupt(e Event, p RunInterrupt) {
	c := f.touch(e)
	if c == nil {
		return
	}
	c.State, c.InterruptReason, c.End, c.Ended, c.FootRev = CardInterrupted, p.Reason, nil, 0, e.ID
	c.endAttempt(e.Time)
	f.stopRunning(e)
}

func (f *Fold) runEnd(e Event, p RunEnd) {
	c := f.touch(e)
	if c == nil {
		return
	}
	switch p.Status {
	case Completed:
		c.State = CardCompleted
	case Cancelled:
		c.State = CardCancelled
	default:
		c.State = CardFailed
	}
	c.End, c.Ended, c.FootRev, c.Counted = &p, e.Time, e.ID, len(c.Windows)
	c.showLinks()
	c.endAttempt(e.Time)
	f.stopRunning(e)
}

// endAttempt adds the time of the attempt that ends to WorkedMS.
func (c *Card) endAttempt(at Stamp) {
	if c.attemptStarted != 0 && at > c.attemptStarted {
		c.WorkedMS += int64(at - c.attemptStarted)
	}
	c.attemptStarted = 0
}

func (f *Fold) stopRunning(e Event) {
	f.Running, f.Barrier, f.QueueRev = 0, false, e.ID
}

func (f *Fold) cueUser(e Event, p CueUser) {
	if c := f.touch(e); c != nil {
		c.Cue, c.FootRev = &p, e.ID
	}
}

func (f *Fold) agentStart(e Event, p AgentStart) {
	c := f.touch(e)
	if c == nil {
		return
	}
	a, ok := f.RosterAgent(e.Agent)
	if !ok {
		a = Agent{ID: e.Agent}
	}
	a.Name, a.Role = p.Name, p.Role
	if c.CutShort() {
		c.FootRev = e.ID // the foot no longer shows "Cut off"
	}
	c.Windows = append(c.Windows, &Window{
		Index: len(c.Windows), Agent: a, Attempt: max(e.Attempt, 1), Cursor: e.ID,
		StageRole: p.StageRole, Round: p.Round, By: p.By, Model: p.Model,
		Open: true, Started: e.Time, Rev: e.ID, HeaderRev: e.ID,
	})
}

func (f *Fold) agentEnd(e Event, p AgentEnd) {
	w := f.window(e)
	if w == nil {
		return
	}
	w.Open, w.Ended, w.HeaderRev = false, e.Time, e.ID
	w.StopReason, w.Usage = p.StopReason, p.Usage
	if f.Barrier {
		f.Barrier, f.QueueRev = false, e.ID
	}
	c := f.Card(e.Exchange)
	c.showLinks()
	c.FootRev = e.ID
}

func (f *Fold) turnStart(e Event, p TurnStart) {
	if w := f.window(e); w != nil && w.Turns != p.Turn {
		w.Turns, w.HeaderRev = p.Turn, e.ID
	}
}

func (f *Fold) turnEnd(e Event, _ TurnEnd) { f.window(e) }

// applyLink notes what an exchange produced; [Card.showLinks] shows it.
func (f *Fold) applyLink(e Event, p Payload) bool {
	var l Link
	switch p := p.(type) {
	case Checkpoint:
		l = Link{TypeCheckpoint, p.LessonID + "/" + p.SceneID, p.Title}
	case StageLink:
		l = Link{TypeStageLink, p.LessonID, p.Title}
	case LibraryChanged:
		l = Link{TypeLibraryChanged, p.LessonID, p.Title}
	case MediaReady:
		l = Link{TypeMediaReady, p.Ref, ""}
	default:
		return false
	}
	c := f.touch(e)
	if c == nil {
		return true
	}
	c.pending = append(c.pending, l)
	if c.End != nil {
		c.showLinks()
		c.FootRev = e.ID
	}
	return true
}

// showLinks moves the pending links to the tail, each reference once.
func (c *Card) showLinks() {
	for _, l := range c.pending {
		seen := false
		for i, t := range c.Products {
			if t.Kind == l.Kind && t.Ref == l.Ref {
				seen = true
				if l.Title != "" {
					c.Products[i].Title = l.Title
				}
			}
		}
		if !seen {
			c.Products = append(c.Products, l)
		}
	}
	c.pending = nil
}
