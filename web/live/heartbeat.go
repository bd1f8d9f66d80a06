package live

import (
	"sync"
	"sync/atomic"
	"time"
)

// A heartbeat is one ticker for any number of streams, so that an idle stream needs no
// timer of its own.
type heartbeat struct {
	next atomic.Pointer[chan struct{}]
	quit chan struct{}
	once sync.Once
	done sync.WaitGroup
}

func newHeartbeat(every time.Duration) *heartbeat {
	hb := &heartbeat{quit: make(chan struct{})}
	first := make(chan struct{})
	hb.next.Store(&first)
	hb.done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fresh := make(chan struct{})
				close(*hb.next.Swap(&fresh))
			case <-hb.quit:
				return
			}
		}
	})
	return hb
}

// wait returns a channel that is closed at the next heartbeat.
func (hb *heartbeat) wait() <-chan struct{} { return *hb.next.Load() }

// stop ends the heartbeat and waits for its goroutine.
func (hb *heartbeat) stop() {
	hb.once.Do(func() { close(hb.quit) })
	hb.done.Wait()
}
