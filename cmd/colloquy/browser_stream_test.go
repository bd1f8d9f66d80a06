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
	different := x.differsFromServed()
	for late := time.After(limit); different != ""; different = x.differsFromServed() {
		select {
		case <-late:
			x.t.Error(different)
			return
		default: // the answer grew between the page's state and the server's
		}
	}
}

// differsFromServed shows where the page's cards and those that the server renders part.
func (x *tab) differsFromServed() string {
	return js[string](x, `fetch(location.pathname).then(r => r.text()).then(html => {
		const cards = '#exchanges .card, #exchanges > article, #exchanges > li';
		const text = root =>
			[...root.querySelectorAll(cards)].map(c => c.textContent.replace(/\s+/g, ' ').trim()).join('\n');
		const live = text(document), served = text(new DOMParser().parseFromString(html, 'text/html'));
		if (!live) return 'no card on the page';
		if (live === served) return '';
		let i = 0; while (live[i] === served[i]) i++;
		return 'live: …' + live.slice(Math.max(0, i - 60), i + 100) +
			'\nserved: …' + served.slice(Math.max(0, i - 60), i + 100);
	})`)
}

// A question from the first page, with the built-in tutor: the main job.
func TestBrowserFirstQuestion(t *testing.T) {
	t.Parallel()
	s, b := newStage(t, nil), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	x.until("the question box has the focus", `document.activeElement?.name === 'text'`)
	x.write("Why are leaves green?")
	x.until("the workbench", `location.pathname.startsWith('/sessions/')`)
	x.until("an answer with its source",
		`/chlorophyll/.test(document.querySelector('#x1')?.textContent)
			&& /Photosynthesis/.test(document.querySelector('#x1').textContent)`,
	)
	x.until("the end", `document.querySelector('#x1f')?.textContent.includes('Answered')`)
	x.sameAsServed()
	x.write("What is the difference between mass and weight?")
	x.until("the second answer ends", `document.querySelector('#x2f')?.textContent.includes('Answered')`)
	n := js[int](x, `document.body.innerText.split('What is the difference between mass and weight?').length - 1`)
	if n > 2 {
		t.Errorf("the question stands on the page %d times", n)
	}
	x.sameAsServed()
	x.checkNoErrors()
}

// trouble is what happens to a page while its answer streams. The answer has
// stopped after twelve words; speak lets it say those up to the fortieth, and
// the rest comes when the trouble is over.
var trouble = map[string]func(x *troubled, speak func()){
	"a cut": func(x *troubled, speak func()) {
		speak()
		x.proxy.cut()
	},
	"five cuts": func(x *troubled, speak func()) {
		for n := range 5 {
			if n == 2 {
				speak()
			}
			seen := x.proxy.carried()
			x.proxy.cut()
			js[bool](x.tab, `(window.dispatchEvent(new Event('online')), true)`) // the page waits for no backoff
			x.eventually("the page comes back", func() bool { return x.proxy.carried() > seen })
		}
	},
	"a 503 on reconnect": func(x *troubled, speak func()) {
		x.proxy.set(false, 1)
		x.proxy.cut()
		speak()
	},
	"no network for a while": func(x *troubled, speak func()) {
		x.proxy.set(true, 0)
		x.proxy.cut()
		x.until("the page says that the line is cut", `/connect/i.test(document.querySelector('#link')?.textContent)`)
		speak()
		x.spoke(x.id, 0, "w1x40 ")
		refused := x.proxy.refused()
		x.eventually("the page tries in vain", func() bool { return x.proxy.refused() > refused })
		x.proxy.set(false, 0)
	},
	"kill -9 and a restart": func(x *troubled, speak func()) {
		speak()
		x.kill()
		x.until("the page says that the line is cut", `/connect/i.test(document.querySelector('#link')?.textContent)`)
		x.start()
	},
	"a stop and a restart": func(x *troubled, speak func()) {
		speak()
		x.stop()
		x.start()
	},
	"packets that do not come through": func(x *troubled, speak func()) {
		x.proxy.stall(true)
		speak()
		x.spoke(x.id, 0, "w1x40 ")
		x.eventually("bytes are held back", func() bool { return x.proxy.held() > 0 })
		x.proxy.stall(false)
	},
	"a hidden tab": func(x *troubled, speak func()) {
		hide(x.tab, true)
		speak()
		x.spoke(x.id, 0, "w1x40 ")
		x.until("the stream is let go", `document.documentElement.dataset.link === 'paused'`)
		hide(x.tab, false)
	},
}

