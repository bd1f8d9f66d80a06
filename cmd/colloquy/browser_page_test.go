package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"colloquy/classroom"
)

// hostile is what a model, a pupil or a file may say; none of it may run,
// fetch or forge.
const hostile = "<script>alert(1)</script> <img src=x onerror=alert(2)> [click](javascript:alert(3)) " +
	"<svg onload=alert(4)></svg> <iframe srcdoc='<script>alert(5)</script>'></iframe> " +
	"![pixel](http://example.com/q.png?secret) [there](http://example.com/)\n\n" +
	"id: 999999\nevent: bye\nretry: 1\ndata: forged\n\none\rtwo\r\nthree\n\n" +
	"```html\n<script>alert(6)</script>\n    indented\n```\n"

// Hostile text in every field that a person or a model fills is inert live,
// reloaded and replayed.
func TestBrowserHostileText(t *testing.T) {
	t.Parallel()
	m := newFakeModel(t)
	m.on("case-hostile", func(a *streamedAnswer) {
		if a.n == 1 {
			a.say(hostile[:40])
			a.say(hostile[40:])
			a.use("search_materials", map[string]string{"query": "pixel " + hostile})
			return
		}
		for i := 0; i < len(hostile); i += 3 {
			a.say(hostile[i:min(i+3, len(hostile))])
		}
		a.finish("stop")
	})
	s, b := newStage(t, m), newChromium(t)
	status, body := s.api("POST", "/api/classes", map[string]any{"title": "Class " + hostile[:60], "mode": "qa",
		"roster": []any{
			map[string]any{
				"name":    "<b>Eve</b><script>alert(7)</script>",
				"role":    "teacher",
				"persona": hostile,
				"color":   "red",
				"avatar":  "javascript",
			},
		}})
	if status != 201 {
		t.Fatalf("%d %s", status, body)
	}
	class := field(string(body), `"id":"`)
	status, body = s.api("POST", "/api/sessions", map[string]any{"class": class, "title": "Title " + hostile[:80]})
	if status != 201 {
		t.Fatalf("%d %s", status, body)
	}
	id := field(string(body), `"id":"`)
	x := b.open(s.addr, s.signInPath())
	x.goTo("/sessions/" + id)
	x.until("live", `/live/i.test(document.querySelector('#link').textContent)`)
	s.ask(id, "case-hostile "+hostile)
	s.ended(id, 1)
	x.until("the end", `/Answered/.test(document.querySelector('#x1f')?.textContent)`)
	inert := func(where string) {
		t.Helper()
		bad := js[string](
			x,
			`[...document.querySelectorAll(['script:not([src])', 'iframe', 'object', 'embed', 'svg[onload]',
				'img:not([src^="/"])', '[style]', 'a[href^="javascript:"]'].join(', '))]
				.map(e => e.outerHTML.slice(0, 80)).concat(
			[...document.querySelectorAll('*')].flatMap(e => [...e.attributes])
				.filter(a => /^on/i.test(a.name)).map(a => a.name)).join('\n')`,
		)
		if bad != "" {
			t.Errorf("%s: %s", where, bad)
		}
		text := js[string](x, `document.querySelector('#x1')?.textContent ?? ''`)
		for _, part := range []string{"<script>alert(1)</script>", "id: 999999", "retry: 1", "    indented"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is lost", where, part)
			}
		}
		x.checkNoErrors()
	}
	inert("live")
	x.sameAsServed()
	x.do(chromedp.Reload())
	x.until("the card again", `document.querySelector('#x1f')`)
	inert("reloaded")
	x.goTo(fmt.Sprintf("/sessions/%s/replay?at=%d", id, len(s.log(id))))
	x.until("the replay", `document.querySelector('#x1')`)
	inert("replayed")
	x.goTo("/classes/" + class)
	x.checkNoErrors()
}

