package agents

import (
	"context"
	"slices"

	"colloquy/classroom"
)

// Cancel stops the session's run. It returns at once: run_end follows within a
// second. With nothing to stop it does nothing.
func (rt *Runtime) Cancel(ctx context.Context, id string) error {
	s, err := rt.session(ctx, id)
	if err != nil {
		return err
	}
	defer s.unlock()
	if s.run != nil && !s.run.stopped {
		s.run.stopped = true
		s.run.cancel(errCancelled)
	}
	return nil
}

// Resume continues the session's last exchange where that was interrupted,
// failed, stopped or cut short; otherwise it opens the next exchange with a
// waiting message. With nothing to continue it returns ErrNothingToResume.
func (rt *Runtime) Resume(ctx context.Context, id string) error {
	s, sp, err := rt.sessionWithSpeakers(ctx, id)
	if err != nil {
		return err
	}
	defer s.unlock()
	if s.run != nil {
		return classroom.ErrNothingToResume
	}
	ctx = context.WithoutCancel(ctx)
	if c := s.fold.LastCard(); c != nil && (c.State != classroom.CardCompleted || c.CutShort()) {
		return s.resume(ctx, sp, c, "user")
	}
	return s.sendQueue(ctx, sp)
}

// SendQueue opens the next exchange with the message that waits longest, or
// with one of distress.
func (rt *Runtime) SendQueue(ctx context.Context, id string) error {
	s, sp, err := rt.sessionWithSpeakers(ctx, id)
	if err != nil {
		return err
	}
	defer s.unlock()
	if s.run != nil {
		return classroom.ErrNothingToResume
	}
	return s.sendQueue(context.WithoutCancel(ctx), sp)
}

func (s *session) sendQueue(ctx context.Context, sp *speakers) error {
	q := s.queue()
	if len(q.FollowUp) == 0 {
		return classroom.ErrNothingToResume
	}
	r, err := s.newRun(ctx, sp, len(s.fold.Cards)+1, 1)
	if err != nil {
		return err
	}
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

// resume starts another attempt at a card's exchange. s.mu is held and the session is idle.
func (s *session) resume(ctx context.Context, sp *speakers, c *classroom.Card, reason string) error {
	r, err := s.newRun(ctx, sp, c.Exchange, c.Attempt+1)
	if err != nil {
		return err
	}
	first := r.draft(classroom.RunResume{Reason: reason})
	if c.State == classroom.CardAsked {
		r.attempt = 1
		first = r.startDraft(c.Question.Cursor)
	}
	if _, err := s.append(ctx, r.generation, first); err != nil {
		return err
	}
	s.startRun(r)
	return nil
}

// EditQueue replaces the waiting messages: it may reorder, edit or remove them. It
// returns ErrQueueChanged where a message that it names no longer waits, or where
// the queue changed after the cursor seen, up to which the sender has read the
// log. A seen of 0 skips the second check.
func (rt *Runtime) EditQueue(
	ctx context.Context, id string, seen classroom.Cursor, steer, followUp []classroom.Queued,
) error {
	edit := func(now classroom.QueueUpdate, since classroom.Cursor) (classroom.QueueUpdate, error) {
		if seen != 0 && since > seen {
			return now, classroom.ErrQueueChanged
		}
		waiting := map[classroom.Cursor]bool{}
		for _, w := range append(now.Steer, now.FollowUp...) {
			waiting[w.Cursor] = true
		}
		u := classroom.QueueUpdate{Steer: steer, FollowUp: followUp, Reason: "edited"}
		for _, w := range append(append([]classroom.Queued{}, steer...), followUp...) {
			if !waiting[w.Cursor] {
				return now, classroom.ErrQueueChanged
			}
			if err := (classroom.Post{Text: w.Text}).Check(); err != nil {
				return now, err
			}
			delete(waiting, w.Cursor)
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

// A queueChange makes new queues of the present ones, which are as they have been
// since a cursor.
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
	generation := int64(0)
	if s.run != nil {
		generation = s.run.generation
	}
	ctx = context.WithoutCancel(ctx)
	if _, err = s.append(ctx, generation, classroom.Draft{Payload: u}); err != nil {
		return err
	}
	return s.answerDistress(ctx, sp)
}

// Rename gives the session a title.
func (rt *Runtime) Rename(ctx context.Context, id, title, by string) error {
	s, err := rt.session(ctx, id)
	if err != nil {
		return err
	}
	defer s.unlock()
	change := classroom.Draft{Payload: classroom.TitleChange{Title: title, By: by}}
	_, err = s.append(context.WithoutCancel(ctx), 0, change)
	return err
}
