package live

import (
	"testing"
	"testing/synctest"
	"time"

	"colloquy/web/live/livetest"
)

// A feed ends soon after its last reader has left.
func TestIdleFeedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := livetest.NewMemLog(livetest.Scripted(1, 1)...)
		fs := newFeeds(log, nil)
		f := fs.acquire("s1", 1)
		fs.release(f)
		time.Sleep(feedGrace / 2)
		if again := fs.acquire("s1", 1); again != f {
			t.Error("a reader who came back at once found another feed")
		}
		fs.release(f)
		time.Sleep(2 * feedGrace)
		synctest.Wait()
		if len(fs.all) != 0 {
			t.Error("a feed without readers is kept")
		}
		reads := log.Reads()
		log.Add(livetest.Scripted(1, 1)[1])
		synctest.Wait()
		if log.Reads() != reads {
			t.Error("a feed without readers still reads")
		}
		fs.close()
	})
}
