package web

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/templates"
)

// pageAt renders the page of a log up to a cursor, from nothing but the log.
func pageAt(events []classroom.Event, at int) string {
	s := newScreen("s1", true)
	s.take(events[:at])
	s.prime()
	return pageOf(s)
}

func pageOf(s *screen) string {
	b := templates.Workbench{Session: classroom.Session{ID: "s1"}, Class: classroom.Class{ID: "c1", Title: "Class"}}
	s.fill(&b)
	return render(templates.WorkbenchPage(b))
}

func scripted(seed uint64, exchanges int) []classroom.Event {
	s := newScript(seed)
	for i := range exchanges {
		s.run(fmt.Sprintf("Question %d <b>&amp;</b>\nid: 9", i))
	}
	return s.events
}

// Promise 1: a page that was patched and a page that is loaded are the same, at
// every cut, wherever the cuts fall.
func TestPatchedPageEqualsLoadedPage(t *testing.T) {
	for seed := range uint64(8) {
		events := scripted(seed, 3)
		r := rand.New(rand.NewPCG(seed, 1))
		at := 1 + r.IntN(len(events)-1)
		s := newScreen("s1", true)
		s.take(events[:at])
		s.prime()
		d := newDOM(t, pageOf(s))
		for at < len(events) {
			n := 1 + r.IntN(4)
			next := min(len(events), at+n)
			s.take(events[at:next])
			frame := s.cut().String()
			if err := d.apply(frame); err != nil {
				t.Fatalf("seed %d, events %d to %d: %v\n%s", seed, at+1, next, err, frame)
			}
			at = next
			if got, want := d.shows(), newDOM(t, pageAt(events, at)).shows(); got != want {
				t.Fatalf("seed %d, after event %d (%s): the patched page differs %s\nframe %s", seed, at, events[at-1].Type, firstDifference(got, want), frame)
			}
		}
	}
}

// A page of any age is brought up to date by the state alone, and doing so twice
// changes nothing.
func TestCatchUpFromEveryCursor(t *testing.T) {
	for seed := range uint64(4) {
		events := scripted(seed, 3)
		r := rand.New(rand.NewPCG(seed, 2))
		for from := 1; from < len(events); from += 1 + r.IntN(3) {
			to := from + r.IntN(len(events)-from+1)
			s := newScreen("s1", true)
			s.take(events[:to])
			s.prime()
			d := newDOM(t, pageAt(events, from))
			want := newDOM(t, pageAt(events, to)).shows()
			for range 2 {
				for _, frame := range s.since(classroom.Cursor(from)) {
					if err := d.apply(frame); err != nil {
						t.Fatal(err)
					}
				}
				if got := d.shows(); got != want {
					t.Fatalf("seed %d, from %d to %d: %s", seed, from, to, firstDifference(got, want))
				}
			}
		}
	}
}

// What a page is sent of a text grows with the text, not with its square.
func TestBytesOfAnAnswer(t *testing.T) {
	paragraph := "Light is taken in by *chlorophyll*, and `stored` as sugar. " + strings.Repeat("Word after word follows here. ", 8)
	kinds := map[string]string{
		"paragraphs": strings.Repeat(paragraph+"\n\n", 350),
		"list":       strings.Repeat("- an item with **bold** and some more words\n", 2200),
		"table":      "| a | b |\n|---|---|\n" + strings.Repeat("| some words | and *others* here |\n", 2500),
		"code":       "```go\n" + strings.Repeat("\tfmt.Println(\"<hello>\", 42) // say it\n", 2500) + "```\n",
	}
	for name, text := range kinds {
		t.Run(name, func(t *testing.T) {
			sent, final := speak(t, text, 5000, 75) // 500 deltas a second, cut every textPause, as a projector does
			t.Logf("%d KB of text, %d KB of HTML, %d KB sent: %.2f times", len(text)>>10, final>>10, sent>>10, float64(sent)/float64(final))
			if sent > 2*final {
				t.Errorf("%d bytes were sent for %d bytes of HTML, at most twice as many may be", sent, final)
			}
		})
	}
}

// speak says a text in so many deltas, cuts every few, and returns what was
// sent and what the page holds of it in the end.
func speak(t *testing.T, text string, deltas, every int) (sent, final int) {
	t.Helper()
	w := newScript(1)
	w.exchange, w.attempt = 1, 1
	w.say(classroom.UserMessage{Text: "q", Author: me, Delivery: classroom.Prompt})
	w.say(classroom.RunStart{Prompt: 2})
	w.agent = "ada"
	w.say(classroom.AgentStart{Name: "Ada", Role: classroom.Teacher})
	s := newScreen("s1", true)
	s.take(w.events)
	s.prime()
	d := newDOM(t, pageOf(s))
	size := max(1, len(text)/deltas)
	cut := func() {
		s.take(w.events[s.fold.Cursor:])
		html := s.cut().String()
		if html == "" {
			return
		}
		sent += len(appendHTML(nil, s.cutAt, []byte(html)))
		if err := d.apply(html); err != nil {
			t.Fatal(err)
		}
	}
	for i, at := 0, 0; at < len(text); i, at = i+1, at+size {
		w.say(classroom.MessageUpdate{MessageID: "m1", Kind: classroom.BlockText, Delta: text[at:min(len(text), at+size)]})
		if i%every == 0 {
			cut()
		}
	}
	w.say(classroom.MessageEnd{MessageID: "m1", Blocks: []classroom.Block{{Kind: classroom.BlockText, Text: text}}, StopReason: classroom.StopEnd})
	w.say(classroom.AgentEnd{StopReason: classroom.StopEnd})
	w.say(classroom.RunEnd{Status: classroom.Completed})
	cut()
	if got, want := d.shows(), newDOM(t, pageAt(w.events, len(w.events))).shows(); got != want {
		t.Fatalf("the patched page differs %s", firstDifference(got, want))
	}
	return sent, len(markup(find(d.root, "x1")))
}
