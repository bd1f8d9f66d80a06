package live

import (
	"sync"
	"sync/atomic"
	"time"
)

// A pulse is one ticker for any number of streams, so that an idle stream needs no
// timer of its own.
type pulse struct {
	next atomic.Pointer[chan struct{}]
	quit chan struct{}
	once sync.Once
	done sync.WaitGroup
}

func newPulse(every time.Duration) *pulse {
	p := &pulse{quit: make(chan struct{})}
	first := make(chan struct{})
	p.next.Store(&first)
	p.done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fresh := make(chan struct{})
				close(*p.next.Swap(&fresh))
			case <-p.quit:
				return
			}
		}
	})
	return p
}

// wait returns a channel that is closed at the next beat.
func (p *pulse) wait() <-chan struct{} { return *p.next.Load() }

// stop ends the beat and waits for its goroutine.
func (p *pulse) stop() {
	p.once.Do(func() { close(p.quit) })
	p.done.Wait()
}
