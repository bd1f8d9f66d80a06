package agents

import (
	"context"
	"errors"
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
