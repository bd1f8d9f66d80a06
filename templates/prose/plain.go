package prose

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Plain returns the words of a text on one line, without marks, for titles and labels.
func Plain(text string) string {
	head, _ := divide(text)
	return strings.Join(strings.Fields(words(tidy(head))), " ")
}

func words(stretch string) (words string) {
	defer func() {
		if recover() != nil {
			words = stretch
		}
	}()
	source := []byte(stretch)
	return plain(whole.Parse(text.NewReader(source)), source)
}

// plain returns the text of a node and all below it.
func plain(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				out.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			out.WriteString(textOf(n, source))
		case *ast.String:
			out.Write(n.Value)
		case *rawSource:
			out.Write(n.text)
		case *formula:
			out.Write(n.tex)
		case *displayFormula:
			out.Write(n.tex)
		case *ast.AutoLink:
			out.Write(n.Label(source))
		case *ast.FencedCodeBlock, *ast.CodeBlock, *largeTable:
			out.Write(n.Lines().Value(source))
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

func textOf(n *ast.Text, source []byte) string {
	value := n.Segment.Value(source)
	ending := ""
	if n.SoftLineBreak() || n.HardLineBreak() {
		ending = "\n"
	}
	if _, inCode := n.Parent().(*ast.CodeSpan); inCode || n.IsRaw() {
		return string(value) + ending
	}
	return html.UnescapeString(inert(value)) + ending
}

// codeText returns what is between the marks of a code span.
func codeText(n *ast.CodeSpan, source []byte) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			out.Write(t.Segment.Value(source))
		}
	}
	return strings.ReplaceAll(out.String(), "\n", " ")
}
