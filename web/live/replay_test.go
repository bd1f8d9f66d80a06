package live

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live/livetest"
)

// The buttons of a replay lead from the end of one exchange to the next.
func TestReplayStops(t *testing.T) {
	events := livetest.Scripted(32, 3)
	s := newView(viewKey{session: "s"})
	s.apply(events)
	head := classroom.Cursor(len(events))
	a, b := s.ended[0], s.ended[1]
	for _, c := range []struct{ at, prev, next classroom.Cursor }{
		{0, a, a}, {a, a, b}, {a + 1, a, b}, {b, a, head}, {b + 1, b, head}, {head, b, head},
	} {
		v := templates.Replay{At: c.at, Head: head}
		s.FillStops(&v)
		if v.First != a || v.Last != head || v.Prev != c.prev || v.Next != c.next || v.Exchanges != 3 {
			t.Errorf("at %d: %d %d %d %d, want %d %d %d %d",
				c.at, v.First, v.Prev, v.Next, v.Last, a, c.prev, c.next, head)
		}
	}
}

// A replay keeps the recorded pauses, none longer than two seconds, divided by the
// speed, and ends with the page of the whole log.
func TestPlay(t *testing.T) {
	events := livetest.Scripted(33, 2)
	events[len(events)/2].Time += 3_600_000 // an hour's break
	for i := len(events)/2 + 1; i < len(events); i++ {
		events[i].Time += 3_600_000
	}
	for _, speed := range []int{1, 2, 4} {
		synctest.Test(t, func(t *testing.T) {
			log := livetest.NewMemLog(events...)
			past := newView(viewKey{session: "s1", Reader: Reader{ReadOnly: true}})
			past.apply(events[:5])
			past.markSent()
			d := livetest.NewDOM(t, cardsOf(past))
			src := &replaySource{log: log, view: past, head: classroom.Cursor(len(events)), speed: speed}
			began, took := time.Now(), time.Duration(0)
			for cursor := classroom.Cursor(5); ; {
				s, err := src.next(t.Context(), cursor)
				if over, ok := errors.AsType[endError](err); ok && over.reason == "end" {
					break
				}
				if err != nil || s.to < cursor {
					t.Fatal(s.to, err)
				}
				cursor = s.to
				if len(s.bytes) > 0 {
					if err := d.Apply(dataOf(t, s.bytes, s.to)); err != nil {
						t.Fatal(err)
					}
				}
				if s.more != nil {
					<-s.more
				}
				took = time.Since(began)
			}
			recorded := 2 * time.Second // of the break
			for i := 6; i < len(events); i++ {
				if gap := time.Duration(events[i].Time-events[i-1].Time) * time.Millisecond; gap <= 2*time.Second {
					recorded += gap
				}
			}
			want := recorded / time.Duration(speed)
			if took < want*8/10 || took > want*11/10 {
				t.Errorf("at speed %d it took %v, want about %v", speed, took, want)
			}
			whole := newView(viewKey{session: "s1", Reader: Reader{ReadOnly: true}})
			whole.apply(events)
			whole.markSent()
			page := livetest.NewDOM(t, cardsOf(whole)).InnerOf("exchanges")
			if got := d.InnerOf("exchanges"); got != page {
				t.Error(livetest.FirstDifference(got, page))
			}
		})
	}
}

func cardsOf(s *SessionView) string {
	return `<div id="exchanges">` + strings.Join(s.cards(1, len(s.fold.Cards)+1), "") + `</div><div id="empty"></div>`
}

// dataOf joins the data of one frame and checks its id.
func dataOf(t *testing.T, frame []byte, id classroom.Cursor) string {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(frame), "\n\n"), "\n")
	if lines[0] != "id: "+strconv.Itoa(int(id)) {
		t.Fatalf("the frame begins with %q, want id %d", lines[0], id)
	}
	for i, line := range lines[1:] {
		lines[i+1] = strings.TrimPrefix(strings.TrimPrefix(line, "data:"), " ")
	}
	return strings.Join(lines[1:], "\n")
}
