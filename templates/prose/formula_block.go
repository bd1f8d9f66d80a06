package prose

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mathBlocks reads $$…$$ and \[…\] that begin a line and end one, so that lines such as "+ b" or "=" inside them do not
// become lists or headings. A blank line or a fence ends them too.
type mathBlocks struct{ open bool }

func (mathBlocks) Trigger() []byte             { return []byte{'$', '\\'} }
func (mathBlocks) CanInterruptParagraph() bool { return true }
func (mathBlocks) CanAcceptIndentedLine() bool { return false }

func (mathBlocks) Close(ast.Node, text.Reader, parser.Context) {}

func (p mathBlocks) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, place := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	opener, closer := formulaMarks(line[at:])
	if len(opener) < 2 || opener == `\(` {
		return nil, parser.NoChildren
	}
	n := &display{opener: opener, closer: closer}
	rest := line[at+2:]
	end, over := formulaEnd(rest, opener, closer)
	switch {
	case end < 0 && !over && p.closes(reader.Source()[place.Stop:], n):
		n.tex = append(n.tex, rest...)
	case end > 0 && n.finish(rest, end):
	default:
		return nil, parser.NoChildren
	}
	n.SetPos(place.Start + at)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// closes looks ahead for the closing mark at the end of a line, before a blank line. At the open end of a growing text it
// may still come.
func (p mathBlocks) closes(source []byte, n *display) bool {
	for len(source) > 0 {
		line := source
		if at := bytes.IndexByte(source, '\n'); at >= 0 {
			line = source[:at+1]
		}
		source = source[len(line):]
		end, over := formulaEnd(line, n.opener, n.closer)
		if end >= 0 {
			return punctuation(line[end+len(n.closer):])
		}
		if over || util.IsBlank(line) || fenceIn(string(line)).mark != 0 {
			return false
		}
	}
	return p.open
}

func (mathBlocks) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*display)
	line, _ := reader.PeekLine()
	if n.closed || util.IsBlank(line) || fenceIn(string(line)).mark != 0 {
		return parser.Close
	}
	end, _ := formulaEnd(line, n.opener, n.closer)
	if end < 0 || !n.finish(line, end) {
		n.tex = append(n.tex, line...)
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	reader.AdvanceToEOL()
	return parser.Close
}

// finish takes the line that holds the closing mark, unless words follow it.
func (n *display) finish(line []byte, end int) bool {
	after := line[end+len(n.closer):]
	if !punctuation(after) || len(bytes.TrimSpace(n.tex))+len(bytes.TrimSpace(line[:end])) == 0 {
		return false
	}
	n.tex = append(n.tex, line[:end]...)
	n.after = bytes.TrimSpace(after)
	n.closed = true
	return true
}

func punctuation(after []byte) bool {
	after = bytes.TrimSpace(after)
	return len(after) == 0 || len(after) == 1 && bytes.IndexByte([]byte(".,;:"), after[0]) >= 0
}
