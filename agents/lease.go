package agents

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"colloquy/classroom"
)

// errBehind is the error of [session.acquire] for a session that another process has
// appended to. It never leaves the package.
var errBehind = errors.New("the log has events of another process")

// acquire makes the session hold its lease. The process that held it before may have
// appended to the log: the fold is then behind, and the session has to be loaded again.
// s.mu is held.
func (s *session) acquire(ctx context.Context) error {
	if s.generation != 0 {
		return nil
	}
	generation, err := s.rt.o.Leases.Acquire(ctx, s.id, s.rt.o.Holder, leaseTTL)
	if err != nil {
		return fmt.Errorf("acquire the lease of session %s: %w", s.id, err)
	}
	s.generation = generation
	missed, err := s.rt.o.Log.Read(ctx, s.id, s.fold.Cursor, 1)
	if err != nil {
		return fmt.Errorf("read what others appended to session %s: %w", s.id, err)
	}
	if len(missed) > 0 {
		return errBehind
	}
	return nil
}

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
