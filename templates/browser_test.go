package templates

import (
	"colloquy/templates/locale"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var shots = flag.String("shots", "", "folder for screenshots of every page")

//go:embed testdata/axe/axe.min.js
var axe string

// chromium is one browser for all tests; each has a profile of its own in it.
var chromium = sync.OnceValues(func() (context.Context, error) {
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
	))
	quit = cancel
	return ctx, chromedp.Do(ctx)
})

var quit = func() {}

// full asks for every page in every look; otherwise each page is seen in one.
var full = os.Getenv("COLLOQUY_FULL") != ""

// limit bounds every wait for the browser.
const limit = 30 * time.Second

func TestMain(m *testing.M) {
	Zone = time.UTC // times of day are the same everywhere
	code := m.Run()
	quit()
	os.Exit(code)
}

// browser opens a tab, or skips the test where there is no Chromium and none is required.
func browser(t *testing.T) context.Context {
	t.Helper()
	all, err := chromium()
	if err != nil {
		if os.Getenv("COLLOQUY_BROWSER") == "required" {
			t.Fatal("start Chromium: ", err)
		}
		t.Skip("no Chromium on this machine: ", err)
	}
	return newTab(t, all, chromedp.WithNewBrowserContext())
}

// newTab opens a tab in the profile of another, or in one of its own.
func newTab(t *testing.T, beside context.Context, own ...chromedp.ContextOption) context.Context {
	t.Helper()
	ctx, cancel := chromedp.NewContext(beside, own...)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal("open a tab: ", err)
	}
	return ctx
}

func do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatalf("act in the page: %v", err)
	}
}

func eval[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.200s: %v", js, err)
	}
	return v
}

// rendered are the previews as HTML.
func rendered(t *testing.T, p Prefs) map[string]string {
	out := map[string]string{}
	for name, page := range previews(t, p) {
		out[name] = renderIn(t, locale.Match(p.Language), page)
	}
	return out
}

func sortedNames(pages map[string]string) []string {
	names := make([]string, 0, len(pages))
	for name := range pages {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

const audit = `axe.run(document, {resultTypes: ["violations"],
		runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
	.then(r => r.violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " +
		(n.any[0] ? n.any[0].message : n.all[0] ? n.all[0].message : "")).join(" | ")))`

// A look is how a person sees the pages.
type pageLook struct {
	name  string
	prefs Prefs
	width int64
	fits  []int64 // the widths at which nothing may reach beyond the window
}

var widths = []int64{1280, 390, 320, 1920}

// looks are every theme at every width, the pseudo-locale, and a projector's text.
func looks() (out []pageLook) {
	for _, width := range widths {
		for _, theme := range []string{"light", "dark"} {
			out = append(out, pageLook{fmt.Sprintf("%s-%d", theme, width), Prefs{Theme: theme}, width, widths})
		}
	}
	pseudo := Prefs{Language: "en-XA"}
	out = append(out, pageLook{"pseudo-390", pseudo, 390, widths}, pageLook{"pseudo-1280", pseudo, 1280, nil})
	return append(out, pageLook{"projector-1920", Prefs{Theme: "light", Text: "projector"}, 1920, []int64{1920}})
}

// Every page holds to WCAG 2.2 AA as far as axe can tell, from a narrow phone
// to a projector, in light and dark; and it never scrolls sideways.
func TestPagesAreAccessible(t *testing.T) {
	t.Parallel()
	all := looks()
	for at, look := range all {
		t.Run(look.name, func(t *testing.T) {
			t.Parallel()
			ctx := browser(t)
			pages := rendered(t, look.prefs)
			s := serve(t, pages)
			for n, name := range sortedNames(pages) {
				if !full && n%len(all) != at {
					continue
				}
				do(t, ctx, tallWindow(look.width), chromedp.Navigate(s.URL+"/"+name))
				eval[int](t, ctx, axe+";0")
				for _, v := range eval[[]string](t, ctx, audit) {
					t.Errorf("%s, %s: %s", look.name, name, v)
				}
				for _, width := range look.fits {
					do(t, ctx, tallWindow(width))
					if over := eval[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
						t.Errorf("%s, %s: the page is %d px wider than a window of %d", look.name, name, over, width)
					}
				}
			}
		})
	}
}

// tallWindow is a window so tall that the composer covers nothing.
func tallWindow(width int64) chromedp.Action[chromedp.Void] {
	return chromedp.EmulateViewport(width, 3000)
}

// Targets are at least 24 px in both directions (inline links in running text apart), and no text is under 13 px.
func TestSizes(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	pages := rendered(t, Prefs{Theme: "light"})
	s := serve(t, pages)
	for _, name := range sortedNames(pages) {
		do(t, ctx, chromedp.Navigate(s.URL+"/"+name))
		for _, width := range []int64{390, 1280} {
			do(t, ctx, chromedp.EmulateViewport(width, 800))
			for _, small := range eval[[]string](t, ctx, tooSmall) {
				t.Errorf("%s at %d px: %s", name, width, small)
			}
		}
	}
}

const tooSmall = `(() => {
	const out = [];
	for (const e of document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")) {
		const r = e.getBoundingClientRect();
		if (!r.width || e.closest(".prose, p, .skip, .unseen, dd") || e.matches(".skip")) continue;
		if (r.width < 23.5 || r.height < 23.5) out.push(e.tagName + "." + e.className + " is " +
			Math.round(r.width) + " x " + Math.round(r.height) + ": " + e.textContent.trim().slice(0, 30));
	}
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const e = walk.currentNode.parentElement;
		if (!walk.currentNode.data.trim() || !e.getClientRects().length
			|| e.closest("svg, math, script, sup")) continue;
		const size = parseFloat(getComputedStyle(e).fontSize);
		if (size < 13) out.push(size + " px: " + walk.currentNode.data.trim().slice(0, 40));
	}
	return out;
})()`

// With -shots every page is photographed, to be looked at by a person.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("no -shots")
	}
	t.Parallel()
	ctx := browser(t)
	for _, theme := range []string{"light", "dark"} {
		pages := rendered(t, Prefs{Theme: theme})
		s := serve(t, pages)
		for _, width := range []int64{1280, 390} {
			do(t, ctx, chromedp.EmulateViewport(width, map[int64]int64{1280: 800, 390: 844}[width]))
			for _, name := range sortedNames(pages) {
				shoot(t, ctx, s.URL+"/"+name, strings.Join([]string{name, theme,
					map[int64]string{1280: "1280", 390: "390"}[width]}, "-"))
			}
		}
	}
	pseudo := rendered(t, Prefs{Theme: "light", Language: "en-XA"})
	s := serve(t, pseudo)
	for _, width := range []int64{1280, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 844))
		for _, name := range sortedNames(pseudo) {
			shoot(t, ctx, s.URL+"/"+name, fmt.Sprintf("%s-pseudo-%d", name, width))
		}
	}
	s = serve(t, rendered(t, Prefs{Theme: "light", Text: "projector"}))
	do(t, ctx, chromedp.EmulateViewport(1920, 1080))
	shoot(t, ctx, s.URL+"/running", "running-projector-1920")
	do(t, ctx, chromedp.EmulateViewport(900, 1100), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return err
	}))
	shoot(t, ctx, s.URL+"/finished", "finished-print-900")
}

func shoot(t *testing.T, ctx context.Context, url, name string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(url))
	eval[any](t, ctx, `document.fonts.ready.then(() => 0)`)
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}
