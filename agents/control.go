package agents

import (
	"context"

	"colloquy/classroom"
)

// Cancel stops the session's run. It returns at once: run_end follows within a
// second. With nothing to stop it does nothing.
func (rt *Runtime) Cancel(ctx context.Context, id string) error {
	s, err := rt.session(ctx, id)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	if s.run != nil && !s.run.stopped {
		s.run.stopped = true
		s.run.cancel(errCancelled)
	}
	return nil
}

// Resume goes on with the session's last exchange when that was interrupted,
// failed, stopped or cut short, and otherwise delivers the waiting queue. With
// nothing to continue it fails with ErrNothingToResume.
func (rt *Runtime) Resume(ctx context.Context, id string) error {
	s, err := rt.session(ctx, id)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	if s.run != nil {
		return classroom.ErrNothingToResume
	}
	ctx = context.WithoutCancel(ctx)
	if c := s.fold.LastCard(); c != nil && (c.State != classroom.CardCompleted || c.CutShort()) {
		return s.resume(ctx, c, "user")
	}
	return s.sendQueue(ctx)
}

// SendQueue opens the next exchange with the message that waits longest.
func (rt *Runtime) SendQueue(ctx context.Context, id string) error {
	s, err := rt.session(ctx, id)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	if s.run != nil {
		return classroom.ErrNothingToResume
	}
	return s.sendQueue(context.WithoutCancel(ctx))
}

func (s *session) sendQueue(ctx context.Context) error {
	q := s.queue()
	if len(q.FollowUp) == 0 {
		return classroom.ErrNothingToResume
	}
	r, err := s.lease(ctx, len(s.fold.Cards)+1, 1)
	if err != nil {
		return err
	}
	next := q.FollowUp[0]
	q.FollowUp = q.FollowUp[1:]
	if _, err := s.append(ctx, r.generation, classroom.Draft{Payload: q}, r.start(next.Cursor)); err != nil {
		return err
	}
	s.begin(r)
	return nil
}

// resume starts another attempt at a card's exchange. s.mu is held and the session is idle.
func (s *session) resume(ctx context.Context, c *classroom.Card, reason string) error {
	r, err := s.lease(ctx, c.Exchange, c.Attempt+1)
	if err != nil {
		return err
	}
	first := r.draft(classroom.RunResume{Reason: reason})
	if c.State == classroom.CardAsked {
		r.attempt = 1
		first = r.start(c.Question.Cursor)
	}
	if _, err := s.append(ctx, r.generation, first); err != nil {
		return err
	}
	s.begin(r)
	return nil
}

// EditQueue replaces the waiting messages: reordered, edited or left out. It
// fails with ErrQueueChanged where a message it names no longer waits.
func (rt *Runtime) EditQueue(ctx context.Context, id string, steer, followUp []classroom.Waiting) error {
	s, err := rt.session(ctx, id)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	u := classroom.QueueUpdate{Steer: steer, FollowUp: followUp, Reason: "edited"}
	waiting := map[classroom.Cursor]bool{}
	for _, w := range append(s.queue().Steer, s.queue().FollowUp...) {
		waiting[w.Cursor] = true
	}
	for _, w := range append(append([]classroom.Waiting{}, steer...), followUp...) {
		if !waiting[w.Cursor] {
			return classroom.ErrQueueChanged
		}
		if err := (classroom.Post{Text: w.Text}).Check(); err != nil {
			return err
		}
		delete(waiting, w.Cursor)
	}
	for at := range waiting {
		u.Dropped = append(u.Dropped, at)
	}
	generation := int64(0)
	if s.run != nil {
		generation = s.run.generation
	}
	_, err = s.append(context.WithoutCancel(ctx), generation, classroom.Draft{Payload: u})
	return err
}

// Rename gives the session a title.
func (rt *Runtime) Rename(ctx context.Context, id, title, by string) error {
	s, err := rt.session(ctx, id)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	_, err = s.append(context.WithoutCancel(ctx), 0, classroom.Draft{Payload: classroom.TitleChange{Title: title, By: by}})
	return err
}
