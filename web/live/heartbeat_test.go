package live

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The heartbeat is a comment of its own every 15 s, for all streams by one ticker.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hb := newHeartbeat(15 * time.Second)
		began, times := time.Now(), [3]time.Duration{}
		var waiters sync.WaitGroup
		for i := range times {
			waiters.Go(func() {
				for range i + 1 {
					<-hb.wait()
				}
				times[i] = time.Since(began)
			})
		}
		waiters.Wait()
		hb.stop()
		for i, got := range times {
			if want := time.Duration(i+1) * 15 * time.Second; got != want {
				t.Errorf("heartbeat %d came after %v, want %v", i+1, got, want)
			}
		}
	})
}
