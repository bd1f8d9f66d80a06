package prose

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var (
	kindFormula        = ast.NewNodeKind("Formula")
	kindDisplayFormula = ast.NewNodeKind("DisplayFormula")
	kindRawSource      = ast.NewNodeKind("RawSource")
)

// A formula is inline.
type formula struct {
	ast.BaseInline
	tex     []byte
	display bool
}

func (*formula) Kind() ast.NodeKind              { return kindFormula }
func (n *formula) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// A displayFormula is a formula with lines of its own.
type displayFormula struct {
	ast.BaseBlock
	opener, closer string
	tex            []byte
	closed         bool
	after          []byte // the full stop behind it
}

func (*displayFormula) Kind() ast.NodeKind              { return kindDisplayFormula }
func (*displayFormula) IsRaw() bool                     { return true }
func (n *displayFormula) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// A rawSource shows its text as it was written.
type rawSource struct {
	ast.BaseInline
	text []byte
}

func (*rawSource) Kind() ast.NodeKind              { return kindRawSource }
func (n *rawSource) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// formulaMarks returns the marks a formula begins and ends with; opener is "" where none begins.
func formulaMarks(line []byte) (opener, closer string) {
	switch {
	case bytes.HasPrefix(line, []byte(`\(`)):
		return `\(`, `\)`
	case bytes.HasPrefix(line, []byte(`\[`)):
		return `\[`, `\]`
	case bytes.HasPrefix(line, []byte(`$$`)):
		return `$$`, `$$`
	case bytes.HasPrefix(line, []byte(`$`)):
		return `$`, `$`
	}
	return "", ""
}

// formulaEnd finds the closing mark in a line. It gives up at another opening mark, which keeps the search for many
// marks linear.
func formulaEnd(line []byte, opener, closer string) (at int, over bool) {
	for i := 0; i < len(line); i++ {
		switch {
		case bytes.HasPrefix(line[i:], []byte(closer)):
			return i, true
		case bytes.HasPrefix(line[i:], []byte(opener)):
			return -1, true
		case line[i] == '\\':
			i++
		}
	}
	return -1, false
}

// mathInlines reads $…$, $$…$$, \(…\) and \[…\] before Markdown sees their backslashes and underscores.
type mathInlines struct{ open bool }

func (mathInlines) Trigger() []byte { return []byte{'$', '\\'} }

func (p mathInlines) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	opener, closer := formulaMarks(line)
	switch opener {
	case "":
		return nil
	case "$":
		return dollar(line, block)
	}
	row, place := block.Position()
	block.Advance(len(opener))
	tex, closed := readUntilCloser(block, opener, closer)
	if closed && len(bytes.TrimSpace(tex)) > 0 {
		return &formula{tex: tex, display: opener != `\(`}
	}
	if !closed && p.open && isLastBlock(parent) && exhausted(block) {
		return &rawSource{text: append([]byte(opener), bytes.TrimRight(tex, " \n")...)}
	}
	block.SetPosition(row, place)
	block.Advance(len(opener))
	return &rawSource{text: []byte(opener)}
}

// readUntilCloser reads up to the closing mark, over the lines of the block.
func readUntilCloser(block text.Reader, opener, closer string) (tex []byte, closed bool) {
	for {
		line, _ := block.PeekLine()
		if line == nil {
			return tex, false
		}
		at, over := formulaEnd(line, opener, closer)
		if at >= 0 {
			block.Advance(at + len(closer))
			return append(tex, line[:at]...), true
		}
		if over {
			return nil, false
		}
		tex = append(tex, line...)
		block.AdvanceLine()
	}
}

func exhausted(block text.Reader) bool {
	line, _ := block.PeekLine()
	return line == nil
}

// isLastBlock reports whether nothing follows the block in its document.
func isLastBlock(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.NextSibling() != nil {
			return false
		}
	}
	return true
}
