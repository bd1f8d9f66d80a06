package templates

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"colloquy/classroom"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const paragraph = `<hx-partial hx-target="#x2w0e1p0k0>:last-child" hx-swap="beforeend"> more words</hx-partial>`

// The page's stream begins at the page's cursor, brings patches in, and after a
// cut goes on from the last patch that was carried out.
func TestStreamResumesFromTheLastPatch(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	s.send(50, paragraph)
	until(t, ctx, "the patch", `document.getElementById("x2w0e1p0k0").textContent.endsWith(" more words")`)

	eval[int](t, ctx, `window.seen = [];
		((link) => new MutationObserver(() => seen.push(link.dataset.link)).observe(link, {attributes: true}))(
			document.getElementById("link")); 0`)
	locked(s, func() int { s.refuse = []int{503}; return 0 })
	s.cut()
	until(t, ctx, "the cut shown", `seen.includes("reconnecting")`)
	until(t, ctx, "live again", `seen.at(-1) === "live"`)
	opened := locked(s, func() []string { return append([]string{}, s.opened...) })
	if len(opened) != 3 || opened[1] != "after=50" || opened[2] != "after=50" {
		t.Errorf("streams were opened with %q, want the page's cursor and then after=50 twice", opened)
	}
	if eval[bool](t, ctx, `document.body.textContent.includes("an error page")`) {
		t.Error("the body of the 503 was swapped into the page")
	}
}

// A patch may bring thinking, its first text in the same frame, more of it, and
// another text in its place; and a text may turn out to be thinking.
func TestThinkingPatches(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	fold := func(id string) string {
		return `<details class="thinking fold" id="` + id + `"><summary id="` + id + `s">T</summary>` +
			`<div class="said" id="` + id + `t"></div></details>`
	}
	whole := func(id, text string) string {
		return `<hx-upsert hx-target="#` + id + `"><div class="said" id="` + id + `t">` + text + `</div></hx-upsert>`
	}
	shows := func(id, text string) string {
		return `[...document.querySelectorAll("details#` + id + `>[id=` + id +
			`t]")].map(x => x.textContent).join("|") === "` + text + `"`
	}
	s.send(50, `<hx-partial hx-target="#x2w0e1" hx-swap="beforeend">`+fold("x2w0e1p7")+`</hx-partial>`+whole("x2w0e1p7",
		"first"))
	until(t, ctx, "the first text", shows("x2w0e1p7", "first"))
	s.send(51, `<hx-partial hx-target="#x2w0e1p7t" hx-swap="beforeend"> then &lt;b&gt; more</hx-partial>`)
	until(t, ctx, "more of it", shows("x2w0e1p7", "first then <b> more"))
	s.send(52, whole("x2w0e1p7", "another"))
	until(t, ctx, "another text", shows("x2w0e1p7", "another"))
	s.send(53, `<hx-partial hx-target="#x2w0e1p0" hx-swap="outerMorph">`+fold("x2w0e1p0")+`</hx-partial>`+
		whole("x2w0e1p0", "a thought"))
	until(t, ctx, "the text as thinking", shows("x2w0e1p0", "a thought"))
}

// Trap: htmx never retries a first connection that fails.
func TestFirstConnectionIsRetried(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "finished"))
	locked(s, func() int { s.refuse = []int{503, 502}; return 0 })
	visit(t, ctx, s)
}

// Processing the stream's element again opens no second stream.
func TestOneStreamPerTab(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	eval[int](t, ctx, `for (let i = 0; i < 3; i++) htmx.process(document.getElementById("stream"));
		for (let i = 0; i < 3; i++) htmx.process(document.body); 0`)
	s.send(50, paragraph)
	until(t, ctx, "the patch", `document.getElementById("x2w0e1p0k0").textContent.endsWith(" more words")`)
	if n := s.open(); n != 1 {
		t.Errorf("%d streams are open, want 1", n)
	}
	if eval[bool](t, ctx, `document.getElementById("x2w0e1p0k0").textContent.endsWith("more words more words")`) {
		t.Error("the patch was carried out twice")
	}
}

