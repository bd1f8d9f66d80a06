package prose

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A parseMode is how a stretch is read.
type parseMode struct {
	parser.Parser
	open bool // the end may still grow: the last block shows what is not closed as it was written
}

var (
	whole   = parseMode{Parser: newParser(true, true)}              // a finished text
	growing = parseMode{Parser: newParser(false, false)}            // the finished part of a growing text
	open    = parseMode{Parser: newParser(false, true), open: true} // its open end
)

// newParser leaves out the parsers for raw HTML, so that tags are text like any other. References and footnotes reach
// across a whole text and only finished texts have them.
func newParser(references, open bool) parser.Parser {
	blocks := []util.PrioritizedValue{
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(depthLimited{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(mathBlocks{}, 750),
		util.Prioritized(depthLimited{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
	inlines := []util.PrioritizedValue{
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(mathInlines{open: open}, 50),
		bound(parser.NewCodeSpanParser(), 100),
		bound(parser.NewLinkParser(), 200),
		bound(parser.NewAutoLinkParser(), 300),
		bound(parser.NewEmphasisParser(), 500),
		bound(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(), 999),
	}
	paragraphs := []util.PrioritizedValue{util.Prioritized(tables{}, 200)}
	var trees []util.PrioritizedValue
	if references {
		blocks = append(blocks, util.Prioritized(limitedFootnotes{extension.NewFootnoteBlockParser()}, 999))
		inlines = append(inlines, bound(extension.NewFootnoteParser(), 101))
		paragraphs = append(paragraphs, util.Prioritized(definitions{}, 100))
		trees = append(trees, util.Prioritized(extension.NewFootnoteASTTransformer(), 999))
	}
	return parser.NewParser(
		parser.WithBlockParsers(blocks...), parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(paragraphs...), parser.WithASTTransformers(trees...),
	)
}

// render returns the chunks of one tidy stretch, and what is left of it when the budget for HTML is spent. On any
// error the source is shown.
func render(d parseMode, b *budget, words Words, stretch string) (chunks []Chunk, left string) {
	if strings.TrimSpace(stretch) == "" {
		return nil, ""
	}
	defer func() {
		if recover() != nil {
			chunks, left = asWritten(stretch), ""
		}
	}()
	source := []byte(stretch)
	pc := parser.NewContext()
	pc.Set(budgetKey, b)
	tree := d.Parse(text.NewReader(source), parser.WithContext(pc))
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		w := writer{source: source, budget: b, words: words}
		if d.open && n.NextSibling() == nil {
			w.openCode = lastLeaf(n)
		}
		w.block(n)
		if w.out.Len() == 0 {
			continue
		}
		if b.html -= w.out.Len() + chunkSize; b.html >= 0 {
			chunks = append(chunks, Chunk{HTML: w.out.String()})
			continue
		}
		if _, notes := n.(*east.FootnoteList); notes { // their source stands further up
			return append(chunks, asWritten(plain(n, source))...), ""
		}
		return chunks, stretch[strings.LastIndexByte(stretch[:n.Pos()], '\n')+1:]
	}
	return chunks, ""
}

func asWritten(stretch string) []Chunk {
	return []Chunk{{HTML: `<p class="raw">` + escape(strings.Trim(stretch, "\n")) + "</p>"}}
}

// lastLeaf is the block at the very end of n.
func lastLeaf(n ast.Node) ast.Node {
	for n.LastChild() != nil && n.LastChild().Type() == ast.TypeBlock {
		n = n.LastChild()
	}
	return n
}
