package live

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// An htmlDiff writes the patches that turn one rendering of an element into the
// next. Each is for the smallest part that has an address: an id or, with
// byPosition, a position among the children of its parent.
type htmlDiff struct {
	out        *patch
	byPosition bool
}

// parse returns the one element in s.
func parse(s string) *html.Node {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(s), body)
	if err != nil || len(nodes) == 0 { // the parser fails only if its reader does
		return &html.Node{Type: html.TextNode}
	}
	return nodes[0]
}

// shortPatch is a length below which patches of an element are not compared with
// sending the element whole.
const shortPatch = 400

// element patches a, the element at target, so that it becomes b. It reports false
// where a has to be replaced and has no target.
func (d htmlDiff) element(target string, a, b *html.Node) bool {
	if equal(a, b) {
		return true
	}
	if a.Type != html.ElementNode || b.Type != html.ElementNode {
		return false
	}
	mark := d.out.len()
	fits := a.Data == b.Data && equalAttributes(a, b) && d.children(target, a, b)
	if fits && (target == "" || d.out.len()-mark < shortPatch) {
		return true
	}
	if target == "" {
		d.out.truncate(mark)
		return false
	}
	if whole := renderNodes(b); !fits || len(whole) < d.out.len()-mark {
		d.out.truncate(mark)
		d.out.morph(target, whole)
	}
	return true
}

// children patches the children of a so that they become those of b: it deletes
// children whose id is gone, patches those that stay, and appends new ones at the
// end. Where the children differ in another way it writes nothing and reports false.
func (d htmlDiff) children(target string, a, b *html.Node) bool {
	mark := d.out.len()
	before, after := d.deleteGone(a, b), slices.Collect(b.ChildNodes())
	if len(after) < len(before) {
		d.out.truncate(mark)
		return false
	}
	for i, old := range before {
		if equal(old, after[i]) {
			continue
		}
		if i == len(before)-1 && target != "" {
			if text, ok := appendedText(old, after[i]); ok {
				d.out.append(target, text+renderNodes(after[i+1:]...))
				return true
			}
		}
		if idOf(old) != idOf(after[i]) || !d.element(d.address(target, old), old, after[i]) {
			d.out.truncate(mark)
			return false
		}
	}
	rest := after[len(before):]
	if len(rest) == 0 {
		return true
	}
	if target == "" {
		d.out.truncate(mark)
		return false
	}
	d.out.append(target, renderNodes(rest...))
	return true
}

// deleteGone deletes the children of a whose ids are gone from b, and returns the rest.
func (d htmlDiff) deleteGone(a, b *html.Node) []*html.Node {
	ids := map[string]bool{}
	for c := range b.ChildNodes() {
		ids[idOf(c)] = true
	}
	var out []*html.Node
	for c := range a.ChildNodes() {
		if id := idOf(c); id != "" && !ids[id] {
			d.out.remove("#" + id)
			continue
		}
		out = append(out, c)
	}
	return out
}

// address returns the selector of n, a child of the element at target; empty where
// there is none.
func (d htmlDiff) address(target string, n *html.Node) string {
	if id := idOf(n); id != "" {
		return "#" + id
	}
	if !d.byPosition || target == "" {
		return ""
	}
	position, last := 1, true
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode {
			position++
		}
	}
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		last = last && s.Type != html.ElementNode
	}
	if last {
		return target + ">:last-child"
	}
	return target + ">:nth-child(" + strconv.Itoa(position) + ")"
}

// appendedText returns what was appended to the text a to make it b, escaped.
func appendedText(a, b *html.Node) (string, bool) {
	if a.Type != html.TextNode || b.Type != html.TextNode {
		return "", false
	}
	more, ok := strings.CutPrefix(b.Data, a.Data)
	return html.EscapeString(more), ok
}

func idOf(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "id" {
			return a.Val
		}
	}
	return ""
}

func equalAttributes(a, b *html.Node) bool { return slices.Equal(a.Attr, b.Attr) }

// equal reports whether two nodes are the same, including their descendants.
func equal(a, b *html.Node) bool {
	if a.Type != b.Type || a.Data != b.Data || a.Namespace != b.Namespace || !equalAttributes(a, b) {
		return false
	}
	c, d := a.FirstChild, b.FirstChild
	for ; c != nil && d != nil; c, d = c.NextSibling, d.NextSibling {
		if !equal(c, d) {
			return false
		}
	}
	return c == nil && d == nil
}

// renderNodes writes nodes as HTML.
func renderNodes(nodes ...*html.Node) string {
	var out strings.Builder
	for _, n := range nodes {
		if err := html.Render(&out, n); err != nil { // a strings.Builder returns no error
			panic("write html: " + err.Error())
		}
	}
	return out.String()
}
