package prose

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxCells is how many table cells a text may have. A row takes as many as the header, however few it writes.
const maxCells = 20_000

var (
	budgetKey      = parser.NewContextKey()
	kindLargeTable = ast.NewNodeKind("LargeTable")
	setTables      = extension.NewTableParagraphTransformer()
)

// A largeTable shows its source.
type largeTable struct{ ast.BaseBlock }

func (*largeTable) Kind() ast.NodeKind              { return kindLargeTable }
func (*largeTable) IsRaw() bool                     { return true }
func (n *largeTable) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// tables makes tables of paragraphs. The cells are counted before there is a node for each.
type tables struct{}

func (tables) Transform(n *ast.Paragraph, reader text.Reader, pc parser.Context) {
	cells := cellsOf(n.Lines(), reader.Source())
	if cells == 0 {
		return
	}
	b := budgetOf(pc)
	if cells > b.cells {
		large := new(largeTable)
		large.SetLines(n.Lines())
		large.SetPos(n.Pos())
		n.Parent().ReplaceChild(n.Parent(), n, large)
		return
	}
	b.cells -= cells
	setTables.Transform(n, reader, pc)
}

// budgetOf gives the budget of the text that is read.
func budgetOf(pc parser.Context) *budget {
	if b, ok := pc.Get(budgetKey).(*budget); ok {
		return b
	}
	b := newBudget()
	pc.Set(budgetKey, &b)
	return &b
}

// cellsOf counts the cells of the table in a paragraph, and gives 0 where there is none.
func cellsOf(lines *text.Segments, source []byte) int {
	for i := 1; i < lines.Len(); i++ {
		at := lines.At(i)
		columns := delimiters(at.Value(source))
		if columns == 0 {
			continue
		}
		header := lines.At(i - 1)
		if row := betweenBars(header.Value(source)); 1+bytes.Count(row, bar)-bytes.Count(row, escapedBar) > columns {
			return 0
		}
		return columns * (lines.Len() - i)
	}
	return 0
}

var bar, escapedBar = []byte("|"), []byte(`\|`)

// delimiters gives the number of columns in the line below a header, and 0 for another line.
func delimiters(line []byte) (columns int) {
	if !bytes.ContainsAny(line, "|:") || len(bytes.Trim(line, "-:| \t\n")) > 0 {
		return 0
	}
	for column := range bytes.SplitSeq(betweenBars(line), bar) {
		column = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(column), []byte(":")), []byte(":"))
		if len(column) == 0 || len(bytes.Trim(column, "-")) > 0 {
			return 0
		}
		columns++
	}
	return columns
}

// betweenBars is a row without the bars at its ends.
func betweenBars(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(line), bar), bar)
}

const tableTooLarge = ` <span class="limit">(table too large to set)</span>`

func (w *writer) largeTable(n *largeTable) {
	source := bytes.TrimRight(n.Lines().Value(w.source), "\n")
	w.put(`<p class="raw">`, escape(string(source)), tableTooLarge, "</p>")
}
