package agents

import (
	"context"
	"slices"
	"sort"

	"colloquy/classroom"
)

// enqueue adds a message to a queue. s.mu is held and the session has a run.
func (s *session) enqueue(ctx context.Context, p classroom.Post, d classroom.Delivery) (classroom.Receipt, error) {
	message := classroom.Draft{Payload: userMessage(p, d)}
	if d == classroom.Steer {
		message.Exchange = s.run.exchange
	}
	q := s.queue()
	w := classroom.Queued{Cursor: s.fold.Cursor + 1, Text: p.Text, StaffOnly: staffOnly(p.Text)}
	if d == classroom.Steer {
		q.Steer = append(q.Steer, w)
	} else {
		q.FollowUp = append(q.FollowUp, w)
	}
	events, err := s.append(ctx, s.run.generation, message, classroom.Draft{Payload: q})
	if err != nil {
		return classroom.Receipt{}, err
	}
	if s.run.stopped {
		s.run.afterStop = events[0].ID
	}
	return receipt(events[0], d), s.answerDistress(ctx, nil)
}

// queue returns a copy of both queues. s.mu is held.
func (s *session) queue() classroom.QueueUpdate {
	return classroom.QueueUpdate{
		Steer:    append([]classroom.Queued{}, s.fold.Queue.Steer...),
		FollowUp: append([]classroom.Queued{}, s.fold.Queue.FollowUp...),
	}
}

func (s *session) sendQueue(ctx context.Context, sp *speakers) error {
	q := s.queue()
	if len(q.FollowUp) == 0 {
		return classroom.ErrNothingToResume
	}
	r := s.newRun(sp, len(s.fold.Cards)+1, 1)
	_, at := findQueuedDistress(q.FollowUp)
	at = max(at, 0)
	next := q.FollowUp[at]
	q.FollowUp = slices.Delete(q.FollowUp, at, at+1)
	drafts := append(s.supersededEnd(), classroom.Draft{Payload: q}, r.startDraft(next.Cursor))
	if _, err := s.append(ctx, r.generation, drafts...); err != nil {
		return err
	}
	s.startRun(r)
	return nil
}

// EditQueue replaces the waiting messages: it may reorder, edit or remove them. It
// returns ErrQueueChanged where a message that it names no longer waits, or where
// the queue changed after seen, which is the last cursor that the sender has read.
// A seen of 0 skips the second check.
func (rt *Runtime) EditQueue(
	ctx context.Context, id string, seen classroom.Cursor, steer, followUp []classroom.Queued,
) error {
	edit := func(now classroom.QueueUpdate, since classroom.Cursor) (classroom.QueueUpdate, error) {
		if seen != 0 && since > seen {
			return now, classroom.ErrQueueChanged
		}
		waiting := map[classroom.Cursor]classroom.Queued{}
		for _, w := range append(now.Steer, now.FollowUp...) {
			waiting[w.Cursor] = w
		}
		u := classroom.QueueUpdate{Steer: steer, FollowUp: followUp, Reason: "edited"}
		for _, list := range [][]classroom.Queued{steer, followUp} {
			for i, w := range list {
				before, ok := waiting[w.Cursor]
				if !ok {
					return now, classroom.ErrQueueChanged
				}
				if w.Text == "" && before.StaffOnly != "" { // its editor may not read it
					w.Text = before.Text
				}
				if err := (classroom.Post{Text: w.Text}).Check(); err != nil {
					return now, err
				}
				list[i] = classroom.Queued{Cursor: w.Cursor, Text: w.Text, StaffOnly: staffOnly(w.Text)}
				delete(waiting, w.Cursor)
			}
		}
		for at := range waiting {
			u.Dropped = append(u.Dropped, at)
		}
		slices.Sort(u.Dropped)
		return u, nil
	}
	return rt.changeQueue(ctx, id, edit)
}

// Unqueue removes one waiting message. It returns ErrQueueChanged where that
// message no longer waits.
func (rt *Runtime) Unqueue(ctx context.Context, id string, at classroom.Cursor) error {
	return rt.changeQueue(ctx, id, func(now classroom.QueueUpdate, _ classroom.Cursor) (classroom.QueueUpdate, error) {
		is := func(w classroom.Queued) bool { return w.Cursor == at }
		before := len(now.Steer) + len(now.FollowUp)
		now.Steer, now.FollowUp = slices.DeleteFunc(now.Steer, is), slices.DeleteFunc(now.FollowUp, is)
		if len(now.Steer)+len(now.FollowUp) == before {
			return now, classroom.ErrQueueChanged
		}
		now.Dropped, now.Reason = []classroom.Cursor{at}, "edited"
		return now, nil
	})
}

// A queueChange returns the new queues. now is the current state, and since is the
// cursor of its last change.
type queueChange func(now classroom.QueueUpdate, since classroom.Cursor) (classroom.QueueUpdate, error)

// changeQueue commits the queues that change makes of the present ones.
func (rt *Runtime) changeQueue(ctx context.Context, id string, change queueChange) error {
	s, sp, err := rt.sessionWithSpeakers(ctx, id)
	if err != nil {
		return err
	}
	defer s.unlock()
	u, err := change(s.queue(), s.fold.QueueAt)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if _, err = s.append(ctx, s.generation, classroom.Draft{Payload: u}); err != nil {
		return err
	}
	return s.answerDistress(ctx, sp)
}

// nextQueued picks the waiting message that opens the next exchange, and returns
// the others. After a completed run it is the first one, after a failed run none.
// After Stop it is only a message sent since: whoever stops and asks again wants
// the new answer. A message of distress never waits.
func (r *run) nextQueued(end classroom.RunEnd, waiting []classroom.Queued) (*classroom.Queued, []classroom.Queued) {
	_, at := findQueuedDistress(waiting)
	for i := 0; at < 0 && i < len(waiting); i++ {
		if end.Status == classroom.Completed || r.afterStop != 0 && waiting[i].Cursor == r.afterStop {
			at = i
		}
	}
	if at < 0 {
		return nil, waiting
	}
	next := waiting[at]
	return &next, append(append([]classroom.Queued{}, waiting[:at]...), waiting[at+1:]...)
}

func sortByCursor(w []classroom.Queued) []classroom.Queued {
	sort.SliceStable(w, func(i, j int) bool { return w[i].Cursor < w[j].Cursor })
	return w
}