func TestControlFrames(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))

	visit(t, ctx, s)
	s.send(0, "event: bye\ndata: {\"reason\":\"shutdown\"}")
	again := func() bool { return len(s.opened) == 2 && len(s.streams) == 1 }
	s.eventually(t, "a second stream after a shutdown", again)

	s.send(0, "event: reset\ndata: {\"reason\":\"ahead\",\"head\":3}")
	s.eventually(t, "a fresh page after a reset", func() bool { return s.loads == 2 && len(s.opened) == 3 })
	until(t, ctx, "live", isLive)

	s.send(0, "event: bye\ndata: {\"reason\":\"deleted\"}")
	until(t, ctx, "closed", `document.documentElement.dataset.link === "closed"`)

	visit(t, ctx, s)
	s.send(0, "event: bye\ndata: {\"reason\":\"logout\"}")
	until(t, ctx, "the login page", `location.pathname + location.search === "/login?return=%2Fsessions%2Fs1"`)
}

// A stream that is refused for want of a login leads to the login page, once.
func TestStreamWithoutLogin(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	locked(s, func() int { s.refuse = []int{401}; return 0 })
	s.cut()
	until(t, ctx, "the login page", `location.pathname === "/login"`)
}

// A stream that is not there, or has nothing to say, is not asked for again.
func TestStreamThatIsNotThere(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	for status, state := range map[int]string{404: "closed", 204: "ended"} {
		s := newFakeServer(t, benchPage(t, "finished"))
		locked(s, func() int { s.refuse = []int{status, status, status}; return 0 })
		do(t, ctx, chromedp.Navigate(s.URL+"/sessions/s1"))
		until(t, ctx, state, `document.documentElement.dataset.link === "`+state+`"`)
		eval[int](t, ctx, `dispatchEvent(new Event("online")); dispatchEvent(new Event("focus"));
			document.dispatchEvent(new CustomEvent("colloquy:sent")); 0`)
		if n := locked(s, func() int { return len(s.opened) }); n != 1 {
			t.Errorf("status %d: the stream was asked for %d times, want once", status, n)
		}
	}
}

// What a person opened stays open when its part is replaced or morphed; what is
// being typed is left alone.
func TestPatchesLeaveThePersonAlone(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	f := sampleFolds(t)["running"]
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	eval[int](t, ctx, `document.getElementById("x2w0e0").open = true;
		const box = document.getElementById("composer-text"); box.focus();
		box.value = "half a sentence"; box.setSelectionRange(4, 4); 0`)

	card := oneLine(render(t, Card(CardView{Session: "s1", Card: f.Cards[1], Live: true})))
	entry := oneLine(render(t, Entry(CardView{Session: "s1", Card: f.Cards[1]}, f.Cards[1].Windows[0],
		f.Cards[1].Windows[0].Entries[0])))
	s.send(51, `<hx-partial hx-target="#x2" hx-swap="outerMorph">`+card+`</hx-partial>`)
	s.send(52, `<hx-upsert hx-target="#x2w0e">`+entry+`</hx-upsert>`+
		`<hx-partial hx-target="#session-title" hx-swap="innerHTML">Renamed</hx-partial>`)
	until(t, ctx, "the patches", `document.getElementById("session-title").textContent === "Renamed"`)
	if !eval[bool](t, ctx, `document.getElementById("x2w0e0").open`) {
		t.Error("a fold that was open is closed")
	}
	got := eval[string](t, ctx, `const b = document.activeElement; b.id + "|" + b.value + "|" + b.selectionStart`)
	if got != "composer-text|half a sentence|4" {
		t.Errorf("the box is %q", got)
	}
}

func oneLine(html string) string { return strings.ReplaceAll(html, "\n", "&#10;") }

