package live

import (
	"strings"

	"colloquy/templates"
	"colloquy/templates/prose"
)

// A sentProse is a [sentText] in Markdown, as blocks.
type sentProse struct {
	words prose.Words
	doc   prose.Doc
	text  string
	open  bool
	begun bool
	now   []prose.Chunk
	sent  []prose.Chunk
}

// update sets the text and returns its blocks. Only the end of a text that grew is
// rendered; finished renders one that grows no more.
func (t *sentProse) update(text string, open bool, finished func() []prose.Chunk) []prose.Chunk {
	if t.begun && t.text == text && t.open == open {
		return t.now
	}
	t.text, t.open, t.begun = text, open, true
	if open {
		t.doc.Words = t.words
		t.now = t.doc.Grow(text)
	} else {
		t.now, t.doc = finished(), prose.Doc{}
	}
	return t.now
}

func (t *sentProse) diff(p *patch, part string) {
	both := min(len(t.sent), len(t.now))
	for i := range both {
		if t.sent[i] != t.now[i] {
			diffBlock(p, part, i, t.sent[i], t.now[i])
		}
	}
	var added strings.Builder
	for i := both; i < len(t.now); i++ {
		added.WriteString(p.render(templates.Chunk(templates.ChunkID(part, i), t.now[i])))
	}
	if added.Len() > 0 {
		p.upsert("#"+part, added.String())
	}
	for i := both; i < len(t.sent); i++ {
		p.remove("#" + templates.ChunkID(part, i))
	}
}

func (t *sentProse) markSent() { t.sent = t.now }

// diffBlock patches one block: by the text that was appended to it, by what
// differs in it, or whole where that is shorter.
func diffBlock(p *patch, part string, i int, old, now prose.Chunk) {
	id := templates.ChunkID(part, i)
	if depth, text, ok := prose.Grown(old.HTML, now.HTML); ok {
		p.append("#"+id+childSelector(now)+strings.Repeat(">:last-child", depth-1), text)
		return
	}
	whole, mark := p.render(templates.Chunk(id, now)), p.len()
	d := htmlDiff{out: p, byPosition: true}
	if d.children("#"+id, parse(p.render(templates.Chunk(id, old))), parse(whole)) && p.len()-mark < len(whole)+80 {
		return
	}
	p.truncate(mark)
	p.upsert("#"+part, whole)
}

// childSelector selects the one element of a block below the element that holds it.
func childSelector(c prose.Chunk) string {
	name := strings.TrimPrefix(c.HTML, "<")
	if end := strings.IndexAny(name, " >"); end > 0 && c.HTML[0] == '<' {
		return ">" + name[:end]
	}
	return ">:last-child"
}
