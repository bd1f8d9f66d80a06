package live

import (
	"fmt"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live/livetest"
)

// Live views without users are kept up to a bound.
func TestIdleViewsAreBounded(t *testing.T) {
	log := livetest.NewMemLog(livetest.Scripted(1, 1)...)
	lvs := newLiveViews(log, nil)
	for i := range 3 * idleViews {
		lv := lvs.acquire(viewKey{session: string(rune('a' + i))})
		if err := lv.update(t.Context(), log, nil); err != nil {
			t.Fatal(err)
		}
		lvs.release(lv)
	}
	if len(lvs.all) != idleViews {
		t.Errorf("%d are kept, want %d", len(lvs.all), idleViews)
	}
	if _, ok := lvs.all[viewKey{session: string(rune('a' + 3*idleViews - 1))}]; !ok {
		t.Error("the one used last was forgotten")
	}
	lvs.close()
}

// Readers at the same cursor receive the same bytes.
func TestPatchesAreRenderedOnce(t *testing.T) {
	log := livetest.NewMemLog(livetest.Scripted(1, 1)[:20]...)
	lv := &liveView{viewKey: viewKey{session: "s1"}}
	if err := lv.update(t.Context(), log, nil); err != nil {
		t.Fatal(err)
	}
	log.Add(livetest.Scripted(1, 1)[20:40]...)
	if err := lv.update(t.Context(), log, nil); err != nil {
		t.Fatal(err)
	}
	a, _, okA := lv.tail.Load().after(20)
	b, to, okB := lv.tail.Load().after(20)
	if !okA || !okB || len(a) == 0 || &a[0] != &b[0] || to != 40 {
		t.Errorf("the readers were given %d and %d bytes, to %d", len(a), len(b), to)
	}
	if _, _, ok := lv.tail.Load().after(30); ok {
		t.Error("a place between two cuts was taken for a boundary")
	}
}

// TestCatchUpSendsWhatWasMissed: a page at any cursor is sent the cards that changed
// since and no other. Only the last frame has an id, so that a reader that is cut off
// between two frames is sent the rest again.
func TestCatchUpSendsWhatWasMissed(t *testing.T) {
	events := livetest.Scripted(1, 4)
	log, head := livetest.NewMemLog(events...), events[len(events)-1].ID
	lv := &liveView{viewKey: viewKey{session: "s1"}}
	for cursor := classroom.Cursor(1); cursor < head; cursor++ {
		s, err := lv.catchUp(t.Context(), log, cursor)
		if err != nil || s.to != head {
			t.Fatalf("after %d: to %d, error %v", cursor, s.to, err)
		}
		sent := string(s.bytes)
		for _, c := range lv.view.fold.Cards {
			whole := strings.Contains(sent, fmt.Sprintf("id=%q", templates.CardID(c.Exchange)))
			if whole != (c.Rev > cursor) {
				t.Errorf("after %d: card %d, which changed at %d, was sent: %t", cursor, c.Exchange, c.Rev, whole)
			}
		}
		frames := strings.Split(strings.TrimSuffix(sent, "\n\n"), "\n\n")
		for i, frame := range frames {
			last := i == len(frames)-1
			if id := fmt.Sprintf("id: %d\n", head); strings.HasPrefix(frame, "id:") != last || last &&
				!strings.HasPrefix(frame, id) {
				t.Fatalf("after %d: frame %d of %d begins %.40q", cursor, i+1, len(frames), frame)
			}
		}
	}
}

// TestPageBehindTheTailCatchesUp: a page that is older than the shared patches is
// brought up to date and then shares them again.
func TestPageBehindTheTailCatchesUp(t *testing.T) {
	events := livetest.Scripted(1, 2)
	log, head := livetest.NewMemLog(events...), events[len(events)-1].ID
	src := &pageSource{hub: &Hub{opt: Options{Log: log}}, live: &liveView{viewKey: viewKey{session: "s1"}}}
	behind, err := src.next(t.Context(), 1)
	if err != nil || len(behind.bytes) == 0 || behind.to != head || behind.more != nil {
		t.Fatalf("%d bytes to %d of %d, error %v", len(behind.bytes), behind.to, head, err)
	}
	if at, err := src.next(t.Context(), behind.to); err != nil || at.more == nil || at.to != head {
		t.Errorf("at the head: to %d, error %v", at.to, err)
	}
}
