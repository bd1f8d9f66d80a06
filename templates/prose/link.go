package prose

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// address returns the address of a link if it is allowed: absolute, with http, https or mailto.
func address(destination string) (string, bool) {
	clean := string(util.URLEscape([]byte(destination), true))
	u, err := url.Parse(clean)
	if err != nil {
		return "", false
	}
	switch u.Scheme {
	case "http", "https":
		return clean, u.Host != ""
	case "mailto":
		return clean, u.Opaque != ""
	}
	return "", false
}

// anchor opens a link and reports whether it did. It opens none inside another and none to an address not allowed.
func (w *writer) anchor(destination string) bool {
	href, ok := address(destination)
	if !ok || w.inLink {
		return false
	}
	w.inLink = true
	w.put(`<a href="`, escape(href), `" rel="noopener noreferrer nofollow" target="_blank">`)
	return true
}

func (w *writer) endAnchor() {
	w.put("</a>")
	w.inLink = false
}

func (w *writer) link(destination string, n ast.Node) {
	linked := w.anchor(destination)
	w.children(n)
	if linked {
		w.endAnchor()
	}
}

// image writes the description of an image instead of loading it, which would tell another host who reads what.
func (w *writer) image(n *ast.Image) {
	linked := w.anchor(string(n.Destination))
	w.put("image")
	if alt := strings.TrimSpace(plain(n, w.source)); alt != "" {
		w.put(": ", escape(alt))
	}
	if linked {
		w.endAnchor()
	}
}

func (w *writer) autoLink(n *ast.AutoLink) {
	destination := string(n.URL(w.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(destination), "mailto:") {
		destination = "mailto:" + destination
	}
	linked := w.anchor(destination)
	w.put(escape(string(n.Label(w.source))))
	if linked {
		w.endAnchor()
	}
}
