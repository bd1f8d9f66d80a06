package prose

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer/html"
)

func (w *writer) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.text(n)
	case *ast.String:
		w.put(escape(string(n.Value)))
	case *rawSource:
		w.put(escape(string(n.text)))
	case *ast.Emphasis:
		w.emphasis(n)
	case *east.Strikethrough:
		w.within("del", "", n)
	case *ast.CodeSpan:
		w.put("<code>", escape(w.unescapeBar(codeText(n, w.source))), "</code>")
	case *formula:
		w.formula(n)
	case *ast.Link:
		w.link(string(n.Destination), n)
	case *ast.Image:
		w.image(n)
	case *ast.AutoLink:
		w.autoLink(n)
	case *east.TaskCheckBox:
		w.checkBox(n)
	case *east.FootnoteLink:
		w.put(`<sup class="footnote">[`, strconv.Itoa(n.Index), "]</sup>")
	case *east.FootnoteBacklink:
	default:
		w.put(escape(plain(n, w.source)))
	}
}

func (w *writer) text(n *ast.Text) {
	value := n.Segment.Value(w.source)
	if n.IsRaw() {
		w.put(escape(string(value)))
	} else {
		w.put(inert(value))
	}
	switch {
	case n.HardLineBreak():
		w.put("<br>")
	case n.SoftLineBreak():
		w.put("\n")
	}
}

// inert resolves backslashes and entities, then escapes the result.
func inert(value []byte) string {
	if !bytes.ContainsAny(value, `&<>"'\`) {
		return string(value)
	}
	var out buffered
	html.DefaultWriter.Write(&out, value)
	return out.String()
}

// buffered is the writer that goldmark's text writer needs.
type buffered struct{ bytes.Buffer }

func (*buffered) Buffered() int { return 0 }
func (*buffered) Flush() error  { return nil }

func (w *writer) emphasis(n *ast.Emphasis) {
	if n.Level == 2 {
		w.within("strong", "", n)
		return
	}
	w.within("em", "", n)
}

func (w *writer) checkBox(n *east.TaskCheckBox) {
	if n.IsChecked {
		w.put(`<span role="img" aria-label="`, escape(w.words.Done), `">☑</span> `)
		return
	}
	w.put(`<span role="img" aria-label="`, escape(w.words.ToDo), `">☐</span> `)
}

func (w *writer) formula(n *formula) {
	w.put(w.budget.typeset(w.unescapeBar(string(n.tex)), n.display, w.words))
}

// unescapeBar removes the backslash that a bar needs in a table cell.
func (w *writer) unescapeBar(s string) string {
	if w.inCell {
		return strings.ReplaceAll(s, `\|`, "|")
	}
	return s
}
