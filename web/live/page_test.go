package live

import (
	"fmt"
	"slices"
	"testing"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live/livetest"
)

// Following the button from page to page shows each exchange once, and the button is
// there until the first exchange is shown. Where the address asks for more than the
// session has, the newest exchanges come.
func TestOlderPagesShowEachExchangeOnce(t *testing.T) {
	for _, exchanges := range []int{1, pageCards, pageCards + 1, 2*pageCards + 1} {
		script := livetest.NewScript(1)
		for i := range exchanges {
			script.Exchange = i + 1
			script.Say(classroom.UserMessage{Text: fmt.Sprint(i), Author: livetest.Me, Delivery: classroom.Prompt})
		}
		v := newView(viewKey{session: "s1"})
		v.apply(script.Events)
		var want, got []int
		for before := exchanges + 100; before > 1; {
			page := livetest.NewDOM(t, "<html><body>"+v.Older(before)+"</body></html>")
			first := v.firstBefore(min(before, exchanges+1))
			hasButton := livetest.Find(page.Root, templates.OlderID) != nil
			if hasButton != (first > 1) {
				t.Errorf("%d exchanges, before %d: the page begins at %d, its button is there: %v",
					exchanges, before, first, hasButton)
			}
			var shown []int
			for exchange := range exchanges + 1 {
				if livetest.Find(page.Root, templates.CardID(exchange)) != nil {
					shown = append(shown, exchange)
				}
			}
			got, before = append(shown, got...), first
		}
		for i := range exchanges {
			want = append(want, i+1)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d exchanges: the pages show %v", exchanges, got)
		}
	}
}
