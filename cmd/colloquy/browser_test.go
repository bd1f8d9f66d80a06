package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A chromium is a profile of its own in the one Chromium of all tests.
type chromium struct {
	t   *testing.T
	ctx context.Context
}

// A tab is one page of a browser. It notes what a page must never do: dialogs,
// errors on the console, and requests to other hosts.
type tab struct {
	t     *testing.T
	ctx   context.Context
	close func()
	wrong *output
	base  string
}

var quitChromium = func() {}

// oneChromium is started by the first test that needs it.
var oneChromium = sync.OnceValues(func() (context.Context, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return nil, exec.ErrNotFound
	}
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-sync", true),
	))
	quitChromium = cancel
	return ctx, chromedp.Do(ctx)
})

// newChromium opens a profile, or skips where there is no Chromium and none is required.
func newChromium(t *testing.T) *chromium {
	t.Helper()
	all, err := oneChromium()
	if err != nil && os.Getenv("COLLOQUY_BROWSER") == "required" {
		t.Fatal("start Chromium: ", err)
	}
	if err != nil {
		t.Skip("no Chromium on this machine: ", err)
	}
	ctx, cancel := chromedp.NewContext(all, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &chromium{t, ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return b
}

// open opens a tab at a path of the host base.
func (b *chromium) open(base, path string) *tab {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.t.Cleanup(cancel)
	x := &tab{t: b.t, ctx: ctx, close: cancel, wrong: newOutput(), base: "http://" + base}
	if err := chromedp.Do(ctx); err != nil {
		b.t.Fatal(err)
	}
	x.watch()
	x.goTo(path)
	return x
}

// watch notes what the page does wrong.
func (x *tab) watch() {
	t := chromedp.FromContext(x.ctx).Target
	note := func(method string, say func([]byte)) {
		events, stop := t.Subscribe(method)
		x.t.Cleanup(stop)
		go func() {
			for e := range events {
				say(e)
			}
		}()
	}
	if _, err := chromedp.Call(x.ctx, network.Enable, network.EnableParams{}); err != nil {
		x.t.Fatal(err)
	}
	note("Page.javascriptDialogOpening", func(e []byte) {
		fmt.Fprintf(x.wrong, "dialog: %s\n", e)
		chromedp.Call(x.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})
	})
	note("Log.entryAdded", func(e []byte) { // network errors are there too, and are part of some tests
		if strings.Contains(string(e), `"source":"security"`) {
			fmt.Fprintf(x.wrong, "refused by the policy of the page: %.600s\n", e)
		}
	})
	note("Runtime.exceptionThrown", func(e []byte) { fmt.Fprintf(x.wrong, "exception: %.600s\n", e) })
	note("Network.requestWillBeSent", func(e []byte) {
		if u := field(string(e), `"request":{"url":"`); u != "" && !strings.HasPrefix(u, x.base) &&
			!strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "chrome") && !strings.HasPrefix(u, "about:") {
			fmt.Fprintf(x.wrong, "request to another host: %s\n", u)
		}
	})
	if _, err := chromedp.Call(x.ctx, cdpruntime.Enable, struct{}{}); err != nil {
		x.t.Fatal(err)
	}
	if _, err := chromedp.Call(x.ctx, cdplog.Enable, struct{}{}); err != nil {
		x.t.Fatal(err)
	}
}

// field returns the string that follows before in text, up to the next quote.
func field(text, before string) string {
	_, rest, ok := strings.Cut(text, before)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

func (x *tab) goTo(path string) {
	x.t.Helper()
	x.try("open "+path, chromedp.Navigate(x.base+path))
}

func (x *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	x.try("act in the page", actions...)
}

func (x *tab) try(what string, actions ...chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, limit)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		x.t.Fatalf("%s: %v\n%s", what, err, x.pageState())
	}
}

// js returns the value of an expression; a promise is waited for.
func js[T any](x *tab, expression string) T {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, limit)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		x.t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

// until waits until an expression is true. The page itself looks, every frame
// or so; where it goes away meanwhile, the next page goes on looking.
func (x *tab) until(what, expression string) {
	x.t.Helper()
	look := chromedp.Evaluate[bool](`new Promise((done) => {
		const end = Date.now() + 1000;
		const look = () => {
			let ok = false;
			try { ok = !!(`+expression+`) } catch {}
			if (ok || Date.now() > end) done(ok); else setTimeout(look, 15);
		};
		look();
	})`, chromedp.EvalAwaitPromise)
	ctx, cancel := context.WithTimeout(x.ctx, limit)
	defer cancel()
	for ctx.Err() == nil {
		if ok, err := chromedp.Run(ctx, look); err == nil && ok {
			return
		}
	}
	x.t.Fatalf("not in %v: %s (%s)\n%s", limit, what, expression, x.pageState())
}

// pageState is what stands at the end of the page, and what it did wrong, for messages.
func (x *tab) pageState() string {
	ctx, cancel := context.WithTimeout(x.ctx, 5*time.Second)
	defer cancel()
	const end = `location.href + '\n' + document.body.innerText.slice(-1500)`
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](end))
	return fmt.Sprintf("%s\n%v\n%s", text, err, x.wrong)
}

// checkNoErrors fails where the page did what no page may do.
func (x *tab) checkNoErrors() {
	x.t.Helper()
	if w := x.wrong.String(); w != "" {
		x.t.Error(w)
	}
}

// write puts text into the composer, and sends it with Enter.
func (x *tab) write(text string) {
	x.t.Helper()
	x.do(chromedp.SendKeys("textarea[name=text]", text))
	x.enter()
}

// enter presses Enter as a keyboard does: a page that takes the key gets no character.
func (x *tab) enter() {
	x.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{
		input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp,
	} {
		p := input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13}
		if kind == input.DispatchKeyEventTypeKeyDown {
			p.Text = "\r"
		}
		if _, err := chromedp.Call(x.ctx, input.DispatchKeyEvent, p); err != nil {
			x.t.Fatal(err)
		}
	}
}
