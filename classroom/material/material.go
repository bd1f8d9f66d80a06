// Package material cuts the text of a material into passages, which are what a search
// finds and an answer quotes.
//
// A passage is a whole paragraph, list, table or worked example below its headings. A line
// that introduces what follows ("The steps are:") stays with it. Passages come in the order
// of the text, do not overlap, and are stretches of it: text[From:To]. Only what is longer
// than [MaxPassage] is cut, at the end of an item, of a line or of a word.
//
// A text is Markdown; plain text is read as Markdown with few marks. The package does no
// I/O, and the time it takes grows with the size of the text.
package material

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A Passage is a stretch of a material that makes sense below its headings.
type Passage struct {
	Heading  string // the headings above it, outermost first, joined by " › "
	From, To int    // its bytes in the text
	Staff    bool   // a heading says that it is for teachers only
}

const (
	// MaxPassage is the greatest length of a passage in bytes.
	MaxPassage = 2400
	// shortPassage is the length below which a paragraph joins the next one of its section.
	shortPassage = 80
)

// Passages returns the passages of a text.
func Passages(source string) []Passage {
	c := cutter{source: source}
	for _, b := range blocksOf(source) {
		c.add(b)
	}
	c.flush()
	return c.out
}

// A block is a top-level block of a text.
type block struct {
	kind     ast.NodeKind
	level    int // of a heading
	from, to int
}

var markdown = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithParagraphTransformers(
		util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
)

// blocksOf returns the blocks of a text. Each ends where the next begins.
func blocksOf(source string) []block {
	body := frontMatter(source)
	if nested(source[body:]) {
		return paragraphs(source, body)
	}
	src := []byte(source[body:])
	doc := markdown.Parse(text.NewReader(src))
	var out []block
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		at, ok := firstByte(n)
		if !ok {
			continue
		}
		b := block{kind: n.Kind(), from: lineStart(src, at) + body}
		if h, ok := n.(*ast.Heading); ok {
			b.level = h.Level
		}
		if n.Kind() == ast.KindFencedCodeBlock && b.from > body {
			b.from = lineStart(src, b.from-body-1) + body // the fence
		}
		out = append(out, b)
	}
	for i := range out {
		out[i].to = len(source)
		if i+1 < len(out) {
			out[i].to = out[i+1].from
		}
	}
	return out
}

// firstByte returns where the content of a node begins.
func firstByte(n ast.Node) (int, bool) {
	if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
		return n.Lines().At(0).Start, true
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if at, ok := firstByte(c); ok {
			return at, true
		}
	}
	return 0, false
}

func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

// frontMatter returns where the text begins after the settings that some tools put
// between two lines of dashes at the top.
func frontMatter(source string) int {
	rest, ok := strings.CutPrefix(source, "---\n")
	if !ok {
		return 0
	}
	head, _, ok := strings.Cut(rest, "\n---\n")
	if !ok || strings.Contains(head, "\n\n") || !strings.Contains(head, ":") {
		return 0
	}
	return len("---\n") + len(head) + len("\n---\n")
}

// maxNesting is how deep the quotations and lists of a text may be nested. The parser
// reads each line once for each level.
const maxNesting = 24

func nested(source string) bool {
	for line := range strings.Lines(source) {
		marks := 0
		for _, r := range line {
			if !strings.ContainsRune(" \t>-*+", r) {
				break
			}
			if r != ' ' {
				marks++
			}
		}
		if marks > maxNesting && strings.Trim(line, "-*_ \r\n") != "" {
			return true
		}
		if spaces := len(line) - len(strings.TrimLeft(line, " \t")); spaces > 8*maxNesting {
			return true
		}
	}
	return false
}

// paragraphs cuts a text at its empty lines only.
func paragraphs(source string, at int) []block {
	var out []block
	for _, part := range strings.SplitAfter(source[at:], "\n\n") {
		if strings.TrimSpace(part) != "" {
			out = append(out, block{kind: ast.KindParagraph, from: at, to: at + len(part)})
		}
		at += len(part)
	}
	return out
}

// cutPlace returns where a text that is too long is cut.
func cutPlace(s string) int {
	for _, mark := range []string{"\n", ". ", " "} {
		if at := strings.LastIndex(s[:MaxPassage], mark); at > MaxPassage/3 {
			return at + len(mark)
		}
	}
	at := MaxPassage
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return max(at, 1)
}
