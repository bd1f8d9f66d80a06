package agents

import (
	"context"
	"errors"
	"time"

	"colloquy/classroom"
)

// keepLeases renews the leases of sessions that run and gives back those of
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
			rt.recoverOpen(rt.ctx)
		case <-rt.ctx.Done():
			return
		}
	}
}

// keepLease renews the session's lease, or gives it back when nothing runs. A
// run whose lease is lost ends without a word: the log belongs to another process.
func (s *session) keepLease(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.generation == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, leaseRenew)
	defer cancel()
	var err error
	if s.run == nil {
		err = s.rt.o.Leases.Release(ctx, s.id, s.generation)
		s.generation = 0
	} else {
		err = s.rt.o.Leases.Renew(ctx, s.id, s.generation, leaseTTL)
	}
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, classroom.ErrLeaseLost) && s.run != nil:
		s.run.cancel(errLost)
	default:
		s.rt.o.Logger.Warn("lease not kept", "session", s.id, "error", err)
	}
}
