package classroom

func (f *Fold) userMessage(e Event, p UserMessage) {
	said := Said{Cursor: e.ID, Author: p.Author, Text: p.Text, Time: e.Time}
	if p.Delivery == Prompt && e.Exchange == len(f.Cards)+1 {
		f.ask(e.ID, said)
		return
	}
	if f.said == nil {
		f.said = map[Cursor]*Said{}
	}
	f.said[e.ID] = &said
}

// ask opens the next card.
func (f *Fold) ask(rev Cursor, said Said) *Card {
	if last := f.LastCard(); last != nil && last.Cue != nil {
		last.Cue, last.Rev, last.FootRev = nil, rev, rev
	}
	c := &Card{Exchange: len(f.Cards) + 1, Question: said, State: CardAsked, Rev: rev, FootRev: rev}
	f.Cards = append(f.Cards, c)
	f.Queue.Dropped, f.Queue.Reason, f.QueueRev = nil, "", rev // the status may change too
	return c
}

func (f *Fold) queueUpdate(e Event, p QueueUpdate) {
	for _, at := range p.Delivered {
		if said := f.take(at); said != nil {
			f.entry(e, &Entry{Steer: said})
		}
	}
	f.QueueRev, f.QueueAt = e.ID, e.ID
	dropped := []Queued(nil)
	for _, at := range p.Dropped {
		if said := f.take(at); said != nil {
			dropped = append(dropped, Queued{at, said.Text})
		}
	}
	if p.Reason == "barrier" { // what a person took out is not offered again
		f.Barrier, f.Queue.Dropped, f.Queue.Reason = true, dropped, p.Reason
	}
	f.Queue.Steer, f.Queue.FollowUp = p.Steer, p.FollowUp
	f.edit(p.Steer)
	f.edit(p.FollowUp)
}

// edit gives waiting messages the text their queue shows. It must happen here:
// the update that takes a message out of its queue no longer says its text.
func (f *Fold) edit(waiting []Queued) {
	for _, w := range waiting {
		if said := f.said[w.Cursor]; said != nil {
			said.Text = w.Text
		}
	}
}

// take removes a waiting message from those nobody holds.
func (f *Fold) take(at Cursor) *Said {
	said := f.said[at]
	delete(f.said, at)
	return said
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
		said := f.take(p.Prompt)
		if said == nil {
			said = &Said{Cursor: p.Prompt, Time: e.Time}
		}
		c = f.ask(e.ID, *said)
	}
	if c == nil {
		return
	}
	c.State, c.Attempt, c.Started, c.End, c.Ended, c.Rev, c.FootRev = CardRunning, 1, e.Time, nil, 0, e.ID, e.ID
	c.since = e.Time
	f.Running, f.QueueRev = c.Exchange, e.ID
}

func (f *Fold) runResume(e Event, p RunResume) {
	c := f.touch(e)
	if c == nil {
		return
	}
	c.State, c.Attempt, c.ResumeReason, c.InterruptReason, c.End, c.Ended, c.FootRev = CardRunning, max(e.Attempt, c.Attempt+1), p.Reason, "", nil, 0, e.ID
	f.Running, f.QueueRev, c.since = c.Exchange, e.ID, e.Time
	for _, w := range c.Windows { // what was broken off is from now on an earlier attempt
		if w.StopReason == StopAborted || w.StopReason == StopError {
			w.Rev, w.HeadRev = e.ID, e.ID
		}
	}
}

func (f *Fold) runInterrupt(e Event, p RunInterrupt) {
	c := f.touch(e)
	if c == nil {
		return
	}
	c.State, c.InterruptReason, c.End, c.Ended, c.FootRev = CardInterrupted, p.Reason, nil, 0, e.ID
	c.rest(e.Time)
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
	c.flush()
	c.rest(e.Time)
	f.stopRunning(e)
}

// rest counts the time of the attempt that ends.
func (c *Card) rest(at Stamp) {
	if c.since != 0 && at > c.since {
		c.WorkedMS += int64(at - c.since)
	}
	c.since = 0
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
		c.FootRev = e.ID // the foot no longer says so
	}
	c.Windows = append(c.Windows, &Window{Index: len(c.Windows), Agent: a, Attempt: max(e.Attempt, 1), Cursor: e.ID,
		Part: p.StageRole, Round: p.Round, By: p.By, Model: p.Model, Open: true, Started: e.Time, Rev: e.ID, HeadRev: e.ID})
}

func (f *Fold) agentEnd(e Event, p AgentEnd) {
	w := f.window(e)
	if w == nil {
		return
	}
	w.Open, w.Ended, w.StopReason, w.Usage, w.HeadRev = false, e.Time, p.StopReason, p.Usage, e.ID
	if f.Barrier {
		f.Barrier, f.QueueRev = false, e.ID
	}
	c := f.Card(e.Exchange)
	c.flush()
	c.FootRev = e.ID
}

func (f *Fold) turnStart(e Event, p TurnStart) {
	if w := f.window(e); w != nil && w.Turns != p.Turn {
		w.Turns, w.HeadRev = p.Turn, e.ID
	}
}

func (f *Fold) turnEnd(e Event, _ TurnEnd) { f.window(e) }

// applyLink gathers what an exchange produced; [Card.flush] shows it.
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
		c.flush()
		c.FootRev = e.ID
	}
	return true
}

// flush moves what is pending to the tail, each reference once.
func (c *Card) flush() {
	for _, l := range c.pending {
		seen := false
		for i, t := range c.Tail {
			if t.Kind == l.Kind && t.Ref == l.Ref {
				seen = true
				if l.Title != "" {
					c.Tail[i].Title = l.Title
				}
			}
		}
		if !seen {
			c.Tail = append(c.Tail, l)
		}
	}
	c.pending = nil
}
