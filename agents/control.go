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

// resume starts another attempt at a card's exchange. s.mu is held and the session is idle.
func (s *session) resume(ctx context.Context, sp *speakers, c *classroom.Card, reason string) error {
	r := s.newRun(sp, c.Exchange, c.Attempt+1)
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

// Rename gives the session a title.
func (rt *Runtime) Rename(ctx context.Context, id, title, by string) error {
	s, err := rt.leasedSession(ctx, id)
	if err != nil {
		return err
	}
	defer s.unlock()
	change := classroom.Draft{Payload: classroom.TitleChange{Title: title, By: by}}
	_, err = s.append(context.WithoutCancel(ctx), s.generation, change)
	return err
}
