package live

import (
	"context"
	"log/slog"
	"sync"
)

// projectors holds the projectors of the sessions that are looked at, and of
// those that were looked at lately.
type projectors struct {
	log  Log
	slog *slog.Logger
	ctx  context.Context
	stop context.CancelFunc
	mu   sync.Mutex
	all  map[string]*projector
	uses int64
	done sync.WaitGroup
}

func newProjectors(log Log, logger *slog.Logger) *projectors {
	ctx, stop := context.WithCancel(context.Background())
	return &projectors{log: log, slog: logger, ctx: ctx, stop: stop, all: map[string]*projector{}}
}

// borrow returns the session's projector, for a page view or a reader. Give it
// back with [projectors.giveBack].
func (ps *projectors) borrow(session string) *projector {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p := ps.all[session]
	if p == nil {
		p = &projector{session: session}
		ps.all[session] = p
	}
	p.users++
	return p
}

func (ps *projectors) giveBack(p *projector) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p.users--
	ps.uses++
	p.used = ps.uses
	ps.trim()
}

// join makes p follow its log while it has readers.
func (ps *projectors) join(p *projector) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p.readers++
	if p.stop == nil && ps.ctx.Err() == nil {
		ctx, stop := context.WithCancel(ps.ctx)
		p.stop = stop
		ps.done.Go(func() { ps.follow(ctx, p) })
	}
}

func (ps *projectors) leave(p *projector) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p.readers--
	if p.readers == 0 && p.stop != nil {
		p.stop()
		p.stop = nil
	}
}

// drop forgets a projector whose session is gone.
func (ps *projectors) drop(p *projector) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.all[p.session] == p {
		delete(ps.all, p.session)
	}
}

// trim forgets the projectors that were used longest ago, until those without
// users are within the bounds. It must be called with ps.mu held.
func (ps *projectors) trim() {
	for {
		var oldest *projector
		idle, size := 0, 0
		for _, p := range ps.all {
			if p.users > 0 {
				continue
			}
			idle++
			size += p.weight()
			if oldest == nil || p.used < oldest.used {
				oldest = p
			}
		}
		if idle <= cachedFolds && size <= cachedEvents || oldest == nil {
			return
		}
		delete(ps.all, oldest.session)
	}
}

// weight is the size of what an idle projector holds. Nobody else has it, so
// its lock is free.
func (p *projector) weight() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screen == nil {
		return 0
	}
	return p.screen.bytes
}

// close ends everything that follows a log, and waits.
func (ps *projectors) close() {
	ps.stop()
	ps.done.Wait()
}
