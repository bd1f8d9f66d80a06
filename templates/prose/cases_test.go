package prose

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// external are the attributes of a link that leaves the workbench.
const external = ` rel="noopener noreferrer nofollow" target="_blank"`

// htmlOf joins the chunks of a text.
func htmlOf(chunks []Chunk) string {
	var out strings.Builder
	for _, c := range chunks {
		out.WriteString(c.HTML)
	}
	return out.String()
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                    "",
		" \n\n":               "",
		"a":                   "<p>a</p>",
		"a\nb":                "<p>a\nb</p>",
		"a  \nb\\\nc":         "<p>a<br>b<br>c</p>",
		"# a\n## b\n###### c": "<h3>a</h3><h4>b</h4><h6>c</h6>",
		"a\n===":              "<h3>a</h3>",
		"---":                 "<hr>",
		"> a\n> - b":          "<blockquote><p>a</p><ul><li>b</li></ul></blockquote>",
		"3. a\n4. b":          `<ol start="3"><li>a</li><li>b</li></ol>`,
		"- a\n\n- b":          "<ul><li><p>a</p></li><li><p>b</p></li></ul>",
		"- [ ] a\n- [x] " +
			"b": `<ul><li><span role="img" aria-label="to do">☐</span> a</li>` +
			`<li><span role="img" aria-label="done">☑</span> b</li></ul>`,
		"    a <b>\n    b":           `<pre class="chroma" tabindex="0"><code>a &lt;b&gt;` + "\nb</code></pre>",
		"*a* **b** ~~c~~ `d  e`":     "<p><em>a</em> <strong>b</strong> <del>c</del> <code>d  e</code></p>",
		"&amp; &lt;b&gt; \\*a\\* \"": "<p>&amp; &lt;b&gt; *a* &quot;</p>",
		"<b>a</b> <!-- c -->":        "<p>&lt;b&gt;a&lt;/b&gt; &lt;!-- c --&gt;</p>",
		"a[^n]\n\n[^n]: " +
			"b": `<p>a<sup class="footnote">[1]</sup></p><ol class="footnotes"><li><p>b</p></li></ol>`,
		"[a][r]\n\n[r]: " +
			"https://e.org": `<p><a href="https://e.org" rel="noopener noreferrer nofollow" target="_blank">a</a></p>`,
		"| a | b |\n|:-:|--:|\n| `x\\|y` " +
			"|": `<div class="table" role="region" aria-label="Table" tabindex="0"><table><thead><tr>` +
			`<th class="center">a</th><th class="right">b</th></tr></thead>` +
			`<tbody><tr><td class="center"><code>x|y</code></td><td></td></tr></tbody></table></div>`,
	} {
		if got := htmlOf(renderText(text)); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	link := func(href, text string) string {
		return `<p><a href="` + href + `" rel="noopener noreferrer nofollow" target="_blank">` + text + "</a></p>"
	}
	for text, want := range map[string]string{
		"[a](https://e.org/?x=1&y=2)": link("https://e.org/?x=1&amp;y=2", "a"),
		"[a](HTTP://e.org)":           link("HTTP://e.org", "a"),
		"[a](mailto:b@c.org)":         link("mailto:b@c.org", "a"),
		"<b@c.org>":                   link("mailto:b@c.org", "b@c.org"),
		"<https://e.org/é>":           link("https://e.org/%C3%A9", "https://e.org/é"),
		"www.e.org":                   link("http://www.e.org", "www.e.org"),
		"[a](/x)":                     "<p>a</p>",
		"[a](#x)":                     "<p>a</p>",
		"[a](//e.org)":                "<p>a</p>",
		"[a](https:)":                 "<p>a</p>",
		"[*a*](javascript:b)":         "<p><em>a</em></p>",
		"[a](ftp://e.org)":            "<p>a</p>",
		"ftp://e.org/":                "<p>ftp://e.org/</p>",
		"[a](data:text/html,b)":       "<p>a</p>",
	} {
		if got := htmlOf(renderText(text)); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// A picture is a link that names it, and nothing is fetched.
func TestImages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"![a *b*](https://e.org/i.png)":          `<p><a href="https://e.org/i.png"` + external + `>image: a b</a></p>`,
		"![](https://e.org/i.png)":               `<p><a href="https://e.org/i.png"` + external + `>image</a></p>`,
		"![a](i.png)":                            "<p>image: a</p>",
		"![a](data:image/png;base64,x)":          "<p>image: a</p>",
		"[![a](https://e.org/i)](https://f.org)": `<p><a href="https://f.org"` + external + `>image: a</a></p>`,
	} {
		if got := htmlOf(renderText(text)); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// Odd input, each cut at every byte, is rendered; no panic was caught either.
func TestOddInput(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"> ```\n>\ta\n> b\n", "> ```\n\tx\n", "-\n\t-\n```\n", "- \n\t- \n\n```\nx", "- ```\n  a\n\tb\n  c\n  ```\n",
		"```go\r\na\r\n```\r\nb",
		"-\n  \t~~~\n", "1.\n\t```\n", ">\t-\t```\n>\t\tx", "- a\n\t\t\tb\n", "|\n|-\n|", "[\n]: <\n", "#\t\n",
		"\t\t```", "~~~\t\n\t~~~", "$$\n\t$$", "- $$\n\tx\n  $$", "> \\[\n\\]",
	} {
		for at := range len(text) + 1 {
			for _, chunks := range [][]Chunk{openText(text[:at]), renderText(text[:at])} {
				safe(t, text[:at], chunks)
				if strings.Contains(htmlOf(chunks), `class="raw"`) {
					t.Errorf("%q: rendering failed", text[:at])
				}
			}
		}
	}
}

// Whatever happens in rendering, the text is shown.
func TestPanicShowsTheText(t *testing.T) {
	t.Parallel()
	got, _ := render(parseMode{}, nil, english, "a <b>\n")
	if want := `<p class="raw">a &lt;b&gt;</p>`; htmlOf(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A fence forms without a flicker, and text before it is never made again.
func TestFenceForming(t *testing.T) {
	t.Parallel()
	const before = "Look:\n\n"
	const text = before + "```swift\nlet a = 1 < 2\n```\n"
	blocks := 1
	for at := len(before); at <= len(text); at++ {
		chunks := openText(text[:at])
		if len(chunks) < blocks || len(chunks) > 2 || chunks[0].HTML != "<p>Look:</p>" {
			t.Fatalf("%q: %q", text[:at], chunks)
		}
		blocks = len(chunks)
		if blocks == 2 && !strings.HasPrefix(chunks[1].HTML,
			`<pre class="chroma" tabindex="0"><code class="language-swift">`) {
			t.Fatalf("%q: %q", text[:at], chunks[1])
		}
		if opened := at > strings.Index(text, "swift\n")+5; opened != (blocks == 2) {
			t.Fatalf("%q: %d blocks", text[:at], blocks)
		}
		if strings.Contains(htmlOf(chunks), "`") {
			t.Fatalf("%q: marks of the fence show: %q", text[:at], chunks)
		}
		if strings.HasSuffix(htmlOf(chunks), "\n</code></pre>") {
			t.Fatalf("%q: line end before the end of code: %q", text[:at], chunks[1])
		}
	}
}

// Code is coloured once it is closed, at top level and in a list.
func TestCodeIsPlainUntilClosed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		coloured bool
	}{
		{"```go\nfunc a()", false}, {"```go\nfunc a()\n", false}, {"```go\nfunc a()\n```", false},
		{"```go\nfunc a()\n```\n", true},
		{"- a\n  ```go\n  func a()\n", false}, {"- a\n  ```go\n  func a()\n  ```\n  b", true},
		{"> ```go\n> func a()\n", false}, {"> ```go\n> func a()\n\nb", true},
	} {
		got := htmlOf(openText(c.text))
		if strings.Contains(got, `<span class="k">func</span>`) != c.coloured || !strings.Contains(got, "func") {
			t.Errorf("%q: %s", c.text, got)
		}
	}
	got := htmlOf(openText("~~~\n a\n  b\n\n"))
	if got != `<pre class="chroma" tabindex="0"><code> a`+"\n  b\n</code></pre>" {
		t.Errorf("blank line at the end: %q", got)
	}
}

// A growing fence costs each delta its own length on the wire, and grows where Grown says.
func TestLargeCodeBlock(t *testing.T) {
	t.Parallel()
	doc, sent := newDoc(), 0
	text, last := "```go\n", ""
	for i := range 4000 {
		for _, part := range []string{"\tx := ", fmt.Sprint(i, " // <é>"), "\n"} {
			text += part
			chunks := doc.Grow(text)
			now := chunks[0].HTML
			if len(chunks) != 1 {
				t.Fatalf("%d chunks", len(chunks))
			}
			if last != "" && now != last {
				_, added, ok := Grown(last, now)
				if !ok {
					t.Fatalf("line %d, %q: not an append", i, part)
				}
				sent += len(added)
			}
			last = now
		}
	}
	if sent > 2*len(text) {
		t.Errorf("%d bytes sent for %d", sent, len(text))
	}
}

// Line ends of all kinds are line ends, blank lines and indentation in code stay.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	want := renderText("one\ntwo\nthree\n\n```\n  a\n\n\tb\n```\n")
	for _, end := range []string{"\r", "\r\n"} {
		text := strings.ReplaceAll("one\ntwo\nthree\n\n```\n  a\n\n\tb\n```\n", "\n", end)
		if got := renderText(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", end, got)
		}
		if got := openText(text + "x"); !reflect.DeepEqual(got[:len(want)], want) {
			t.Errorf("open, %q: %q", end, got)
		}
	}
	if html := htmlOf(want); !strings.Contains(html, "  a\n\n\tb</code>") || strings.ContainsRune(html, '\r') {
		t.Errorf("%q", html)
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# A *b* `c`\n\n- d &amp; e\n- $x^2$": "A b c d & e x^2", "[a](javascript:b) ![c](d)": "a c",
		"<b>x</b>":  "<b>x</b>",
		"a\nb\\\nc": "a b c", "": "", "```go\nx\n```": "x", "| a | b |\n|-|-|\n| c |": "a b c",
		"https://e.org": "https://e.org", "\xff": "\uFFFD",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}