// The composer: Enter sends, Shift+Enter breaks the line, an input method's
// Enter never sends, a double click posts once, and a failed send loses nothing.
func TestBrowserComposer(t *testing.T) {
	t.Parallel()
	s, b := newStage(t, newFakeModel(t)), newChromium(t)
	p := newProxy(t, s.addr)
	x := b.open(p.addr, s.signInPath())
	id := s.session("ada")
	x.goTo("/sessions/" + id)
	x.do(chromedp.SendKeys("#composer-text", "first line"))
	for _, kind := range []input.DispatchKeyEventType{
		input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp,
	} {
		e := input.DispatchKeyEventParams{
			Type:                  kind,
			Key:                   "Enter",
			Code:                  "Enter",
			Text:                  "\r",
			Modifiers:             8,
			WindowsVirtualKeyCode: 13,
		}
		if _, err := chromedp.Call(x.ctx, input.DispatchKeyEvent, e); err != nil {
			t.Fatal(err)
		}
	}
	x.do(chromedp.SendKeys("#composer-text", "second line"))
	js[bool](
		x,
		`document.querySelector('#composer-text').dispatchEvent(new KeyboardEvent('keydown',
			{key: 'Enter', isComposing: true, bubbles: true, cancelable: true})),
		document.querySelector('#composer-text').dispatchEvent(new KeyboardEvent('keydown',
			{key: 'Enter', keyCode: 229, bubbles: true, cancelable: true}))`,
	)
	if got := js[string](x, `document.querySelector('#composer-text').value`); got != "first line\nsecond line" {
		t.Errorf("the box holds %q", got)
	}
	if n := len(s.log(id)); n != 1 {
		t.Errorf("something was sent: %d events", n)
	}
	js[bool](x, `(document.querySelector('#send').click(), document.querySelector('#send').click(), true)`)
	s.ended(id, 1)
	sent := 0
	for _, e := range s.log(id) {
		if e.Type == classroom.TypeUserMessage {
			sent++
		}
	}
	if sent != 1 {
		t.Errorf("a double click sent %d messages", sent)
	}
	x.until("an empty box", `document.querySelector('#composer-text').value === ''`)
	p.set(true, 0)
	p.cut()
	x.write("Not lost")
	x.until("a sentence about what went wrong",
		`document.querySelector('#composer-error').textContent.trim().length > 20`)
	if got := js[string](x, `document.querySelector('#composer-text').value`); got != "Not lost" {
		t.Errorf("the box holds %q after a failed send", got)
	}
	p.set(false, 0)
	x.do(chromedp.Reload())
	x.until("the text after a reload", `document.querySelector('#composer-text')?.value === 'Not lost'`)
	x.enter()
	js[bool](x, `(document.querySelector('#composer-text').focus(), true)`)
	x.enter()
	s.ended(id, 2)
}

// A login that ended in another tab: what is typed is kept,
// the page goes to the sign-in, and the stream stops.
func TestBrowserLoginEnds(t *testing.T) {
	t.Parallel()
	s, b := newStage(t, newFakeModel(t)), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	id := s.session("ada")
	x.goTo("/sessions/" + id)
	x.do(chromedp.SendKeys("#composer-text", "Typed before"))
	other := b.open(s.addr, "/settings")
	js[bool](other, `fetch('/logout', {method: 'POST'}).then(() => true)`)
	x.until("the sign-in page", `location.pathname === '/login'`)
	if !strings.Contains(js[string](x, `location.href`), "return=") {
		t.Error("the sign-in page does not know where to return")
	}
	if n := len(s.log(id)); n != 1 {
		t.Errorf("%d events", n)
	}
	x.checkNoErrors()
}

// Stop, interject and ask next stand in the same place at 390 and 1280 px, and
// Stop from another tab ends the run.
func TestBrowserRunControls(t *testing.T) {
	t.Parallel()
	m := newFakeModel(t)
	m.on("case-controls", func(a *streamedAnswer) {
		a.words("w", 1, 20)
		a.wait(nil) // it is stopped
	})
	s, b := newStage(t, m), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	id := s.session("ada")
	x.goTo("/sessions/" + id)
	x.write("case-controls")
	y := b.open(s.addr, "/sessions/"+id)
	for _, width := range []int64{390, 1280} {
		x.do(chromedp.EmulateViewport(width, 844))
		x.until("one Stop in view",
			`(b => b.length === 1 && b[0].getBoundingClientRect().bottom <= innerHeight
				&& b[0].getBoundingClientRect().width > 24)([...document.querySelectorAll('button')]
				.filter(b => /stop/i.test(b.textContent) && b.checkVisibility()))`,
		)
		if over := js[int](x, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("the page is %d px too wide at %d px", over, width)
		}
	}
	y.until("Stop in the second tab", `document.querySelector('#stop')`)
	y.do(chromedp.Click("#stop"))
	for _, tab := range []*tab{x, y} {
		tab.until("stopped, in words", `/stopped/i.test(document.querySelector('#x1f').textContent)`)
		tab.sameAsServed()
		tab.checkNoErrors()
	}
	if got := js[string](x, `document.querySelector('#x1').textContent`); !strings.Contains(got, "w1 w2") {
		t.Error("the partial text is gone")
	}
}

// audit is what axe finds on a page.
const audit = `axe.run(document, {
	resultTypes: ['violations'],
	runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}).then(r => r.violations.map(v => v.id + ': ' +
	v.nodes.slice(0, 3).map(n => n.target.join(' ') + ' ' + n.html.slice(0, 100)).join(' ; ')).join('\n'))`

