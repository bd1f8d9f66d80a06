package live

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// A slyLog gets one more event just after each of its first reads, when the
// reader has what it read and has not gone to wait yet.
type slyLog struct {
	*livetest.MemLog
	more []classroom.Event
}

func (l *slyLog) Read(ctx context.Context, id string, after classroom.Cursor, limit int) ([]classroom.Event, error) {
	events, err := l.MemLog.Read(ctx, id, after, limit)
	if len(l.more) > 0 {
		l.Add(l.more[0])
		l.more = l.more[1:]
	}
	return events, err
}

func newSlyLog() *slyLog {
	events := livetest.Scripted(1, 1)
	return &slyLog{MemLog: livetest.NewMemLog(events[:10]...), more: events[10:20]}
}

// Case R04: an event that comes between a read and the wait is not waited for.
func TestNothingFallsBetweenReadAndWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newSlyLog()
		fs := newFeeds(log, slog.New(slog.DiscardHandler))
		f := fs.join("s1", 10)
		synctest.Wait()
		if head := f.tail.Load().head; head != 20 {
			t.Errorf("the feed waits at %d, want 20", head)
		}
		fs.close()
	})
	synctest.Test(t, func(t *testing.T) {
		log := newSlyLog()
		ps := newProjectors(log, slog.New(slog.DiscardHandler))
		p := ps.borrow("s1")
		ps.join(p)
		for range 20 {
			sleep(t.Context(), textPause) // between two cuts
		}
		synctest.Wait()
		if head := p.tail.Load().head; head != 20 {
			t.Errorf("the projector waits at %d, want 20", head)
		}
		ps.leave(p)
		ps.giveBack(p)
		ps.close()
	})
}
