package agents

import (
	"context"
	"errors"
	"time"

	"colloquy/classroom"
)

// keepLeases renews the leases of all runs until the runtime closes. A run
// whose lease is lost ends without a word: the log belongs to another process.
func (rt *Runtime) keepLeases() {
	tick := time.NewTicker(leaseRenew)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			rt.renewLeases()
		case <-rt.ctx.Done():
			return
		}
	}
}

func (rt *Runtime) renewLeases() {
	for _, s := range rt.sessions() {
		s.mu.Lock()
		r := s.run
		s.mu.Unlock()
		if r == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(rt.ctx, leaseRenew)
		err := rt.o.Leases.Renew(ctx, s.id, r.generation, leaseTTL)
		cancel()
		switch {
		case err == nil || rt.ctx.Err() != nil:
		case errors.Is(err, classroom.ErrLeaseLost):
			s.mu.Lock()
			r.cancel(errLost)
			s.mu.Unlock()
		default:
			rt.o.Logger.Warn("lease not renewed", "session", s.id, "error", err)
		}
	}
}
