package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// upload puts files of names and texts into the form for materials and sends it.
func (x *tab) upload(files ...[2]string) {
	x.t.Helper()
	add := ""
	for _, f := range files {
		add += fmt.Sprintf("files.items.add(new File([%q], %q));", f[1], f[0])
	}
	js[bool](x, "(() => { const files = new DataTransfer();"+add+
		"document.getElementById('files').files = files.files; return true })()")
	x.do(chromedp.Click(".upload button"))
}

// The result of an upload is said beside the button, in view, and the policy of the page
// is kept.
func TestBrowserUpload(t *testing.T) {
	t.Parallel()
	s, b := newStage(t, newFakeModel(t)), newChromium(t)
	tab := b.open(s.addr, s.signInPath())
	class := js[string](tab, `document.querySelector(".nav-class h2 a").getAttribute("href")`)
	tab.goTo(class)
	tab.upload([2]string{"scan.pdf", "%PDF-1.7"}, [2]string{"light.md", "# Light\n\nIt is fast."})
	const visible = `(e => e && e.getBoundingClientRect().bottom <= innerHeight && e.getBoundingClientRect().top >= 0)`
	tab.until("the refusal in view", visible+`(document.querySelector(".upload .error-line"))`)
	tab.until("the new file", `document.getElementById("materials").innerText.includes("light.md")`)
	tab.checkNoErrors()
}
