package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPictures takes the pictures of the README. It runs only where -shots names a folder.
func TestPictures(t *testing.T) {
	if *shots == "" {
		t.Skip("no -shots")
	}
	s, b := newStage(t, nil), newChromium(t)
	x := b.open(s.addr, s.signInPath())
	const finished = `document.querySelector("#x1 .card-foot[data-state=completed]")`
	for _, p := range []struct {
		name, mode, text string
		width, height    int64
	}{
		{"workbench", "qa", "Why are leaves green?", 1280, 860},
		{"debate", "debate", "Plants need light to live.", 1280, 980},
	} {
		x.goTo("/")
		x.do(chromedp.EmulateViewport(p.width, p.height))
		js[bool](x, `(document.querySelector("select[name=mode]").value = "`+p.mode+`", true)`)
		x.write(p.text)
		x.until(p.name+" finished", finished+` && !document.querySelector(".row-status")`)
		js[bool](x, `(scrollTo(0, 0), true)`)
		x.take(p.name)
	}
	x.do(chromedp.EmulateViewport(390, 844))
	js[bool](x, `(document.querySelector("#x1").scrollIntoView(), true)`)
	x.take("debate-phone")
}

// take writes a picture of what the tab shows.
func (x *tab) take(name string) {
	x.t.Helper()
	png, err := chromedp.Run(x.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o600)
	}
	if err != nil {
		x.t.Error(err)
	}
}
