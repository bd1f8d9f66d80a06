package prose

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"pgregory.net/rapid"
)

// allowed lists what may stand in a chunk: each element with its attributes. Elements of formulas are in mathElements.
var allowed = map[string][]string{
	"p": {"class"}, "h3": nil, "h4": nil, "h5": nil, "h6": nil, "hr": nil, "blockquote": nil, "ul": nil,
	"ol": {"start", "class"},
	"li": nil, "pre": {"class", "tabindex"}, "code": {"class"}, "div": {"class", "role", "aria-label", "tabindex"},
	"table": nil,
	"thead": nil, "tbody": nil, "tr": nil, "th": {"class"}, "td": {"class"}, "strong": nil, "em": nil, "del": nil,
	"br":  nil,
	"sup": {"class"}, "span": {"class", "role", "aria-label"}, "a": {"href", "rel", "target"},
}

func parsed(chunk string) *html.Node {
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(chunk),
		&html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		panic(err)
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return root
}

func printed(n *html.Node) string {
	var out strings.Builder
	if err := html.Render(&out, n); err != nil {
		panic(err)
	}
	return out.String()
}

// safe walks the tree a browser would build of each chunk.
func safe(t fataler, text string, chunks []Chunk) {
	for _, chunk := range chunks {
		root := parsed(chunk.HTML)
		if root.FirstChild == nil || root.FirstChild != root.LastChild || root.FirstChild.Type != html.ElementNode {
			t.Fatalf("%q: not one element: %q", text, chunk.HTML)
		}
		if !balanced(chunk.HTML) {
			t.Fatalf("%q: tags do not match: %q", text, chunk.HTML)
		}
		for n := range root.Descendants() {
			if problem := foreign(n); problem != "" {
				t.Fatalf("%q: %s in %q", text, problem, chunk.HTML)
			}
		}
	}
}

func foreign(n *html.Node) string {
	if n.Type == html.TextNode {
		return ""
	}
	if n.Type != html.ElementNode {
		return "node " + n.Data
	}
	attributes, known := allowed[n.Data]
	inMath := mathElements[n.Data]
	if !known && !inMath {
		return "element " + n.Data
	}
	for _, a := range n.Attr {
		switch {
		case inMath && (mathAttributes[strings.ToLower(a.Key)] || a.Key == "class"):
		case !slices.Contains(attributes, a.Key):
			return "attribute " + a.Key + " of " + n.Data
		case a.Key == "href":
			u, err := url.Parse(a.Val)
			if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) {
				return "link to " + a.Val
			}
		case a.Key == "class" && strings.ContainsAny(a.Val, `"'<>&`):
			return "class " + a.Val
		}
	}
	return ""
}

// balanced reports whether every tag is closed by its own, so that a chunk cannot reach out of its place.
func balanced(chunk string) bool {
	var stack []string
	tokens := html.NewTokenizer(strings.NewReader(chunk))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return len(stack) == 0
		case html.StartTagToken:
			name, _ := tokens.TagName()
			if tag := string(name); tag != "br" && tag != "hr" {
				stack = append(stack, tag)
			}
		case html.EndTagToken:
			name, _ := tokens.TagName()
			if len(stack) == 0 || stack[len(stack)-1] != string(name) {
				return false
			}
			stack = stack[:len(stack)-1]
		case html.SelfClosingTagToken, html.CommentToken, html.DoctypeToken:
			return false
		}
	}
}

func TestDrawnTextsAreSafe(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		safe(t, text, renderText(text))
		safe(t, text, openText(text))
	})
}

// No payload becomes an element, a handler or a link, whole or in part, in whatever place it stands.
func TestPayloads(t *testing.T) {
	t.Parallel()
	payloads := []string{
		`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`,
		`<iframe src="javascript:alert(1)">`,
		`[x](javascript:alert(1))`, `[x](JaVaScRiPt:alert(1))`, "[x](java\tscript:alert(1))",
		`[x](&#106;avascript:alert(1))`,
		`[x](javascript&colon;alert(1))`, `[x](data:text/html,<script>1</script>)`, `[x](vbscript:x)`,
		`[x](//evil.example)`,
		`[x](\x01javascript:alert(1))`, `<javascript:alert(1)>`, `[x](https://a.org"onmouseover="alert(1))`,
		`[x](<https://a.org" onclick="x>)`,
		`![x" onerror="alert(1)](https://a.org/" onload="x)`, "[r]\n\n[r]: javascript:alert(1) \"t\"",
		`[x](https://a.org 'a" onclick="b')`,
		"```\"><script>\nx\n```", "```a onclick=x\nx\n```", "```html\n<script>alert(1)</script>\n```", "`<script>`",
		`<!-- --><b>`, `<![CDATA[x]]>`,
		`$\href{javascript:alert(1)}{x}$`, `$\html{<script>}$`, `$\text{<script>alert(1)</script>}$`,
		`$\class{x}{y}\id{a}{b}\style{color:red}{c}$`,
		`$\includegraphics{https://evil.example/x.png}$`, `$\data{a=b}{c}$`,
		`\(\unicode{x}<img src=x onerror=alert(1)>\)`, `$$\text{</math><img src=x>}$$`,
		`$\color{red" onclick="x}{y}$`, `$\colorbox{url(https://evil.example)}{y}$`, `$\tag{<b>}$`,
		"| a | <b onclick=x> |\n|-|-|\n| <script> | [x](javascript:y) |",
		`[![a](javascript:x)](javascript:y)`, `<a href="https://a.org" onclick=x>y</a>`, `http://a.org/"onclick="x`,
		`www.a.org/<script>`, `<x@y.z"onclick=1>`,
		"[^1]\n\n[^1]: <script>", "# <script>", "- [x](javascript:y)",
		"> <style>@import 'https://evil.example'</style>", `{#id .class onclick=x}`, "# a {#id onclick=x}",
		`<base href="https://evil.example">`, `<form action=x><input name=y>`, `<meta http-equiv=refresh content="0">`,
		`\<script>`, `&lt;script&gt;`, "<scr\x00ipt>",
	}
	for _, p := range payloads {
		for _, text := range []string{p, "a " + p + " b", "- " + p, "> " + p, "| " + p + " |\n|-|\n| " + p + " |",
			"**" + p + "**", "[" + p + "](https://a.org)"} {
			safe(t, text, renderText(text))
			for at := range len(text) + 1 {
				safe(t, text[:at], openText(text[:at]))
			}
		}
	}
}
