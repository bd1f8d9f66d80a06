package prose

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// A writer turns one block into HTML. It knows what it may write; a node it does not know is
// written as plain text. There is no white space between the tags of blocks, so that a growing
// block ends in closing tags alone.
type writer struct {
	source   []byte
	budget   *budget
	words    Words
	out      bytes.Buffer
	depth    int
	inLink   bool
	inCell   bool
	openCode ast.Node // a code block that may still grow, and is not coloured
}

func (w *writer) put(parts ...string) {
	for _, s := range parts {
		w.out.WriteString(s)
	}
}

// maxNesting bounds how deep elements nest; what is deeper loses its form and keeps its words.
const maxNesting = 100

// within writes the children of n in an element.
func (w *writer) within(tag, attributes string, n ast.Node) {
	w.put("<", tag, attributes, ">")
	w.children(n)
	w.put("</", tag, ">")
}

func (w *writer) children(n ast.Node) {
	if w.depth++; w.depth > maxNesting {
		w.put(escape(plain(n, w.source)))
	} else {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			w.node(c)
		}
	}
	w.depth--
}

func (w *writer) node(n ast.Node) {
	if n.Type() == ast.TypeInline {
		w.inline(n)
		return
	}
	w.block(n)
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		w.within("p", "", n)
	case *ast.TextBlock:
		w.children(n)
	case *ast.Heading:
		w.within("h"+strconv.Itoa(min(n.Level+2, 6)), "", n)
	case *ast.ThematicBreak:
		w.put("<hr>")
	case *ast.Blockquote:
		w.within("blockquote", "", n)
	case *ast.List:
		w.list(n)
	case *ast.ListItem:
		w.within("li", "", n)
	case *ast.FencedCodeBlock:
		w.code(n, string(n.Language(w.source)))
	case *ast.CodeBlock:
		w.code(n, "")
	case *displayFormula:
		w.display(n)
	case *east.Table:
		w.table(n)
	case *largeTable:
		w.largeTable(n)
	case *east.FootnoteList:
		w.within("ol", ` class="footnotes"`, n)
	case *ast.LinkReferenceDefinition:
	case *east.Footnote:
		w.within("li", "", n)
	default:
		w.put("<p>", escape(plain(n, w.source)), "</p>")
	}
}

func (w *writer) list(n *ast.List) {
	switch {
	case !n.IsOrdered():
		w.within("ul", "", n)
	case n.Start == 1:
		w.within("ol", "", n)
	default:
		w.within("ol", ` start="`+strconv.Itoa(n.Start)+`"`, n)
	}
}

func (w *writer) code(n ast.Node, language string) {
	code := strings.TrimSuffix(string(n.Lines().Value(w.source)), "\n")
	w.put(codeHead(language))
	if n == w.openCode {
		w.put(escape(code))
	} else {
		w.put(w.budget.coloured(code, language))
	}
	w.put(codeFoot)
}

func (w *writer) display(n *displayFormula) {
	if !n.closed {
		w.put("<p>", escape(n.opener+strings.TrimRight(string(n.tex), " \n")), "</p>")
		return
	}
	w.put(`<div class="formula" tabindex="0">`, w.budget.typeset(string(n.tex), true, w.words), escape(string(n.after)),
		"</div>")
}
