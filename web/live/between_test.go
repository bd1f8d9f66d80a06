package live

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// A growingLog gets one more event right after each of its first reads, before the
// reader begins to wait.
type growingLog struct {
	*livetest.MemLog
	more []classroom.Event
}

func (l *growingLog) Read(
	ctx context.Context, id string, after classroom.Cursor, limit int,
) ([]classroom.Event, error) {
	events, err := l.MemLog.Read(ctx, id, after, limit)
	if len(l.more) > 0 {
		l.Add(l.more[0])
		l.more = l.more[1:]
	}
	return events, err
}

func newGrowingLog() *growingLog {
	events := livetest.Scripted(1, 1)
	return &growingLog{MemLog: livetest.NewMemLog(events[:10]...), more: events[10:20]}
}

// An event that comes between a read and the wait is not waited for.
func TestNothingFallsBetweenReadAndWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newGrowingLog()
		fs := newFeeds(log, slog.New(slog.DiscardHandler))
		f := fs.acquire(feedKey{session: "s1"}, 10)
		synctest.Wait()
		if head := f.tail.Load().head; head != 20 {
			t.Errorf("the feed waits at %d, want 20", head)
		}
		fs.close()
	})
	synctest.Test(t, func(t *testing.T) {
		log := newGrowingLog()
		lvs := newLiveViews(log, slog.New(slog.DiscardHandler))
		lv := lvs.acquire(viewKey{session: "s1"})
		lvs.addReader(lv)
		for range 20 {
			sleep(t.Context(), textPause) // between two cuts
		}
		synctest.Wait()
		if head := lv.tail.Load().head; head != 20 {
			t.Errorf("the liveView waits at %d, want 20", head)
		}
		lvs.removeReader(lv)
		lvs.release(lv)
		lvs.close()
	})
}
