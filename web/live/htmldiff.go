package live

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A differ writes the patches that make one rendering of an element the next,
// each for the smallest part that it can address: an element by its id or, where
// anonymous parts may be addressed, by its place.
type differ struct {
	out       *patch
	anonymous bool
}

// parse returns the one element that s holds.
func parse(s string) *html.Node {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(s), body)
	if err != nil || len(nodes) == 0 { // the parser fails only with its reader
		return &html.Node{Type: html.TextNode}
	}
	return nodes[0]
}

// element patches a, which is at target, to b. It reports false where it would
// have to replace a and has no target for it.
func (d differ) element(target string, a, b *html.Node) bool {
	if same(a, b) {
		return true
	}
	if a.Type != html.ElementNode || b.Type != html.ElementNode {
		return false
	}
	mark := d.out.len()
	fits := a.Data == b.Data && sameAttributes(a, b) && d.children(target, a, b)
	if fits && (target == "" || d.out.len()-mark < 400) {
		return true
	}
	if target == "" {
		d.out.cutTo(mark)
		return false
	}
	if whole := markup(b); !fits || len(whole) < d.out.len()-mark {
		d.out.cutTo(mark)
		d.out.morph(target, whole)
	}
	return true
}

// children patches a's children to b's: children that went are deleted by their
// id, those that stay are patched, and new ones are added at the end. Where that
// is not how they differ it writes nothing and reports false.
func (d differ) children(target string, a, b *html.Node) bool {
	mark := d.out.len()
	olds, news := d.kept(a, b), kids(b)
	if len(news) < len(olds) {
		d.out.cutTo(mark)
		return false
	}
	for i, old := range olds {
		if same(old, news[i]) {
			continue
		}
		if i == len(olds)-1 && target != "" {
			if text, ok := grown(old, news[i]); ok {
				d.out.add(target, text+markup(news[i+1:]...))
				return true
			}
		}
		if idOfNode(old) != idOfNode(news[i]) || !d.element(d.at(target, old), old, news[i]) {
			d.out.cutTo(mark)
			return false
		}
	}
	rest := news[len(olds):]
	if len(rest) == 0 {
		return true
	}
	if target == "" {
		d.out.cutTo(mark)
		return false
	}
	d.out.add(target, markup(rest...))
	return true
}

// kept returns a's children without those whose id b's have no more, which it deletes.
func (d differ) kept(a, b *html.Node) []*html.Node {
	stay := map[string]bool{}
	for c := range b.ChildNodes() {
		stay[idOfNode(c)] = true
	}
	var out []*html.Node
	for c := range a.ChildNodes() {
		if id := idOfNode(c); id != "" && !stay[id] {
			d.out.remove("#" + id)
			continue
		}
		out = append(out, c)
	}
	return out
}

// at returns how to address n, a child of what target addresses.
func (d differ) at(target string, n *html.Node) string {
	if id := idOfNode(n); id != "" {
		return "#" + id
	}
	if !d.anonymous || target == "" {
		return ""
	}
	place, last := 1, true
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode {
			place++
		}
	}
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		last = last && s.Type != html.ElementNode
	}
	if last {
		return target + ">:last-child"
	}
	return target + ">:nth-child(" + strconv.Itoa(place) + ")"
}

// grown returns what the text b has more than a, escaped.
func grown(a, b *html.Node) (string, bool) {
	if a.Type != html.TextNode || b.Type != html.TextNode {
		return "", false
	}
	more, ok := strings.CutPrefix(b.Data, a.Data)
	return html.EscapeString(more), ok
}

func kids(n *html.Node) []*html.Node { return slices.Collect(n.ChildNodes()) }

func idOfNode(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "id" {
			return a.Val
		}
	}
	return ""
}

func sameAttributes(a, b *html.Node) bool { return slices.Equal(a.Attr, b.Attr) }

// same reports whether two nodes and all below them are alike.
func same(a, b *html.Node) bool {
	if a.Type != b.Type || a.Data != b.Data || a.Namespace != b.Namespace || !sameAttributes(a, b) {
		return false
	}
	c, d := a.FirstChild, b.FirstChild
	for ; c != nil && d != nil; c, d = c.NextSibling, d.NextSibling {
		if !same(c, d) {
			return false
		}
	}
	return c == nil && d == nil
}

// markup writes nodes as HTML.
func markup(nodes ...*html.Node) string {
	var out strings.Builder
	for _, n := range nodes {
		if err := html.Render(&out, n); err != nil { // a builder takes everything
			panic("write html: " + err.Error())
		}
	}
	return out.String()
}
