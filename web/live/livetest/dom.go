package livetest

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

// A DOM is a page in a browser, as far as patches are concerned: it carries out
// what htmx 4.0.1 and its upsert extension do with a frame.
type DOM struct{ Root *html.Node }

// NewDOM parses a page.
func NewDOM(t testing.TB, page string) *DOM {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return &DOM{root}
}

// Find returns the element with an id, at n or below it; nil where there is none.
func Find(n *html.Node, id string) *html.Node {
	if n.Type == html.ElementNode && Attr(n, "id") == id {
		return n
	}
	for c := range n.ChildNodes() {
		if hit := Find(c, id); hit != nil {
			return hit
		}
	}
	return nil
}

// Elements returns the child elements of n.
func Elements(n *html.Node) []*html.Node {
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
func (d *DOM) query(selector string) *html.Node {
	steps := strings.Split(selector, ">")
	n := Find(d.Root, strings.TrimPrefix(steps[0], "#"))
	for _, step := range steps[1:] {
		if n == nil {
			return nil
		}
		kids := Elements(n)
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

// Apply carries out a frame. It looks up all targets first, apart from those of
// upserts, which it looks up in turn.
func (d *DOM) Apply(frame string) error {
	// htmx turns its elements into templates, so that the parser does not change their content.
	frame = regexp.MustCompile(`(?i)<hx-([a-z]+)(\s+|>)`).ReplaceAllString(frame, `<template data-do="$1"$2`)
	frame = regexp.MustCompile(`(?i)</hx-[a-z]+>`).ReplaceAllString(frame, "</template>")
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(frame), body)
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

// Attr is the value of an attribute; empty where there is none.
func Attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func (d *DOM) task(n *html.Node) func() error {
	content := slices.Collect(n.ChildNodes())
	for _, c := range content {
		n.RemoveChild(c)
	}
	selector := Attr(n, "hx-target")
	if Attr(n, "data-do") == "upsert" {
		return func() error { return d.upsert(selector, content) }
	}
	target := d.query(selector)
	return func() error {
		if target == nil {
			return nil // htmx passes over it
		}
		switch swap := Attr(n, "hx-swap"); swap {
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

// morph changes old until it equals wanted, and keeps the nodes that can stay, so that
// a node that was looked up before is still in the page.
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

// sameKind reports whether a morph can turn one node into the other.
func sameKind(a, b *html.Node) bool {
	if a.Type != b.Type || a.Type == html.ElementNode && a.Data != b.Data {
		return false
	}
	return Attr(a, "id") == Attr(b, "id")
}

func (d *DOM) upsert(selector string, content []*html.Node) error {
	container := d.query(selector)
	if container == nil {
		return fmt.Errorf("no container %s", selector)
	}
	for _, c := range content {
		if c.Type != html.ElementNode {
			continue
		}
		if old := Find(d.Root, Attr(c, "id")); old != nil {
			old.Parent.InsertBefore(c, old)
			old.Parent.RemoveChild(old)
			continue
		}
		var before *html.Node
		for _, k := range Elements(container) {
			if id := Attr(k, "id"); id != "" && idLess(Attr(c, "id"), id) {
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

// Shows returns the HTML of the parts of a page that follow a log.
func (d *DOM) Shows() string {
	var out strings.Builder
	for _, id := range []string{"session-title", "exchanges", "empty", "queue", "composer-actions", "roster", "spent"} {
		n := Find(d.Root, id)
		fmt.Fprintf(&out, "== %s\n", id)
		if n == nil {
			continue
		}
		join(n)
		out.WriteString(Markup(n) + "\n")
	}
	return out.String()
}

// InnerOf returns the HTML inside the element with an id.
func (d *DOM) InnerOf(id string) string {
	n := Find(d.Root, id)
	join(n)
	return Markup(slices.Collect(n.ChildNodes())...)
}

// Markup returns nodes as HTML.
func Markup(nodes ...*html.Node) string {
	var out strings.Builder
	for _, n := range nodes {
		if err := html.Render(&out, n); err != nil { // a builder takes everything
			panic("write html: " + err.Error())
		}
	}
	return out.String()
}

// join joins adjoining texts, as a parser would have.
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

// FirstDifference shows where two texts begin to differ.
func FirstDifference(got, want string) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	from := max(0, at-200)
	got, want = got[from:min(len(got), at+300)], want[from:min(len(want), at+300)]
	return fmt.Sprintf("at %d:\n got …%s\nwant …%s", at, got, want)
}