// axe finds nothing on any page, light and dark, from a phone to a projector.
func TestBrowserAxe(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile("../../templates/testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s, b := newStage(t, nil), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	id := s.session()
	s.ask(id, "Why are leaves green?")
	log := s.ended(id, 1)
	class := field(string(log[0].Data), `"class_id":"`)
	server := newModelServer(t, "alpha", "beta-2-instruct")
	first := s.connect(map[string]any{
		"base_url": server.url,
		"private":  true,
		"name":     "alpha",
		"title":    "Our model",
		"key":      connectedKey,
		"currency": "EUR",
	})
	s.connect(map[string]any{"base_url": server.url, "private": true, "name": "beta-2-instruct", "default": true})
	model := "/settings/models/" + first.ID
	pages := []string{
		"/",
		"/sessions/" + id,
		"/classes/" + class,
		"/settings",
		model,
		model + "?list",
		fmt.Sprintf("/sessions/%s/replay?at=%d", id, len(log)),
		"/login",
		"/nowhere",
	}
	looks := []struct {
		scheme string
		width  int64
	}{
		{"light", 320}, {"dark", 390}, {"light", 1280}, {"dark", 1920},
		{"dark", 320}, {"light", 390}, {"dark", 1280}, {"light", 1920},
	}
	for n, path := range pages {
		for at, look := range looks {
			if !some(n, at, len(looks)) {
				continue
			}
			x.look(look.scheme, look.width)
			x.goTo(path)
			js[bool](x, string(axe)+";true")
			if found := js[string](x, audit); found != "" {
				t.Errorf("%s at %d px, %s: %s", path, look.width, look.scheme, found)
			}
		}
		for _, look := range looks[:4] { // wherever axe looked, the page fits every width
			x.look(look.scheme, look.width)
			if over := js[int](x, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s is %d px too wide at %d px", path, over, look.width)
			}
			small := js[string](x, `[...document.querySelectorAll('body *')].filter(e => e.checkVisibility()
				&& [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && !e.closest('math, .unseen, svg')
				&& parseFloat(getComputedStyle(e).fontSize) < 13).map(e => e.outerHTML.slice(0, 80)).join('\n')`)
			if small != "" {
				t.Errorf("%s: text under 13 px: %s", path, small)
			}
		}
	}
	x.checkNoErrors()
}

// look makes the window so wide, by day or by night.
func (x *tab) look(scheme string, width int64) {
	x.t.Helper()
	preferred := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	media := emulation.SetEmulatedMediaParams{Features: preferred}
	if _, err := chromedp.Call(x.ctx, emulation.SetEmulatedMedia, media); err != nil {
		x.t.Fatal(err)
	}
	x.do(chromedp.EmulateViewport(width, 900))
}

// The page's budget: a thousand exchanges, ten of them with a
// result of a megabyte.
func TestBrowserLongSession(t *testing.T) {
	t.Parallel()
	s, b := newStage(t, nil), newChromium(t)
	id := s.session("ada")
	s.kill()
	seedLong(t, s.dir, id)
	s.start()
	x := b.open(s.addr, s.signInPath())
	began := time.Now()
	x.goTo("/sessions/" + id)
	t.Logf("opened in %v", time.Since(began))
	if n := js[int](x, `fetch(location.pathname).then(r => r.text()).then(t => t.length)`); n > 300<<10 {
		t.Errorf("the first HTML has %d bytes", n)
	}
	n := js[int](x, `performance.getEntriesByType('resource').filter(r => /\.js/.test(r.name))
		.reduce((n, r) => n + r.transferSize, 0)`)
	if n > 120<<10 {
		t.Errorf("the scripts have %d bytes on the wire", n)
	}
	x.until("the newest exchange", `document.querySelector('#x1000')`)
	for range 2 {
		n := js[int](x, `document.querySelectorAll('#exchanges > *').length`)
		x.do(chromedp.Click("#older a"))
		x.until("older exchanges", fmt.Sprintf(`document.querySelectorAll('#exchanges > *').length > %d`, n))
	}
	s.ask(id, "Why are leaves green?")
	x.until("a new answer on the page", `/Answered/.test(document.querySelector('#x1001f')?.textContent)`)
	x.checkNoErrors()
}

// A model is connected in two steps and tried in place, without a word to another host.
func TestBrowserConnectsModel(t *testing.T) {
	t.Parallel()
	server := newModelServer(t, "alpha", "beta")
	s, b := newStage(t, nil), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	x.goTo("/settings")
	x.do(chromedp.SendKeys("#new-address", server.url), chromedp.Click("#new-private"),
		chromedp.SendKeys("#new-key", connectedKey))
	x.do(chromedp.Click("#connect form.fields button[type=submit]"))
	x.until("the second step", `document.querySelector('input[name=pick][value=beta]')`)
	x.do(chromedp.Click("input[name=pick][value=beta]"), chromedp.Click("form.fields .button.primary"))
	x.until("the finished model",
		`/It answers from the next question on/.test(document.querySelector('.notice')?.textContent)`)
	x.do(chromedp.Click(".try button"))
	x.until("what it said",
		`/It works\. It said “Here speaks beta\.”/.test(document.querySelector('.tried').textContent)`)
	if got := js[string](x, `document.documentElement.outerHTML`); strings.Contains(got, connectedKey) {
		t.Error("the page holds the key")
	}
	x.goTo("/settings")
	x.do(chromedp.Click(".model .try button"))
	x.until("what it said in the list", `/It works/.test(document.querySelector('.model .tried').textContent)`)
	x.do(chromedp.Click(".local .try button"))
	x.until("what was found", `document.querySelector('#local-found').textContent.trim().length > 10`)
	x.checkNoErrors()
}
