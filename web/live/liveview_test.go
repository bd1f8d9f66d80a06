package live

import (
	"testing"

	"colloquy/web/live/livetest"
)

// Projectors without users are kept up to a bound.
func TestProjectorsAreBounded(t *testing.T) {
	log := livetest.NewMemLog(livetest.Scripted(1, 1)...)
	ps := newProjectors(log, nil)
	for i := range 3 * cachedFolds {
		p := ps.borrow(string(rune('a' + i)))
		if err := p.view(t.Context(), log, nil); err != nil {
			t.Fatal(err)
		}
		ps.giveBack(p)
	}
	if len(ps.all) != cachedFolds {
		t.Errorf("%d are kept, want %d", len(ps.all), cachedFolds)
	}
	if _, ok := ps.all[string(rune('a'+3*cachedFolds-1))]; !ok {
		t.Error("the one used last was forgotten")
	}
	ps.close()
}

// Readers at the same place are given the same bytes.
func TestPatchesAreRenderedOnce(t *testing.T) {
	log := livetest.NewMemLog(livetest.Scripted(1, 1)[:20]...)
	p := &projector{session: "s1"}
	if err := p.view(t.Context(), log, nil); err != nil {
		t.Fatal(err)
	}
	log.Add(livetest.Scripted(1, 1)[20:40]...)
	if err := p.view(t.Context(), log, nil); err != nil {
		t.Fatal(err)
	}
	a, _, okA := p.tail.Load().after(20)
	b, to, okB := p.tail.Load().after(20)
	if !okA || !okB || len(a) == 0 || &a[0] != &b[0] || to != 40 {
		t.Errorf("the readers were given %d and %d bytes, to %d", len(a), len(b), to)
	}
	if _, _, ok := p.tail.Load().after(30); ok {
		t.Error("a place between two cuts was taken for a boundary")
	}
}
