package live

import (
	"sync"
	"time"
)

// ended waits until work has ended, or until the limit has passed, and reports
// which of the two came first.
func ended(work *sync.WaitGroup, limit time.Duration) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		work.Wait()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
