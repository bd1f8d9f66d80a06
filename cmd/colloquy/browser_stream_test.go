package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// sameAsServed compares what streaming left in the page with the page as the
// server renders it now: replay equals live.
func (x *tab) sameAsServed() {
	x.t.Helper()
	got := js[string](x, `fetch(location.pathname).then(r => r.text()).then(html => {
		const text = root => [...root.querySelectorAll('#exchanges .card, #exchanges > article, #exchanges > li')].map(c => c.textContent.replace(/\s+/g, ' ').trim()).join('\n');
		const live = text(document), served = text(new DOMParser().parseFromString(html, 'text/html'));
		if (!live) return 'no card on the page';
		if (live === served) return '';
		let i = 0; while (live[i] === served[i]) i++;
		return 'live: …' + live.slice(Math.max(0, i - 60), i + 100) + '\nserved: …' + served.slice(Math.max(0, i - 60), i + 100);
	})`)
	if got != "" {
		x.t.Error(got)
	}
}

// A question from the first page, with the built-in tutor: the main job.
func TestBrowserFirstQuestion(t *testing.T) {
	s, b := newStage(t, nil), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	x.until("the question box has the focus", `document.activeElement?.name === 'text'`)
	x.write("Why are leaves green?")
	x.until("the workbench", `location.pathname.startsWith('/sessions/')`)
	x.until("an answer with its source", `/chlorophyll/.test(document.querySelector('#x1')?.textContent) && /Photosynthesis/.test(document.querySelector('#x1').textContent)`)
	x.until("the end", `document.querySelector('#x1f')?.textContent.includes('Answered')`)
	x.sameAsServed()
	x.write("What is the difference between mass and weight?")
	x.until("the second answer ends", `document.querySelector('#x2f')?.textContent.includes('Answered')`)
	if n := js[int](x, `document.body.innerText.split('What is the difference between mass and weight?').length - 1`); n > 2 {
		t.Errorf("the question stands on the page %d times", n)
	}
	x.sameAsServed()
	x.fine()
}

// trouble is what happens to a page while its answer streams.
var trouble = map[string]func(s *stage, p *proxy, x *tab){
	"a cut": func(_ *stage, p *proxy, _ *tab) { p.cut() },
	"five cuts": func(_ *stage, p *proxy, _ *tab) {
		for range 5 {
			p.cut()
			time.Sleep(150 * time.Millisecond)
		}
	},
	"a 503 on reconnect": func(_ *stage, p *proxy, _ *tab) {
		p.set(false, 1)
		p.cut()
	},
	"no network for a while": func(_ *stage, p *proxy, x *tab) {
		p.set(true, 0)
		p.cut()
		x.within(2*time.Second, "the page says that the line is cut", `/connect/i.test(document.querySelector('#link')?.textContent)`)
		time.Sleep(2 * time.Second)
		p.set(false, 0)
	},
	"kill -9 and a restart": func(s *stage, _ *proxy, _ *tab) {
		s.kill()
		time.Sleep(300 * time.Millisecond)
		s.start()
	},
	"a stop and a restart": func(s *stage, _ *proxy, _ *tab) {
		s.stop()
		s.start()
	},
	"packets that do not come through": func(_ *stage, p *proxy, _ *tab) {
		p.stall(true)
		time.Sleep(3 * time.Second)
		p.stall(false)
	},
	"a hidden tab": func(s *stage, _ *proxy, x *tab) {
		hide(x, true)
		time.Sleep(time.Second)
		hide(x, false)
	},
}

// hide makes the page believe that it is in the background, or no longer.
func hide(x *tab, hidden bool) {
	x.t.Helper()
	state := "visible"
	if hidden {
		state = "hidden"
	}
	js[bool](x, fmt.Sprintf(`(Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => '%s'}),
		Object.defineProperty(document, 'hidden', {configurable: true, get: () => %v}), document.dispatchEvent(new Event('visibilitychange')), true)`, state, hidden))
}

