package prose

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxCells is how many table cells a text may have. A short row is padded to the header's width.
const maxCells = 20_000

var (
	budgetKey      = parser.NewContextKey()
	kindLargeTable = ast.NewNodeKind("LargeTable")
	gfmTables      = extension.NewTableParagraphTransformer()
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
	gfmTables.Transform(n, reader, pc)
}

// budgetOf returns the budget of the text that is read.
func budgetOf(pc parser.Context) *budget {
	if b, ok := pc.Get(budgetKey).(*budget); ok {
		return b
	}
	b := newBudget()
	pc.Set(budgetKey, &b)
	return &b
}

// cellsOf counts the cells of the table in a paragraph, and returns 0 where there is none.
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

// delimiters returns the number of columns in the line below a header, and 0 for another line.
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

func (w *writer) largeTable(n *largeTable) {
	source := bytes.TrimRight(n.Lines().Value(w.source), "\n")
	w.put(`<p class="raw">`, escape(string(source)), notice(w.words.TableTooLarge), "</p>")
}

// table writes a table into a box that scrolls, which a keyboard can reach.
func (w *writer) table(n *east.Table) {
	w.put(`<div class="table" role="region" aria-label="`, escape(w.words.Table), `" tabindex="0"><table>`)
	body := false
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		if _, head := row.(*east.TableHeader); head {
			w.put("<thead>")
			w.row(row, "th")
			w.put("</thead>")
			continue
		}
		if !body {
			w.put("<tbody>")
			body = true
		}
		w.row(row, "td")
	}
	if body {
		w.put("</tbody>")
	}
	w.put("</table></div>")
}

func (w *writer) row(row ast.Node, tag string) {
	w.put("<tr>")
	w.inCell = true
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		class := ""
		if cell, ok := c.(*east.TableCell); ok && (cell.Alignment == east.AlignRight ||
			cell.Alignment == east.AlignCenter) {
			class = ` class="` + cell.Alignment.String() + `"`
		}
		w.within(tag, class, c)
	}
	w.inCell = false
	w.put("</tr>")
}