// A troubled page looks at a session through a proxy.
type troubled struct {
	*stage
	*tab
	proxy *proxy
	id    string
}

// hide makes the page believe that it is in the background, or no longer.
func hide(x *tab, hidden bool) {
	x.t.Helper()
	state := "visible"
	if hidden {
		state = "hidden"
	}
	js[bool](x, fmt.Sprintf(`(Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => '%s'}),
		Object.defineProperty(document, 'hidden', {configurable: true, get: () => %v}),
		document.dispatchEvent(new Event('visibilitychange')), true)`, state, hidden))
}

// Promise 1: whatever the line does, the page ends as
// the log has it, without a reload.
func TestBrowserThroughTrouble(t *testing.T) {
	for name, happens := range trouble {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, during, after := newFakeModel(t), make(chan struct{}), make(chan struct{})
			m.on("case-trouble", func(a *streamedAnswer) {
				stem := fmt.Sprintf("w%dx", a.n)
				a.words(stem, 1, 12)
				if !a.wait(during) {
					return
				}
				a.words(stem, 13, 40)
				if a.wait(after) {
					a.words(stem, 41, 60)
					a.finish("stop")
				}
			})
			s, b := newStage(t, m), newChromium(t)
			p := newProxy(t, s.addr)
			x := b.open(p.addr, s.signInPath())
			id := s.session("ada")
			x.goTo("/sessions/" + id)
			x.write("Tell me, case-trouble")
			x.until("the twelfth word", `/w1x12(?!\d)/.test(document.body.textContent)`)
			happens(&troubled{s, x, p, id}, func() { close(during) })
			close(after)
			s.ended(id, 1)
			x.until("the card ends", `/Answered/.test(document.querySelector('#x1f')?.textContent)`)
			for _, word := range []string{"w1x1 ", "w1x12 "} {
				count := fmt.Sprintf(`document.querySelector('#exchanges').textContent.split(%q).length - 1`, word)
				n := js[int](x, count)
				if n != 1 {
					t.Errorf("%q stands on the page %d times", word, n)
				}
			}
			x.sameAsServed()
			x.until("live again", `/live/i.test(document.querySelector('#link')?.textContent)`)
			x.checkNoErrors()
		})
	}
}

// A reload in mid-answer, and leaving before the first word.
func TestBrowserReloadAndLeave(t *testing.T) {
	t.Parallel()
	m, more, late := newFakeModel(t), make(chan struct{}), make(chan struct{})
	m.on("case-reload", func(a *streamedAnswer) {
		a.words("w", 1, 15)
		if a.wait(more) {
			a.words("w", 16, 40)
			a.finish("stop")
		}
	})
	m.on("case-late", func(a *streamedAnswer) {
		if a.wait(late) {
			a.say("Here at last.")
			a.finish("stop")
		}
	})
	s, b := newStage(t, m), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	one, two := s.session("ada"), s.session("ada")
	x.goTo("/sessions/" + one)
	x.write("Tell me, case-reload")
	x.until("word 15", `/w15(?!\d)/.test(document.body.textContent)`)
	x.do(chromedp.Reload())
	x.until("words 1 to 15 after the reload", `/w1 .*w15(?!\d)/.test(document.querySelector('#x1').textContent)`)
	close(more)
	x.until("word 40", `document.body.textContent.includes('w40')`)
	x.sameAsServed()

	x.goTo("/sessions/" + two)
	x.write("Late, case-late")
	x.until("the card", `document.querySelector('#x1')`)
	x.goTo("/sessions/" + one)
	x.goTo("/sessions/" + two)
	x.until("the question and a running state",
		`/case-late/.test(document.querySelector('#x1').textContent) &&
			document.querySelector('#x1 [data-state=running], #x1[data-state=running], #x1 .thinking')`,
	)
	close(late)
	x.until("the answer", `document.querySelector('#x1').textContent.includes('Here at last.')`)
	x.sameAsServed()
	x.checkNoErrors()
}

