package live

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live/livetest"
)

// pageAt renders the page of a log up to a cursor, from nothing but the log.
func pageAt(events []classroom.Event, at int) string {
	s := newView(viewKey{session: "s1"})
	s.apply(events[:at])
	s.markSent()
	return pageOf(s)
}

func pageOf(s *SessionView) string {
	b := templates.Workbench{Session: classroom.Session{ID: "s1"}, Class: classroom.Class{ID: "c1", Title: "Class"},
		Teaches: true}
	s.FillWorkbench(&b)
	return render(nil, templates.WorkbenchPage(b))
}

// Promise 1: a page that was patched and a page that is loaded are the same, at
// every cut, wherever the cuts fall.
func TestPatchedPageEqualsLoadedPage(t *testing.T) {
	for seed := range uint64(8) {
		events := livetest.Scripted(seed, 3)
		r := rand.New(rand.NewPCG(seed, 1))
		at := 1 + r.IntN(len(events)-1)
		s := newView(viewKey{session: "s1"})
		s.apply(events[:at])
		s.markSent()
		d := livetest.NewDOM(t, pageOf(s))
		for at < len(events) {
			n := 1 + r.IntN(4)
			next := min(len(events), at+n)
			s.apply(events[at:next])
			frame := s.diff().String()
			if err := d.Apply(frame); err != nil {
				t.Fatalf("seed %d, events %d to %d: %v\n%s", seed, at+1, next, err, frame)
			}
			at = next
			if got, want := d.Shows(), livetest.NewDOM(t, pageAt(events, at)).Shows(); got != want {
				t.Fatalf("seed %d, after event %d (%s): the patched page differs %s\nframe %s",
					seed, at, events[at-1].Type, livetest.FirstDifference(got, want), frame)
			}
		}
	}
}

// A page of any age is brought up to date by the state alone, and doing so twice
// changes nothing.
func TestCatchUpFromEveryCursor(t *testing.T) {
	for seed := range uint64(4) {
		events := livetest.Scripted(seed, 3)
		r := rand.New(rand.NewPCG(seed, 2))
		for from := 1; from < len(events); from += 1 + r.IntN(3) {
			to := from + r.IntN(len(events)-from+1)
			s := newView(viewKey{session: "s1"})
			s.apply(events[:to])
			s.markSent()
			d := livetest.NewDOM(t, pageAt(events, from))
			want := livetest.NewDOM(t, pageAt(events, to)).Shows()
			for range 2 {
				for _, frame := range s.patchesSince(classroom.Cursor(from)) {
					if err := d.Apply(frame); err != nil {
						t.Fatal(err)
					}
				}
				if got := d.Shows(); got != want {
					t.Fatalf("seed %d, from %d to %d: %s", seed, from, to, livetest.FirstDifference(got, want))
				}
			}
		}
	}
}

// The bytes sent for a text grow in proportion to the text, not to its square.
func TestBytesOfAnAnswer(t *testing.T) {
	paragraph := "Light is taken in by *chlorophyll*, and `stored` as sugar. " +
		strings.Repeat("Word after word follows here. ", 8)
	kinds := map[string]string{
		"paragraphs": strings.Repeat(paragraph+"\n\n", 350),
		"list":       strings.Repeat("- an item with **bold** and some more words\n", 2200),
		"table":      "| a | b |\n|---|---|\n" + strings.Repeat("| some words | and *others* here |\n", 2500),
		"code":       "```go\n" + strings.Repeat("\tfmt.Println(\"<hello>\", 42) // say it\n", 2500) + "```\n",
		"thinking":   strings.Repeat("First this <b>, then \"that\" & more.\r\nSo the next step follows.\n\n", 1600),
	}
	for name, text := range kinds {
		t.Run(name, func(t *testing.T) {
			kind := classroom.BlockText
			if name == "thinking" {
				kind = classroom.BlockThinking
			}
			// 500 deltas a second, and a patch every textPause, as of a liveView.
			sent, final := speak(t, kind, text, 5000, 75)
			t.Logf("%d KB of text, %d KB of HTML, %d KB sent: %.2f times",
				len(text)>>10, final>>10, sent>>10, float64(sent)/float64(final))
			if sent > 2*final {
				t.Errorf("%d bytes were sent for %d bytes of HTML, at most twice as many may be", sent, final)
			}
		})
	}
}

// speak appends a block in so many deltas, makes a patch after every few, and
// returns how much was sent and how much HTML the page has of it in the end.
func speak(t *testing.T, kind, text string, deltas, every int) (sent, final int) {
	t.Helper()
	w := livetest.NewScript(1)
	w.Exchange, w.Attempt = 1, 1
	w.Say(classroom.UserMessage{Text: "q", Author: livetest.Me, Delivery: classroom.Prompt})
	w.Say(classroom.RunStart{Prompt: 2})
	w.Agent = "ada"
	w.Say(classroom.AgentStart{Name: "Ada", Role: classroom.Teacher})
	s := newView(viewKey{session: "s1"})
	s.apply(w.Events)
	s.markSent()
	d := livetest.NewDOM(t, pageOf(s))
	size := max(1, len(text)/deltas)
	cut := func() {
		s.apply(w.Events[s.fold.Cursor:])
		html := s.diff().String()
		if html == "" {
			return
		}
		sent += len(appendHTML(nil, s.sentAt, []byte(html)))
		if err := d.Apply(html); err != nil {
			t.Fatal(err)
		}
	}
	for i, at := 0, 0; at < len(text); i, at = i+1, at+size {
		w.Say(classroom.MessageUpdate{MessageID: "m1", Kind: kind, Delta: text[at:min(len(text), at+size)]})
		if i%every == 0 {
			cut()
		}
	}
	w.Say(classroom.MessageEnd{
		MessageID: "m1", Blocks: []classroom.Block{{Kind: kind, Text: text}}, StopReason: classroom.StopEnd,
	})
	w.Say(classroom.AgentEnd{StopReason: classroom.StopEnd})
	w.Say(classroom.RunEnd{Status: classroom.Completed})
	cut()
	if got, want := d.Shows(), livetest.NewDOM(t, pageAt(w.Events, len(w.Events))).Shows(); got != want {
		t.Fatalf("the patched page differs %s", livetest.FirstDifference(got, want))
	}
	return sent, len(renderNodes(livetest.Find(d.Root, "x1")))
}

// The cost of a delta of thinking does not grow with the thinking before it.
func TestThinkingCostsItsNewEnd(t *testing.T) {
	w := livetest.NewScript(1)
	w.Exchange, w.Attempt = 1, 1
	w.Say(classroom.UserMessage{Text: "q", Author: livetest.Me, Delivery: classroom.Prompt})
	w.Say(classroom.RunStart{Prompt: 2})
	w.Agent = "ada"
	w.Say(classroom.AgentStart{Name: "Ada", Role: classroom.Teacher})
	v := newView(viewKey{session: "s1"})
	v.apply(w.Events)
	v.markSent()
	think := func(times int) (allocated uint64) {
		for range times {
			w.Say(classroom.MessageUpdate{MessageID: "m1", Kind: classroom.BlockThinking, Delta: "and another step "})
			v.apply(w.Events[v.fold.Cursor:])
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			v.diff()
			runtime.ReadMemStats(&after)
			allocated += after.TotalAlloc - before.TotalAlloc
		}
		return allocated
	}
	early := think(100)
	think(5800)
	if late := think(100); late > 2*early {
		t.Errorf("100 deltas after 100 KB cost %d KB, the first 100 cost %d KB", late>>10, early>>10)
	}
}
