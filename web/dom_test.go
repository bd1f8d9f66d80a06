package web

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A dom is a page in a browser, as far as patches are concerned: it carries out
// what htmx 4.0.1 and its upsert extension do with a frame.
type dom struct{ root *html.Node }

func newDOM(t testing.TB, page string) *dom {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return &dom{root}
}

func find(n *html.Node, id string) *html.Node {
	if n.Type == html.ElementNode && idOfNode(n) == id {
		return n
	}
	for c := range n.ChildNodes() {
		if hit := find(c, id); hit != nil {
			return hit
		}
	}
	return nil
}

func elements(n *html.Node) []*html.Node {
	var out []*html.Node
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			out = append(out, c)
		}
	}
	return out
}

var childStep = regexp.MustCompile(`^:nth-child\((\d+)\)$`)

// query knows "#id" followed by steps ">:last-child", ">:nth-child(n)" and ">name".
func (d *dom) query(selector string) *html.Node {
	steps := strings.Split(selector, ">")
	n := find(d.root, strings.TrimPrefix(steps[0], "#"))
	for _, step := range steps[1:] {
		if n == nil {
			return nil
		}
		kids := elements(n)
		at := len(kids) - 1
		if m := childStep.FindStringSubmatch(step); m != nil {
			at, _ = strconv.Atoi(m[1])
			at--
		} else if step != ":last-child" {
			at = slices.IndexFunc(kids, func(k *html.Node) bool { return k.Data == step })
		}
		if at < 0 || at >= len(kids) {
			return nil
		}
		n = kids[at]
	}
	return n
}

// apply carries out a frame: all targets are looked up first, those of upserts
// when their turn comes.
func (d *dom) apply(frame string) error {
	// htmx makes templates of its elements, so that their content is parsed as it stands.
	frame = regexp.MustCompile(`(?i)<hx-([a-z]+)(\s+|>)`).ReplaceAllString(frame, `<template data-do="$1"$2`)
	frame = regexp.MustCompile(`(?i)</hx-[a-z]+>`).ReplaceAllString(frame, "</template>")
	nodes, err := html.ParseFragment(strings.NewReader(frame), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return err
	}
	var tasks []func() error
	for _, n := range nodes {
		if n.Type != html.ElementNode || n.Data != "template" {
			return fmt.Errorf("a frame holds %q outside its elements", n.Data)
		}
		tasks = append(tasks, d.task(n))
	}
	for _, task := range tasks {
		if err := task(); err != nil {
			return err
		}
	}
	return nil
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func (d *dom) task(n *html.Node) func() error {
	content := slices.Collect(n.ChildNodes())
	for _, c := range content {
		n.RemoveChild(c)
	}
	selector := attr(n, "hx-target")
	if attr(n, "data-do") == "upsert" {
		return func() error { return d.upsert(selector, content) }
	}
	target := d.query(selector)
	return func() error {
		if target == nil {
			return nil // htmx passes over it
		}
		switch swap := attr(n, "hx-swap"); swap {
		case "delete":
			target.Parent.RemoveChild(target)
		case "beforeend":
			for _, c := range content {
				target.AppendChild(c)
			}
		case "outerMorph":
			if len(content) == 1 && sameKind(target, content[0]) {
				morph(target, content[0])
				return nil
			}
			for _, c := range content {
				target.Parent.InsertBefore(c, target)
			}
			target.Parent.RemoveChild(target)
		default:
			return fmt.Errorf("swap %q", swap)
		}
		return nil
	}
}

// morph makes old what wanted is, and keeps the nodes that can stay: whoever
// looked one up before still has a node of the page.
func morph(old, wanted *html.Node) {
	old.Attr = wanted.Attr
	left := slices.Collect(old.ChildNodes())
	for _, c := range left {
		old.RemoveChild(c)
	}
	for _, c := range slices.Collect(wanted.ChildNodes()) {
		wanted.RemoveChild(c)
		at := slices.IndexFunc(left, func(k *html.Node) bool { return sameKind(k, c) })
		if at < 0 {
			old.AppendChild(c)
			continue
		}
		kept := left[at]
		left = slices.Delete(left, at, at+1)
		if kept.Type == html.ElementNode {
			morph(kept, c)
		} else {
			kept.Data = c.Data
		}
		old.AppendChild(kept)
	}
}

// sameKind reports that a morph makes one of the other.
func sameKind(a, b *html.Node) bool {
	if a.Type != b.Type || a.Type == html.ElementNode && a.Data != b.Data {
		return false
	}
	return idOfNode(a) == idOfNode(b)
}

func (d *dom) upsert(selector string, content []*html.Node) error {
	container := d.query(selector)
	if container == nil {
		return fmt.Errorf("no container %s", selector)
	}
	for _, c := range content {
		if c.Type != html.ElementNode {
			continue
		}
		if old := find(d.root, idOfNode(c)); old != nil {
			old.Parent.InsertBefore(c, old)
			old.Parent.RemoveChild(old)
			continue
		}
		var before *html.Node
		for _, k := range elements(container) {
			if id := idOfNode(k); id != "" && idLess(idOfNode(c), id) {
				before = k
				break
			}
		}
		container.InsertBefore(c, before)
	}
	return nil
}

// idLess compares as localeCompare does with numbers, for the ids of a page.
func idLess(a, b string) bool {
	digits := regexp.MustCompile(`\d+`)
	pad := func(s string) string {
		return digits.ReplaceAllStringFunc(s, func(n string) string { return fmt.Sprintf("%09s", n) })
	}
	return pad(a) < pad(b)
}

// shows is what the parts of a page that follow a log look like.
func (d *dom) shows() string {
	var out strings.Builder
	for _, id := range []string{"session-title", "exchanges", "empty", "queue", "composer-actions", "roster", "spent"} {
		n := find(d.root, id)
		fmt.Fprintf(&out, "== %s\n", id)
		if n == nil {
			continue
		}
		join(n)
		out.WriteString(markup(n) + "\n")
	}
	return out.String()
}

// join makes one of adjoining texts, as a parser would have.
func join(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.TextNode && next != nil && next.Type == html.TextNode {
			c.Data += next.Data
			n.RemoveChild(next)
			continue
		}
		join(c)
		c = next
	}
}

// firstDifference shows where two texts part.
func firstDifference(got, want string) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	from := max(0, at-200)
	return fmt.Sprintf("at %d:\n got …%s\nwant …%s", at, got[from:min(len(got), at+300)], want[from:min(len(want), at+300)])
}
