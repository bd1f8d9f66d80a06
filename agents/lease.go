package agents

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"colloquy/classroom"
)

// keepLeases renews the leases of sessions that run and releases those of
// sessions that do not, until the runtime closes.
func (rt *Runtime) keepLeases() {
	tick := time.NewTicker(leaseRenew)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			for _, s := range rt.sessions() {
				s.keepLease(rt.ctx)
			}
			rt.recoverOpenRuns(rt.ctx)
		case <-rt.ctx.Done():
			return
		}
	}
}

// keepLease renews the session's lease, or releases it when nothing runs. A run
// whose lease is lost ends without an event: the log belongs to another process.
func (s *session) keepLease(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, leaseRenew)
	defer cancel()
	generation, err := s.releaseIfIdle(ctx)
	if generation != 0 { // renewed without the lock, so that requests do not wait for it
		err = s.rt.o.Leases.Renew(ctx, s.id, generation, leaseTTL)
	}
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, classroom.ErrLeaseLost) && s.loseLease(generation):
	default:
		s.rt.o.Logger.Warn("lease not kept", "session", s.id, "error", err)
	}
}

// releaseIfIdle releases the lease of a session that has no run. It returns the
// generation of a lease that is still needed, or 0.
func (s *session) releaseIfIdle(ctx context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.generation == 0 || s.run != nil {
		return s.generation, nil
	}
	err := s.rt.o.Leases.Release(ctx, s.id, s.generation)
	s.generation = 0
	return 0, err
}

// releaseLeases releases the leases of all sessions at once, so that the log can write
// them together. None has a run any more.
func (rt *Runtime) releaseLeases() {
	var releases sync.WaitGroup
	for _, s := range rt.sessions() {
		releases.Go(func() {
			if _, err := s.releaseIfIdle(context.Background()); err != nil && !errors.Is(err, classroom.ErrLeaseLost) {
				rt.o.Logger.Warn("lease not released", "session", s.id, "error", err)
			}
		})
	}
	releases.Wait()
}

// leasedSession is session for a caller that may append: the session has a run, or at
// least its lease, so that the fold is the whole log and nobody else appends.
func (rt *Runtime) leasedSession(ctx context.Context, id string) (*session, error) {
	for {
		s, err := rt.session(ctx, id)
		if err != nil {
			return nil, err
		}
		if s.run != nil || s.generation != 0 {
			return s, nil
		}
		s.mu.Unlock()
		err = s.acquireLease(ctx, nil, takenOver)
		rt.work.Done()
		if err != nil {
			return nil, err
		}
	}
}

// takenOver is the reason of a run_interrupt where another process left a run open in a
// session that this one had loaded before.
const takenOver = "lease_lost"

// acquireLease acquires the session's lease where it holds none. With the lease, it
// folds what other processes appended, and closes a run that they left open for the
// reason given; see [session.closeOpenRun] for the speakers.
func (s *session) acquireLease(ctx context.Context, sp *speakers, reason string) error {
	select {
	case s.acquiring <- struct{}{}:
		defer func() { <-s.acquiring }()
	case <-ctx.Done():
		return fmt.Errorf("wait for the lease of session %s: %w", s.id, ctx.Err())
	}
	s.mu.Lock()
	held, after := s.run != nil || s.generation != 0 || s.gone, s.fold.Cursor
	s.mu.Unlock()
	if held {
		return nil
	}
	generation, err := s.rt.o.Leases.Acquire(ctx, s.id, s.rt.o.Holder, leaseTTL)
	if err != nil {
		return fmt.Errorf("acquire the lease of session %s: %w", s.id, err)
	}
	missed, err := s.readAfter(ctx, after)
	ctx = context.WithoutCancel(ctx)
	if err != nil {
		return errors.Join(err, s.rt.o.Leases.Release(ctx, s.id, generation))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.generation = generation
	for _, e := range missed {
		s.fold.Apply(e)
	}
	return s.closeOpenRun(ctx, sp, reason)
}

// loseLease ends the run that had the lease of that generation, and reports
// whether there was one.
func (s *session) loseLease(generation int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil || s.run.generation != generation {
		return false
	}
	s.run.cancel(errLost)
	return true
}
