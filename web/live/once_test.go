package live

import (
	"strings"
	"testing"
	"unsafe"

	"colloquy/web/live/livetest"
)

// sameBytes reports whether two texts are one in memory, so that the second was not
// rendered again.
func sameBytes(a, b string) bool { return a == b && unsafe.StringData(a) == unsafe.StringData(b) }

// TestClosedBlocksAreRenderedOnce: while a text grows, the blocks before its end are
// kept as they were rendered. What comes may still change the last two.
func TestClosedBlocksAreRenderedOnce(t *testing.T) {
	var p sentProse
	text := strings.Repeat("A paragraph with *emphasis*.\n\n", 20)
	before := p.update(text+"The", true, nil)
	after := p.update(text+"The end", true, nil)
	if len(before) != 21 || len(after) != 21 {
		t.Fatalf("%d and %d blocks", len(before), len(after))
	}
	for i := range 19 {
		if !sameBytes(before[i].HTML, after[i].HTML) {
			t.Errorf("block %d was rendered again", i)
		}
	}
}

// TestCardsAreRenderedOnce: all readers who come back are sent a card as it was
// rendered for the first of them.
func TestCardsAreRenderedOnce(t *testing.T) {
	log := livetest.NewMemLog(livetest.Scripted(1, 3)...)
	lv := &liveView{viewKey: viewKey{session: "s1"}}
	err := lv.update(t.Context(), log, func(v *SessionView) {
		for _, c := range v.fold.Cards {
			if !sameBytes(v.renderCard(c), v.renderCard(c)) {
				t.Errorf("card %d was rendered again", c.Exchange)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
