package classroom

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// same compares two folds whole, unexported fields too.
func same(t *rapid.T, what string, got, want *Fold) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: %s", what, firstDifference(dump(got), dump(want)))
	}
}

// read asks a fold everything a page or a model asks it.
func read(f *Fold) {
	f.Status()
	f.LastCard()
	f.Queue.Len()
	for _, agent := range []string{"ada", "max", "lea", ""} {
		f.Transcript(agent)
		f.RosterAgent(agent)
	}
	for _, c := range f.Cards {
		c.Usage()
		c.CutShort()
		for _, w := range c.Windows {
			w.Thinking()
			for _, x := range w.Entries {
				if x.Message != nil {
					x.Message.Text()
				}
			}
		}
	}
}

// TestFoldGoesOnFromAnyCut holds the fold to what a reader needs who reconnects:
// whatever it has read, and however much of that is sent again, it ends up with
// the fold of the whole log.
func TestFoldGoesOnFromAnyCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := anyLog.Draw(t, "log")
		from := rapid.IntRange(0, max(0, len(log)-30)).Draw(t, "from")
		log = log[:min(len(log), from+30)] // all cuts of a long log would cost its square
		want := Of(log)
		for cut := from; cut < len(log); cut++ {
			f := Of(log[:cut])
			read(f)
			again := rapid.IntRange(0, cut).Draw(t, "sent again")
			for _, e := range log[again:] {
				f.Apply(e)
			}
			same(t, "gone on from a cut", f, want)
		}
	})
}

func TestFoldTakesNoEventTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := anyLog.Draw(t, "log")
		want, f := Of(log), new(Fold)
		for i, e := range log {
			f.Apply(e)
			f.Apply(e)
			f.Apply(log[rapid.IntRange(0, i).Draw(t, "old")])
		}
		same(t, "each event twice", f, want)
		for _, e := range rapid.Permutation(log).Draw(t, "shuffled") {
			f.Apply(e)
		}
		same(t, "all events again, in any order", f, want)
	})
}

// TestFoldSharesNothing proves that folds of one log do not reach into each
// other or into the log.
func TestFoldSharesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := anyLog.Draw(t, "log")
		before, err := json.Marshal(valid(log))
		if err != nil {
			t.Fatal(err)
		}
		cut := rapid.IntRange(0, len(log)).Draw(t, "cut")
		stays, goesOn := Of(log[:cut]), Of(log[:cut])
		for _, e := range log[cut:] {
			goesOn.Apply(e)
		}
		same(t, "the fold that stays", stays, Of(log[:cut]))
		after, err := json.Marshal(valid(log))
		if err != nil {
			t.Fatal(err)
		}
		if string(before) != string(after) {
			t.Fatal("folding changed the log")
		}
	})
}

// valid keeps the events that can be written as JSON.
func valid(log []Event) []Event {
	var out []Event
	for _, e := range log {
		if json.Valid(e.Data) {
			out = append(out, e)
		}
	}
	return out
}

// TestFoldReadsWhatWasWritten sends the log through JSON and back, as every stream does.
func TestFoldReadsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := slimLog(t, lessons.Draw(t, "lesson").drafts)
		f := new(Fold)
		for _, e := range log {
			line, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			var back Event
			if err := json.Unmarshal(line, &back); err != nil {
				t.Fatal(err)
			}
			f.Apply(back)
		}
		same(t, "read from JSON", f, Of(log))
	})
}

func TestFoldMovesItsCursorWhateverComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := new(Fold)
		for _, e := range hostileLogs.Draw(t, "log") {
			want := max(f.Cursor, e.ID)
			f.Apply(e)
			read(f)
			if f.Cursor != want {
				t.Fatalf("after event %d the cursor is %d, not %d", e.ID, f.Cursor, want)
			}
		}
	})
}

// TestFoldIgnoresWhatItCannotRead proves that an old program reads a new log.
func TestFoldIgnoresWhatItCannotRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := slimLog(t, lessons.Draw(t, "lesson").drafts)
		at := rapid.IntRange(0, len(log)-1).Draw(t, "at")
		strange := log[at]
		strange.Type, strange.Data = "hologram", json.RawMessage(`{"text":"?"}`)
		if rapid.Bool().Draw(t, "malformed") {
			strange.Type, strange.Data = log[at].Type, json.RawMessage(`{"text":`)
		}
		f := Of(log[:at])
		want := Of(log[:at])
		want.Cursor = strange.ID
		f.Apply(strange)
		same(t, "after a strange event", f, want)
	})
}

// TestOnlyRunEndEnds holds every log to promise 4: nothing but a run_end of its
// own exchange makes a card completed, failed or cancelled.
func TestOnlyRunEndEnds(t *testing.T) {
	ended := map[CardState]bool{CardCompleted: true, CardFailed: true, CardCancelled: true}
	rapid.Check(t, func(t *rapid.T) {
		f := new(Fold)
		for _, e := range anyLog.Draw(t, "log") {
			before := map[int]CardState{}
			for _, c := range f.Cards {
				before[c.Exchange] = c.State
			}
			f.Apply(e)
			for _, c := range f.Cards {
				own := e.Type == TypeRunEnd && e.Exchange == c.Exchange
				if ended[c.State] && c.State != before[c.Exchange] && !own {
					t.Fatalf("%s of exchange %d made card %d %s", e.Type, e.Exchange, c.Exchange, c.State)
				}
				if ended[c.State] != (c.End != nil) {
					t.Fatalf("card %d is %s and its end is %v", c.Exchange, c.State, c.End)
				}
			}
		}
	})
}

// TestEveryMessageHasOnePlace holds lessons to promise 7: at the end of every
// append each message of a person is a question, a steer or in a queue, once,
// with the text of its last edit, unless it was dropped.
func TestEveryMessageHasOnePlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := lessons.Draw(t, "lesson")
		log, f, from := slimLog(t, l.drafts), new(Fold), 0
		for _, to := range l.batches {
			for _, e := range log[from:to] {
				f.Apply(e)
			}
			from = to
			checkPlaces(t, f, l)
		}
		for at, text := range places(f) {
			if text[0] != l.final[at] {
				t.Errorf("message %d says %q; its last edit says %q", at, text[0], l.final[at])
			}
		}
	})
}

func checkPlaces(t *rapid.T, f *Fold, l *lesson) {
	t.Helper()
	at := places(f)
	for cursor := range l.final {
		n := len(at[cursor])
		switch {
		case cursor > f.Cursor && n != 0, n > 1:
			t.Fatalf("at %d message %d is in %d places", f.Cursor, cursor, n)
		case cursor <= f.Cursor && n == 0 && !l.gone[cursor]:
			t.Fatalf("at %d message %d is in no place", f.Cursor, cursor)
		}
	}
	if len(f.said) > f.Queue.Len() {
		t.Fatalf("at %d the fold keeps %d messages, %d wait", f.Cursor, len(f.said), f.Queue.Len())
	}
}

// places finds where the page shows each message.
func places(f *Fold) map[Cursor][]string {
	at := map[Cursor][]string{}
	for _, c := range f.Cards {
		at[c.Question.Cursor] = append(at[c.Question.Cursor], c.Question.Text)
		for _, w := range c.Windows {
			for _, x := range w.Entries {
				if x.Steer != nil {
					at[x.Steer.Cursor] = append(at[x.Steer.Cursor], x.Steer.Text)
				}
			}
		}
	}
	for _, q := range [][]Queued{f.Queue.Steer, f.Queue.FollowUp, f.Queue.Dropped} {
		for _, w := range q {
			at[w.Cursor] = append(at[w.Cursor], w.Text)
		}
	}
	return at
}
