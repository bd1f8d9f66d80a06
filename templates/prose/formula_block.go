package prose

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mathBlocks reads $$…$$ and \[…\] that begin a line, so that lines such as "+ b" or "=" inside
// them do not become lists or headings. Words behind a formula on its own line leave it to the
// paragraph. A formula of several lines ends at its closing mark and, not closed, at a blank
// line or a fence; it needs no look ahead, so what follows never changes what it is.
type mathBlocks struct{}

func (mathBlocks) Trigger() []byte             { return []byte{'$', '\\'} }
func (mathBlocks) CanInterruptParagraph() bool { return true }
func (mathBlocks) CanAcceptIndentedLine() bool { return false }

func (mathBlocks) Close(ast.Node, text.Reader, parser.Context) {}

func (mathBlocks) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, place := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	opener, closer := formulaMarks(line[at:])
	if len(opener) < 2 || opener == `\(` {
		return nil, parser.NoChildren
	}
	n := &displayFormula{opener: opener, closer: closer}
	rest := line[at+2:]
	switch end, over := formulaEnd(rest, opener, closer); {
	case end < 0 && !over:
		n.tex = append(n.tex, rest...)
	case end > 0 && punctuation(rest[end+2:]) && !util.IsBlank(rest[:end]):
		n.tex, n.closed = append(n.tex, rest[:end]...), true
		n.after = bytes.TrimSpace(rest[end+2:])
	default:
		return nil, parser.NoChildren
	}
	n.SetPos(place.Start + at)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (mathBlocks) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*displayFormula)
	line, _ := reader.PeekLine()
	if n.closed || util.IsBlank(line) || fenceIn(string(line)).mark != 0 {
		return parser.Close
	}
	end, _ := formulaEnd(line, n.opener, n.closer)
	if end < 0 {
		n.tex = append(n.tex, line...)
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	n.tex, n.closed = append(n.tex, line[:end]...), true
	if after := line[end+len(n.closer):]; punctuation(after) {
		n.after = bytes.TrimSpace(after)
		reader.AdvanceToEOL()
	} else {
		reader.Advance(end + len(n.closer)) // the words behind it begin a paragraph
	}
	return parser.Close
}

// punctuation reports whether nothing but a full stop or the like stands behind a formula.
func punctuation(after []byte) bool {
	after = bytes.TrimSpace(after)
	return len(after) == 0 || len(after) == 1 && bytes.IndexByte([]byte(".,;:"), after[0]) >= 0
}
