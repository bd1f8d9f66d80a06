package templates

import (
	"context"
	"net/url"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

func typed(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	eval[int](t, ctx, `document.getElementById("composer-text").value = ""; 0`)
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#composer-text"), text))
}

func sentPosts(s *fakeServer) []url.Values {
	return locked(s, func() []url.Values { return append([]url.Values{}, s.posts...) })
}

const boxEmpty = `document.getElementById("composer-text").value === "" && ` + idle

const idle = `!document.getElementById("composer").getAttribute("aria-busy")`

// Enter sends once, Shift and Enter breaks the line, an input method's Enter does neither.
func TestEnterSends(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "finished"))
	visit(t, ctx, s)
	typed(t, ctx, "one")
	eval[int](t, ctx, `
		const box = document.getElementById("composer-text");
		const press = (more) => box.dispatchEvent(new KeyboardEvent("keydown",
			{key: "Enter", bubbles: true, cancelable: true, ...more}));
		window.prevented = [press({isComposing: true}), press({keyCode: 229}), press({shiftKey: true})]
			.filter((went) => !went).length; 0`)
	if n := eval[int](t, ctx, `prevented`); n != 0 || len(sentPosts(s)) != 0 {
		t.Fatalf("%d of the keys were taken and %d posts sent", n, len(sentPosts(s)))
	}
	enter(t, ctx)
	until(t, ctx, "the box empty", boxEmpty)
	posts := sentPosts(s)
	if len(posts) != 1 || posts[0].Get("text") != "one" || posts[0].Get("delivery") != "prompt" ||
		len(posts[0].Get("client_id")) != 32 {
		t.Errorf("posts %v, want one prompt", posts)
	}
}

// A double click is one post, and so is what is sent again after a failure: it
// keeps its id until the server has it. The sentence says why.
func TestFailedSendKeepsTextAndID(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	locked(s, func() int { s.answers = []int{409, 422}; return 0 })
	typed(t, ctx, "kept words")
	for i, want := range []string{"A plain sentence about 409.", "The server did not answer",
		"A plain sentence about 422."} {
		locked(s, func() int { s.down = i == 1; return 0 })
		eval[int](t, ctx, `document.getElementById("send").click(); document.getElementById("send").click(); 0`)
		until(t, ctx, want, idle+` && document.getElementById("composer-error").textContent.includes("`+want+`")`)
		if got := eval[string](t, ctx, `document.getElementById("composer-text").value`); got != "kept words" {
			t.Fatalf("after failure %d the box holds %q", i+1, got)
		}
	}
	do(t, ctx, chromedp.Reload())
	until(t, ctx, "the text after a reload", `document.getElementById("composer-text").value === "kept words"`)
	until(t, ctx, "live", isLive)
	eval[int](t, ctx, `document.getElementById("send").click(); 0`)
	until(t, ctx, "sent", boxEmpty)
	posts := sentPosts(s)
	ids := map[string]bool{}
	for _, p := range posts {
		ids[p.Get("client_id")] = true
	}
	if len(posts) != 3 || len(ids) != 1 || posts[0].Get("delivery") != "steer" {
		t.Errorf("%d posts with %d ids: %v", len(posts), len(ids), posts)
	}
	typed(t, ctx, "kept words")
	eval[int](t, ctx, `document.getElementById("ask-next").click(); 0`)
	until(t, ctx, "sent again", boxEmpty)
	if last := sentPosts(s)[3]; ids[last.Get("client_id")] || last.Get("delivery") != "follow_up" {
		t.Errorf("the same words sent on purpose are the same post: %v", last)
	}
}

// A send that found no server says so until the stream is connected again.
func TestNetworkErrorGoesWithTheNetwork(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	until(t, ctx, "live", isLive)
	locked(s, func() int { s.down = true; return 0 })
	typed(t, ctx, "kept words")
	eval[int](t, ctx, `document.getElementById("send").click(); 0`)
	failed := `document.getElementById("composer-error").textContent.includes("The server did not answer")`
	until(t, ctx, "the error", failed)
	s.cut()
	until(t, ctx, "no error once the stream is back",
		isLive+` && !document.getElementById("composer-error").textContent`)
	if got := eval[string](t, ctx, `document.getElementById("composer-text").value`); got != "kept words" {
		t.Errorf("the box holds %q", got)
	}
}