// With seven tabs of one origin over HTTP/1.1 the seventh loads and
// asks; at most four hold a stream.
func TestSevenTabs(t *testing.T) {
	t.Parallel()
	first := browser(t)
	s := newFakeServer(t, benchPage(t, "finished"))
	visit(t, first, s)
	tabs := []context.Context{first}
	for range 6 {
		tab := newTab(t, first)
		visit(t, tab, s)
		tabs = append(tabs, tab)
	}
	until(t, tabs[0], "the first tab pauses", `document.documentElement.dataset.link === "paused"`)
	for s.open() > 4 { // the server learns a moment later that the first has gone
		if runtime.Gosched(); t.Context().Err() != nil {
			t.Fatal("more than four streams stay open")
		}
	}
	eval[int](t, tabs[6], `const box = document.getElementById("composer-text");
		box.value = "From the seventh"; box.form.requestSubmit(); 0`)
	until(t, tabs[6], "the question "+
		"sent", `document.getElementById("composer-text").value === "" && !box.form.getAttribute("aria-busy")`)
	if n := locked(s, func() int { return len(s.posts) }); n != 1 {
		t.Errorf("%d posts, want 1", n)
	}
	eval[int](t, tabs[0], `dispatchEvent(new Event("focus")); 0`)
	until(t, tabs[0], "the first tab live again", isLive)
}

// A line that goes dead without a sign is noticed while a run is on,
// and the stream goes on once there is an answer again.
func TestSilenceIsNoticed(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	locked(s, func() int { s.frozen = true; return 0 })
	until(t, ctx, "the silence noticed", `document.documentElement.dataset.link === "reconnecting"`)
	locked(s, func() int { s.frozen = false; return 0 })
	eval[int](t, ctx, `dispatchEvent(new Event("online")); 0`)
	until(t, ctx, "live again", isLive)
}

// While nothing arrives, and for people who want no motion, nothing moves.
func TestNothingMovesWithoutReason(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	const moving = `document.getAnimations().filter((a) => a.playState === "running").length`
	if n := eval[int](t, ctx, moving); n == 0 {
		t.Fatal("nothing shows that the agent speaks")
	}
	eval[int](t, ctx, `document.documentElement.dataset.link = "interrupted"; 0`)
	if n := eval[int](t, ctx, moving); n != 0 {
		t.Errorf("%d animations run on a dead line", n)
	}
	eval[int](t, ctx, `document.documentElement.dataset.link = "live"; 0`)
	do(t, ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion",
				Value: "reduce"}}})
		return err
	}))
	if n := eval[int](t, ctx, moving); n != 0 {
		t.Errorf("%d animations run for somebody who wants none", n)
	}
}

// A screen reader hears that an agent has finished and how the run ended, once, and not the words in between.
func TestAnnouncements(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	eval[int](t, ctx, `window.announced = [];
		((region) => new MutationObserver(() => announced.push(region.textContent)).observe(region, {childList: true}))(
			document.getElementById("announce")); 0`)
	s.send(50, paragraph)
	until(t, ctx, "the patch", `document.getElementById("x2w0e1p0k0").textContent.endsWith(" more words")`)

	done := lesson(t)
	done.ask("And why are leaves green?")
	done.open("ada")
	done.close(classroom.StopEnd)
	done.end(classroom.Completed, "", "")
	c := done.fold().Cards[1]
	v := CardView{Session: "s1", Card: c, Live: true}
	s.send(51, `<hx-partial hx-target="#x2w0h" hx-swap="outerMorph">`+render(t,
		WindowHead(v, c.Windows[0]))+`</hx-partial><hx-partial hx-target="#x2f" hx-swap="outerMorph">`+render(t,
		CardFoot(v))+`</hx-partial>`)
	until(t, ctx, "the announcement", `announced.length > 0`)
	if got := eval[string](t, ctx, `announced.join("|")`); got != "Ada has finished. Answered." {
		t.Errorf("announced %q", got)
	}
}