// Switching fast never shows one session's words in another,
// and a tab holds one stream.
func TestBrowserSwitching(t *testing.T) {
	t.Parallel()
	m, more := newFakeModel(t), make(chan struct{})
	for marker, stem := range map[string]string{"case-a": "alpha", "case-b": "beta"} {
		m.on(marker, func(a *streamedAnswer) {
			a.words(stem, 1, 10)
			for i := 11; a.wait(more); i++ {
				a.words(stem, i, i)
			}
		})
	}
	s, b := newStage(t, m), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	one, two := s.session("ada"), s.session("ada")
	s.ask(one, "case-a")
	s.ask(two, "case-b")
	speak := func() {
		for range 20 { // whichever of the two takes them
			select {
			case more <- struct{}{}:
			case <-time.After(limit):
				t.Fatalf("not in %v: a word is asked for", limit)
			}
		}
	}
	for range 4 {
		x.goTo("/sessions/" + one)
		speak()
		x.until("alpha", `document.querySelector('#exchanges').textContent.includes('alpha')`)
		x.goTo("/sessions/" + two)
		speak()
		x.until("beta", `document.querySelector('#exchanges').textContent.includes('beta')`)
		if js[bool](x, `document.querySelector('#exchanges').textContent.includes('alpha')`) {
			t.Fatal("a word of the other session")
		}
	}
	s.eventually("one stream of the tab", func() bool { return strings.Contains(s.metric("streams_open"), " 1") })
	x.checkNoErrors()
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

// Seven visible tabs over HTTP/1.1: the seventh loads, and a
// question from it is answered.
func TestBrowserSevenTabs(t *testing.T) {
	t.Parallel()
	m := newFakeModel(t)
	m.on("case-seven", func(a *streamedAnswer) { a.say("Seventh heaven."); a.finish("stop") })
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
	last.until("the answer in the seventh tab",
		`document.querySelector('#exchanges').textContent.includes('Seventh heaven.')`)
	hide(first, false)
	js[bool](first, `(window.dispatchEvent(new Event('focus')), true)`)
	first.until("the answer in the first tab, once it is used",
		`document.querySelector('#exchanges').textContent.includes('Seventh heaven.')`)
}

// The page stays responsive, and the
// composer keeps what is typed, while text streams (H09).
func TestBrowserTypingWhileItStreams(t *testing.T) {
	t.Parallel()
	m := newFakeModel(t)
	text := "A sentence of sixty characters typed while the answer runs on."
	typed := make(chan struct{})
	m.on("case-typing", func(a *streamedAnswer) {
		a.say("```python\n")
		for i := range 300 {
			if i > 10 && i < len(text) && !a.wait(typed) { // a line for each character
				return
			}
			a.say(fmt.Sprintf("line%d = %d\n", i, i))
		}
		a.say("```\n\nDone.")
		a.finish("stop")
	})
	s, b := newStage(t, m), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	x.goTo("/sessions/" + s.session("ada"))
	js[bool](
		x,
		`(window.long = 0, new PerformanceObserver(l => {
			for (const e of l.getEntries()) window.long = Math.max(window.long, e.duration)
		}).observe({type: 'longtask'}), true)`,
	)
	x.write("case-typing")
	x.until("code", `document.querySelector('#x1 pre')`)
	js[bool](x, `(window.pre = document.querySelector('#x1 pre'), true)`)
	for i, r := range text {
		x.do(chromedp.KeyEvent(string(r)))
		if i > 10 {
			select {
			case typed <- struct{}{}:
			case <-time.After(limit):
				t.Fatalf("not in %v: line %d is asked for", limit, i)
			}
		}
	}
	got := js[string](x, `document.activeElement.value + '|' + document.activeElement.selectionStart`)
	if got != fmt.Sprintf("%s|%d", text, len(text)) {
		t.Errorf("the composer holds %q", got)
	}
	if !js[bool](x, `window.pre.isConnected && document.querySelectorAll('#x1 pre').length === 1`) {
		t.Error("the open code block was made anew while it grew")
	}
	x.until("the end", `/Answered/.test(document.querySelector('#x1f').textContent)`)
	x.sameAsServed()
	x.checkNoErrors()
}

// The page can be read, and asked, without JavaScript.
func TestBrowserWithoutJavaScript(t *testing.T) {
	t.Parallel()
	s, b := newStage(t, nil), newChromium(t)
	x := b.open(s.addr, "/healthz")
	noScript := emulation.SetScriptExecutionDisabledParams{Value: true}
	if _, err := chromedp.Call(x.ctx, emulation.SetScriptExecutionDisabled, noScript); err != nil {
		t.Fatal(err)
	}
	x.goTo(s.signInPath())
	x.do(chromedp.SendKeys("textarea[name=text]", "Why are leaves green?"),
		chromedp.Click("form[action='/ask'] button[type=submit], form[action='/ask'] button:not([type])"))
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