// Without a login the browser goes to the login page and the words wait in the tab.
func TestSendWithoutLoginKeepsText(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "finished"))
	visit(t, ctx, s)
	locked(s, func() int { s.answers = []int{401}; return 0 })
	typed(t, ctx, "not lost")
	eval[int](t, ctx, `document.getElementById("send").click(); 0`)
	until(t, ctx, "the login page", `location.pathname === "/login"`)
	visit(t, ctx, s)
	if got := eval[string](t, ctx, `document.getElementById("composer-text").value`); got != "not lost" {
		t.Errorf("back from the login page the box holds %q", got)
	}
}

// Stop, Ask next and Interject stand in the same place, phone or desk; Stop posts once for a double click.
func TestStop(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	stops := `[...document.querySelectorAll("button")].filter((b) => /stop/i.test(b.textContent)).length`
	if n := eval[int](t, ctx, stops); n != 1 {
		t.Errorf("%d buttons say Stop, want 1", n)
	}
	eval[int](t, ctx, `document.getElementById("stop").click(); 0`)
	until(t, ctx, "Stopping…", `document.getElementById("stop").textContent.includes("Stopping")`)
	s.eventually(t, "the post", func() bool { return len(s.posts) > 0 })
	if posts := sentPosts(s); posts[0].Get("path") != "/sessions/s1/cancel" {
		t.Errorf("posts %v", posts)
	}
}

func TestMention(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "finished"))
	visit(t, ctx, s)
	typed(t, ctx, "Ask @b")
	until(t, ctx, "the list", `document.querySelectorAll("#mentions li").length === 1
		&& !document.getElementById("mentions").hidden`)
	enter(t, ctx)
	if got := eval[string](t, ctx, `document.getElementById("composer-text").value`); got != "Ask @Ben " ||
		len(sentPosts(s)) != 0 {
		t.Errorf("the box holds %q after %d posts", got, len(sentPosts(s)))
	}
}

// The page follows what grows while the reader is at the end, and never otherwise.
func TestScrolling(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	visit(t, ctx, s)
	const atEnd = `document.documentElement.scrollHeight - innerHeight - scrollY < 4`
	until(t, ctx, "the end in view", atEnd)
	long := `<hx-partial hx-target="#x2w0e1p0" hx-swap="beforeend">` + "<p>" + repeated("more ", 2000) +
		"</p></hx-partial>"
	s.send(60, long)
	until(t, ctx, "the end followed", `document.getElementById("x2w0e1p0").textContent.includes("more more") && `+atEnd)
	eval[int](t, ctx, `scrollTo(0, 200); 0`)
	until(t, ctx, "a way back", `!document.getElementById("latest").hidden`)
	s.send(61, long)
	until(t, ctx, "grown", `document.getElementById("x2w0e1p0").querySelectorAll("p").length >= 4`)
	if y := eval[int](t, ctx, `scrollY`); y != 200 {
		t.Errorf("the page moved to %d while it was being read at 200", y)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("#latest")))
	until(t, ctx, "back at the end", atEnd+` && document.getElementById("latest").hidden`)
}

func repeated(s string, n int) string {
	out := make([]byte, 0, len(s)*n)
	for range n {
		out = append(out, s...)
	}
	return string(out)
}

// Without scripts the page shows everything, and its forms post by themselves.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newFakeServer(t, benchPage(t, "running"))
	do(t, ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}), chromedp.Navigate(s.URL+"/sessions/s1"))
	do(t, ctx, chromedp.WaitVisible(chromedp.CSS("#x2w0e1p0")))
	// A busy machine may lose the keys of a tab in the background, and no script can tell here
	// that they have arrived.
	const tries = 5
	for n := 1; ; n++ {
		do(t, ctx, chromedp.Click(chromedp.CSS("#composer-text")),
			chromedp.SendKeys(chromedp.CSS("#composer-text"), "plain"), chromedp.Click(chromedp.CSS("#send")))
		s.eventually(t, "the form is posted", func() bool { return len(s.posts) >= n })
		p := sentPosts(s)[n-1]
		if p.Get("text") == "" && n < tries {
			do(t, ctx, chromedp.Navigate(s.URL+"/sessions/s1"), chromedp.WaitVisible(chromedp.CSS("#x2w0e1p0")))
			continue
		}
		if p.Get("text") != "plain" || p.Get("delivery") != "steer" || p.Get("path") != "/sessions/s1/messages" {
			t.Errorf("posted %v", p)
		}
		return
	}
}
