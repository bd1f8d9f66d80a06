package live

import (
	"testing"
	"testing/synctest"
	"time"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// A feed ends soon after its last reader has left.
func TestIdleFeedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := livetest.NewMemLog(livetest.Scripted(1, 1)...)
		fs := newFeeds(log, nil)
		f := fs.acquire(feedKey{session: "s1"}, 1)
		fs.release(f)
		time.Sleep(feedGrace / 2)
		if again := fs.acquire(feedKey{session: "s1"}, 1); again != f {
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

// A reader that is older than the tail reads the log: from every cursor it is sent
// what follows, whatever the pages in which it reads, and then what is appended.
func TestLogFromEveryCursor(t *testing.T) {
	events := livetest.Scripted(1, 2)
	last := len(events) - 1
	log, head := livetest.NewMemLog(events[:last]...), events[last-1].ID
	fs := newFeeds(log, nil)
	defer fs.close()
	f := fs.acquire(feedKey{session: "s1"}, head)
	defer fs.release(f)
	read := func(src *eventSource, cursor classroom.Cursor) (string, step) {
		for sent := ""; ; {
			s, err := src.next(t.Context(), cursor)
			if err != nil || s.to < cursor || s.to == cursor && s.more == nil {
				t.Fatalf("after %d: to %d, error %v", cursor, s.to, err)
			}
			if s.more != nil {
				return sent, s
			}
			sent, cursor = sent+string(s.bytes), s.to
		}
	}
	encoded := func(events []classroom.Event) string {
		b, err := feedKey{}.encodeBatch(0, events)
		if err != nil {
			t.Fatal(err)
		}
		return string(b.bytes)
	}
	for i := range events {
		src := &eventSource{log: log, feed: f, limit: 1 + i%9}
		if got, at := read(src, classroom.Cursor(i)); got != encoded(events[i:last]) || at.to != head {
			t.Errorf("after %d came, to %d: %.300q", i, at.to, got)
		}
	}
	src := &eventSource{log: log, feed: f, limit: pageEvents}
	_, at := read(src, head)
	log.Add(events[last])
	within(t, "the event that was appended", at.more)
	if got, _ := read(src, head); got != encoded(events[last:]) {
		t.Errorf("after the head came %.300q", got)
	}
	other := &eventSource{log: log, feed: f, limit: pageEvents}
	a, errA := src.next(t.Context(), head)
	b, errB := other.next(t.Context(), head)
	if errA != nil || errB != nil || &a.bytes[0] != &b.bytes[0] {
		t.Errorf("two readers at the head do not share their bytes: %v, %v", errA, errB)
	}
}
