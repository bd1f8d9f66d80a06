package classroom

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// A mark is what a part of the page shows and the revision that part claims.
type mark struct {
	shows string
	rev   Cursor
}

// marks takes a fold apart into what carries a revision of its own. It fails
// where a card or a window is older than something in it.
func marks(t *rapid.T, f *Fold) map[string]mark {
	out := map[string]mark{
		"head":  {dump(Fold{ClassID: f.ClassID, Title: f.Title, Mode: f.Mode, Roster: f.Roster}), f.HeaderRev},
		"queue": {dump(f.Queue) + fmt.Sprint(f.Barrier, f.Running, f.Status()), f.QueueRev},
	}
	for _, c := range f.Cards {
		name := fmt.Sprintf("card %d", c.Exchange)
		foot := *c
		foot.Windows, foot.pending, foot.Rev, foot.FootRev = nil, nil, 0, 0
		out[name+" foot"] = mark{dump(foot) + dump(c.Usage()) + fmt.Sprint(c.CutShort()), c.FootRev}
		notOlder(t, name, c.Rev, c.FootRev)
		for _, w := range c.Windows {
			notOlder(t, name, c.Rev, w.Rev)
			windowMarks(t, fmt.Sprintf("%s window %d", name, w.Index), w, out)
		}
	}
	return out
}

func windowMarks(t *rapid.T, name string, w *Window, out map[string]mark) {
	head := *w
	head.Entries, head.Rev, head.HeaderRev = nil, 0, 0
	out[name+" head"] = mark{dump(head) + fmt.Sprint(w.Thinking()), w.HeaderRev}
	notOlder(t, name, w.Rev, w.HeaderRev)
	for _, x := range w.Entries {
		notOlder(t, name, w.Rev, x.Rev)
		name := fmt.Sprintf("%s entry %d", name, x.Index)
		own := *x
		own.Rev = 0
		if x.Message != nil {
			m := *x.Message
			own.Message, m.Blocks = &m, nil
			for i, p := range x.Message.Blocks {
				part := *p
				part.Rev = 0
				out[fmt.Sprintf("%s part %d", name, i)] = mark{dump(part), p.Rev}
				notOlder(t, name, x.Rev, p.Rev)
			}
		}
		out[name] = mark{dump(own), x.Rev}
	}
}

func notOlder(t *rapid.T, name string, whole, part Cursor) {
	if whole < part {
		t.Fatalf("%s has revision %d and something in it %d", name, whole, part)
	}
}

// TestRevisionsNameEveryChange holds the fold to what live pages rely on: a
// part of the page that an event changed carries that event's cursor, so that
// sending the parts with newer revisions brings any page up to date.
func TestRevisionsNameEveryChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := anyLog.Draw(t, "log")
		from := rapid.IntRange(0, max(0, len(log)-60)).Draw(t, "from")
		f := Of(log[:from])
		before := marks(t, f)
		for _, e := range log[from:min(len(log), from+60)] {
			f.Apply(e)
			after := marks(t, f)
			for name, now := range after {
				was, known := before[name]
				switch {
				case (!known || now.shows != was.shows) && now.rev != e.ID:
					t.Fatalf("%s at %d changed %s, whose revision is %d: %s", e.Type, e.ID, name, now.rev,
						firstDifference(now.shows, was.shows))
				case now.rev < was.rev || now.rev > f.Cursor:
					t.Fatalf("%s at %d moved the revision of %s from %d to %d", e.Type, e.ID, name, was.rev, now.rev)
				}
			}
			before = after
		}
	})
}

// TestAQuestionAfterAnInterruptionMovesTheQueue covers what drawn logs rarely
// hold: the status changes without a run event.
func TestAQuestionAfterAnInterruptionMovesTheQueue(t *testing.T) {
	f := Of(slimLog(t, []Draft{
		{Exchange: 1, Payload: UserMessage{Text: "Why?", Delivery: Prompt}},
		{Exchange: 1, Payload: RunStart{Prompt: 1}},
		{Exchange: 1, Payload: RunInterrupt{Reason: "crash"}},
	}))
	if f.Status() != Interrupted {
		t.Fatalf("status is %s", f.Status())
	}
	f.Apply(Event{ID: 4, Type: TypeUserMessage, Exchange: 2,
		Data: json.RawMessage(`{"text":"How?","delivery":"prompt"}`)})
	if f.Status() != Idle || f.QueueRev != 4 {
		t.Errorf("status is %s, the queue's revision %d", f.Status(), f.QueueRev)
	}
}
