package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"colloquy/classroom"
)

var shots = flag.String("shots", "", "folder for screenshots of a debate")

// Two tabs and a phone on one debate, with interjections and a question that
// waits: they end equal to each other and to what the server renders, and
// nobody is mistaken for anyone else.
func TestBrowserDebate(t *testing.T) {
	t.Parallel()
	m := newFakeModel(t)
	interjected, asked := make(chan struct{}), make(chan struct{})
	m.on("case-debate", func(a *streamedAnswer) {
		stem := fmt.Sprintf("p%dx", a.n)
		a.words(stem, 1, 10)
		// The first side speaks until it is interrupted, and then takes that up; the
		// other speaks until a question waits.
		if on := map[int]chan struct{}{2: interjected, 4: asked}[a.n]; on != nil && !a.wait(on) {
			return
		}
		a.words(stem, 11, 30)
		a.finish("stop")
	})
	s, b := newStage(t, m), newChromium(t)
	one := b.open(s.addr, s.signInPath())
	status, body := s.api("POST", "/api/sessions", map[string]any{"mode": "debate", "rounds": 1})
	if status != 201 {
		t.Fatalf("POST /api/sessions: %d %s", status, body)
	}
	path := "/sessions/" + field(string(body), `"id":"`)
	one.goTo(path)
	two, phone := b.open(s.addr, path), b.open(s.addr, path)
	phone.do(chromedp.EmulateViewport(390, 844))
	one.write("case-debate: school should begin at ten")
	two.until("a side speaks", `document.querySelector('.window.part-for')`)
	two.write("And what does it cost?")
	two.until("the interjection is sent",
		`document.querySelector('textarea[name=text]').value === '' && document.querySelector('#queue li')`)
	close(interjected)
	phone.until("the other side speaks", `document.querySelector('.window.part-against')`)
	phone.do(chromedp.SendKeys("textarea[name=text]", "case-debate: and on Fridays?"), chromedp.Click("#ask-next"))
	phone.until("the question waits", `document.querySelector('#queue li')`)
	close(asked)
	s.ended(strings.TrimPrefix(path, "/sessions/"), 2)
	var texts []string
	for _, x := range []*tab{one, two, phone} {
		x.until("both debates end", `/Answered/.test(document.querySelector('#x2f')?.textContent)`)
		x.sameAsServed()
		x.checkNoErrors()
		texts = append(texts,
			js[string](
				x,
				`[...document.querySelectorAll('#exchanges .card')]
					.map(c => c.textContent.replace(/\s+/g, ' ')).join('|')`,
			),
		)
	}
	if texts[0] != texts[1] || texts[1] != texts[2] {
		t.Errorf("the tabs differ:\n%s\n%s\n%s", texts[0], texts[1], texts[2])
	}
	checkWindows(t, one, s.log(strings.TrimPrefix(path, "/sessions/")))
	one.photograph("debate", 1280)
	phone.photograph("debate-phone", 390)
}

// checkWindows fails where a window of the page is not of the agent, and not in the part,
// that the log says.
func checkWindows(t *testing.T, x *tab, log []classroom.Event) {
	t.Helper()
	heads := js[[]string](
		x,
		`[...document.querySelectorAll('.window')].map(w =>
			w.querySelector('.name').textContent + ' ' + (w.querySelector('.part')?.textContent || ''))`,
	)
	parts := map[string]string{
		"moderator": "Moderates",
		"for":       "For",
		"against":   "Against",
		"summary":   "Sums up",
		"reply":     "Answers you",
	}
	at := 0
	for _, e := range log {
		p, _ := classroom.Decode(e)
		a, ok := p.(classroom.AgentStart)
		if !ok {
			continue
		}
		if want := a.Name + " " + parts[a.StageRole]; at >= len(heads) || heads[at] != want {
			t.Fatalf("window %d is not that of %s: %v", at, want, heads)
		}
		at++
	}
}

// photograph keeps what the tab shows, where -shots names a folder.
func (x *tab) photograph(name string, width int64) {
	x.t.Helper()
	if *shots == "" {
		return
	}
	x.do(chromedp.EmulateViewport(width, 1000))
	js[bool](x, `(document.querySelector('#x1').scrollIntoView(), true)`)
	x.take(name)
}

// The keyboard alone: the first Tab is the way past everything else, each stop is
// seen, none is a trap, and the composer, Stop and the lecture's choices are reached.
func TestBrowserKeyboard(t *testing.T) {
	t.Parallel()
	s, b := newStage(t, nil), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	status, body := s.api("POST", "/api/sessions", map[string]any{"mode": "lecture"})
	if status != 201 {
		t.Fatalf("POST /api/sessions: %d %s", status, body)
	}
	id := field(string(body), `"id":"`)
	s.ask(id, "Photosynthesis")
	s.ended(id, 1)
	forced := emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}},
	}
	if _, err := chromedp.Call(x.ctx, emulation.SetEmulatedMedia, forced); err != nil {
		t.Fatal(err)
	}
	x.goTo("/sessions/" + id)
	js[bool](x, `(document.activeElement.blur(), window.getSelection().removeAllRanges(), document.body.focus(), true)`)
	var stops []string
	for range 80 {
		x.tabKey()
		stop := js[string](
			x,
			`(e => e === document.body ? 'BODY' :
				(e.closest('.skip') ? 'skip'
					: e.id || e.textContent.trim().slice(0, 40) || e.getAttribute('aria-label') || e.tagName) +
				(e.matches(':focus-visible') && (getComputedStyle(e).outlineStyle !== 'none' || e.matches('textarea'))
					? '' : ' UNSEEN'))(document.activeElement)`,
		)
		if stop == "BODY" || len(stops) > 0 && stop == stops[0] {
			break
		}
		stops = append(stops, stop)
	}
	all := strings.Join(stops, " | ")
	if len(stops) == 0 || !strings.HasPrefix(stops[0], "skip") {
		t.Errorf("the first stop is no way past the rest: %s", all)
	}
	for _, want := range []string{"composer-text", "send", "Go on", "Copy"} {
		if !strings.Contains(all, want) {
			t.Errorf("the keyboard does not reach %q: %s", want, all)
		}
	}
	if strings.Contains(all, "UNSEEN") {
		t.Errorf("a stop has no sign of the focus: %s", all)
	}
	x.checkNoErrors()
}

func (x *tab) tabKey() {
	x.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{
		input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp,
	} {
		e := input.DispatchKeyEventParams{Type: kind, Key: "Tab", Code: "Tab", WindowsVirtualKeyCode: 9}
		if _, err := chromedp.Call(x.ctx, input.DispatchKeyEvent, e); err != nil {
			x.t.Fatal(err)
		}
	}
}