// Promise 1 and cases H01, H04, B03: whatever the line does, the page ends as
// the log has it, without a reload.
func TestBrowserThroughTrouble(t *testing.T) {
	for name, happens := range trouble {
		t.Run(name, func(t *testing.T) {
			m := newFakeModel(t)
			m.on("case-trouble", func(a *saying) { a.words(fmt.Sprintf("w%dx", a.n), 60, 40*time.Millisecond); a.finish("stop") })
			s, b := newStage(t, m), newChromium(t)
			p := newProxy(t, s.addr)
			x := b.open(p.addr, s.signInPath())
			id := s.session("ada", "theo")
			x.goTo("/sessions/" + id)
			x.write("Tell me, case-trouble")
			x.until("the twelfth word", `document.body.textContent.includes('w1x12 ')`)
			happens(s, p, x)
			s.ended(id, 1)
			x.until("the card ends", `/Answered/.test(document.querySelector('#x1f')?.textContent)`)
			for _, word := range []string{"w1x1 ", "w1x12 "} {
				if n := js[int](x, fmt.Sprintf(`document.querySelector('#exchanges').textContent.split(%q).length - 1`, word)); n != 1 {
					t.Errorf("%q stands on the page %d times", word, n)
				}
			}
			x.sameAsServed()
			x.until("live again", `/live/i.test(document.querySelector('#link')?.textContent)`)
			x.fine()
		})
	}
}

// Cases R01, R06: a reload in mid-answer, and leaving before the first word.
func TestBrowserReloadAndLeave(t *testing.T) {
	m := newFakeModel(t)
	m.on("case-reload", func(a *saying) { a.words("w", 40, 50*time.Millisecond); a.finish("stop") })
	late := make(chan struct{})
	m.on("case-late", func(a *saying) { <-late; a.say("Here at last."); a.finish("stop") })
	s, b := newStage(t, m), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	one, two := s.session("ada"), s.session("ada")
	x.goTo("/sessions/" + one)
	x.write("Tell me, case-reload")
	x.until("word 15", `document.body.textContent.includes('w15 ')`)
	x.do(chromedp.Reload())
	x.within(2*time.Second, "words 1 to 15 after the reload", `/w1 .*w15 /.test(document.querySelector('#x1').textContent)`)
	x.until("word 40", `document.body.textContent.includes('w40')`)
	x.sameAsServed()

	x.goTo("/sessions/" + two)
	x.write("Late, case-late")
	x.until("the card", `document.querySelector('#x1')`)
	x.goTo("/sessions/" + one)
	x.goTo("/sessions/" + two)
	x.until("the question and a running state", `/case-late/.test(document.querySelector('#x1').textContent) && document.querySelector('#x1 [data-state=running], #x1[data-state=running], #x1 .thinking')`)
	close(late)
	x.until("the answer", `document.querySelector('#x1').textContent.includes('Here at last.')`)
	x.sameAsServed()
	x.fine()
}

// Case R10 and H03: switching fast never shows one session's words in another,
// and a tab holds one stream.
func TestBrowserSwitching(t *testing.T) {
	m := newFakeModel(t)
	m.on("case-a", func(a *saying) { a.words("alpha", 100, 30*time.Millisecond); a.finish("stop") })
	m.on("case-b", func(a *saying) { a.words("beta", 100, 30*time.Millisecond); a.finish("stop") })
	s, b := newStage(t, m), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	one, two := s.session("ada"), s.session("ada")
	s.ask(one, "case-a")
	s.ask(two, "case-b")
	for range 4 {
		x.goTo("/sessions/" + one)
		x.until("alpha", `document.querySelector('#exchanges').textContent.includes('alpha')`)
		x.goTo("/sessions/" + two)
		x.until("beta", `document.querySelector('#exchanges').textContent.includes('beta')`)
		if js[bool](x, `document.querySelector('#exchanges').textContent.includes('alpha')`) {
			t.Fatal("a word of the other session")
		}
	}
	s.eventually("one stream of the tab", func() bool { return strings.Contains(s.metric("streams_open"), " 1") })
	x.fine()
}

