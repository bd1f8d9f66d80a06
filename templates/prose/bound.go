package prose

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxMarks is how many marks of a kind one block may hold; the rest are shown as text. The parser
// compares each mark with the ones before it, which a block of nothing else would turn into
// minutes.
const maxMarks = 400

var marksKey = parser.NewContextKey()

// marks counts for the block that is being read.
type marks struct {
	block ast.Node
	count map[any]int
}

// A bounded parser gives up after maxMarks in one block.
type bounded struct {
	parser.InlineParser
	kind any
}

// bound keeps the priority and, where the parser has it, the work at the end of a block.
func bound(p parser.InlineParser, priority int) util.PrioritizedValue {
	if closer, ok := p.(parser.CloseBlocker); ok {
		return util.Prioritized(closingBounded{bounded{p, p}, closer}, priority)
	}
	return util.Prioritized(bounded{p, p}, priority)
}

type closingBounded struct {
	bounded
	parser.CloseBlocker
}

func (b bounded) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	m, _ := pc.Get(marksKey).(*marks)
	if m == nil || m.block != parent {
		m = &marks{block: parent, count: make(map[any]int)}
		pc.Set(marksKey, m)
	}
	if m.count[b.kind]++; m.count[b.kind] > maxMarks {
		return nil
	}
	return b.InlineParser.Parse(parent, block, pc)
}

// maxDepth bounds how deep quotes and lists may stand in each other; each level costs a step per line. Marks that would
// go deeper are shown as text.
const maxDepth = 40

// A depthLimited parser opens nothing below maxDepth.
type depthLimited struct{ parser.BlockParser }

func (s depthLimited) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// maxFootnotes is how many footnotes a text may have; each mention is compared with all of them.
const maxFootnotes = 300

var footnotesKey = parser.NewContextKey()

// A limitedFootnotes parser leaves what is too many as it is written.
type limitedFootnotes struct{ parser.BlockParser }

func (f limitedFootnotes) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	count, _ := pc.Get(footnotesKey).(int)
	if count >= maxFootnotes {
		return nil, parser.NoChildren
	}
	n, state := f.BlockParser.Open(parent, reader, pc)
	if n != nil {
		pc.Set(footnotesKey, count+1)
	}
	return n, state
}

// maxReferences is how many lines of link definitions may stand together.
const maxReferences = 200

// definitions takes link definitions out of a paragraph, which costs the square of their number.
type definitions struct{}

func (definitions) Transform(n *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if n.Lines().Len() <= maxReferences {
		parser.LinkReferenceParagraphTransformer.Transform(n, reader, pc)
	}
}
