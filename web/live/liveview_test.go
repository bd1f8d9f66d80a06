package live

import (
	"testing"

	"colloquy/web/live/livetest"
)

// Live views without users are kept up to a bound.
func TestIdleViewsAreBounded(t *testing.T) {
	log := livetest.NewMemLog(livetest.Scripted(1, 1)...)
	lvs := newLiveViews(log, nil)
	for i := range 3 * idleViews {
		lv := lvs.acquire(string(rune('a' + i)))
		if err := lv.update(t.Context(), log, nil); err != nil {
			t.Fatal(err)
		}
		lvs.release(lv)
	}
	if len(lvs.all) != idleViews {
		t.Errorf("%d are kept, want %d", len(lvs.all), idleViews)
	}
	if _, ok := lvs.all[string(rune('a'+3*idleViews-1))]; !ok {
		t.Error("the one used last was forgotten")
	}
	lvs.close()
}

// Readers at the same cursor receive the same bytes.
func TestPatchesAreRenderedOnce(t *testing.T) {
	log := livetest.NewMemLog(livetest.Scripted(1, 1)[:20]...)
	lv := &liveView{session: "s1"}
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