// metric returns the line of a metric that contains name.
func (s *stage) metric(name string) string {
	_, body := s.api("GET", "/metrics", nil)
	var out []string
	for _, line := range strings.Split(string(body), "\n") {
		if strings.Contains(line, name) && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// Case H10: seven visible tabs over HTTP/1.1: the seventh loads, and a
// question from it is answered.
func TestBrowserSevenTabs(t *testing.T) {
	m := newFakeModel(t)
	m.on("case-seven", func(a *saying) { a.say("Seventh heaven."); a.finish("stop") })
	s, b := newStage(t, m), newChromium(t)
	first := b.open(s.addr, s.signInPath())
	id := s.session("ada")
	first.goTo("/sessions/" + id)
	var last *tab
	for range 6 {
		last = b.open(s.addr, "/sessions/"+id)
	}
	last.until("a composer in the seventh tab", `document.querySelector('textarea[name=text]')`)
	last.write("From the seventh, case-seven")
	last.until("the answer in the seventh tab", `document.querySelector('#exchanges').textContent.includes('Seventh heaven.')`)
	hide(first, false)
	js[bool](first, `(window.dispatchEvent(new Event('focus')), true)`)
	first.until("the answer in the first tab, once it is used", `document.querySelector('#exchanges').textContent.includes('Seventh heaven.')`)
}

// Case K04 and the reader's patience: the page stays responsive, and the
// composer keeps what is typed, while text streams (H09).
func TestBrowserTypingWhileItStreams(t *testing.T) {
	m := newFakeModel(t)
	m.on("case-typing", func(a *saying) {
		a.say("```python\n")
		for i := range 300 {
			a.say(fmt.Sprintf("line%d = %d\n", i, i))
			time.Sleep(10 * time.Millisecond)
		}
		a.say("```\n\nDone.")
		a.finish("stop")
	})
	s, b := newStage(t, m), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	x.goTo("/sessions/" + s.session("ada"))
	js[bool](x, `(window.long = 0, new PerformanceObserver(l => { for (const e of l.getEntries()) window.long = Math.max(window.long, e.duration) }).observe({type: 'longtask'}), true)`)
	x.write("case-typing")
	x.until("code", `document.querySelector('#x1 pre')`)
	js[bool](x, `(window.pre = document.querySelector('#x1 pre'), true)`)
	text := "A sentence of sixty characters typed while the answer runs on."
	for _, r := range text {
		x.do(chromedp.KeyEvent(string(r)))
	}
	if got := js[string](x, `document.activeElement.value + '|' + document.activeElement.selectionStart`); got != fmt.Sprintf("%s|%d", text, len(text)) {
		t.Errorf("the composer holds %q", got)
	}
	if !js[bool](x, `window.pre.isConnected && document.querySelectorAll('#x1 pre').length === 1`) {
		t.Error("the open code block was made anew while it grew")
	}
	x.until("the end", `/Answered/.test(document.querySelector('#x1f').textContent)`)
	x.sameAsServed()
	x.fine()
}

// The page can be read, and asked, without JavaScript.
func TestBrowserWithoutJavaScript(t *testing.T) {
	s, b := newStage(t, nil), newChromium(t)
	x := b.open(s.addr, "/healthz")
	if _, err := chromedp.Call(x.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	x.goTo(s.signInPath())
	x.do(chromedp.SendKeys("textarea[name=text]", "Why are leaves green?"), chromedp.Click("form[action='/ask'] button[type=submit], form[action='/ask'] button:not([type])"))
	s.eventually("the workbench", func() bool {
		at, err := chromedp.Run(x.ctx, chromedp.Location())
		return err == nil && strings.Contains(at, "/sessions/")
	})
	s.eventually("an answer in the page that is loaded anew", func() bool {
		if chromedp.Do(x.ctx, chromedp.Reload()) != nil {
			return false // the page was still on its way
		}
		html, err := chromedp.Run(x.ctx, chromedp.OuterHTML("html"))
		return err == nil && strings.Contains(html, "chlorophyll") && strings.Contains(html, "Answered")
	})
}
