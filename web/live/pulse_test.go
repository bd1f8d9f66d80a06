package live

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The heartbeat is a comment of its own every 15 s, for all streams by one ticker.
func TestPulse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPulse(15 * time.Second)
		began, beats := time.Now(), [3]time.Duration{}
		var waiters sync.WaitGroup
		for i := range beats {
			waiters.Go(func() {
				for range i + 1 {
					<-p.wait()
				}
				beats[i] = time.Since(began)
			})
		}
		waiters.Wait()
		p.stop()
		for i, got := range beats {
			if want := time.Duration(i+1) * 15 * time.Second; got != want {
				t.Errorf("beat %d came after %v, want %v", i+1, got, want)
			}
		}
	})
}
