package live

import (
	"strings"

	"colloquy/templates"
	"colloquy/templates/prose"
)

// A shownText is a text part of a message that may still change: the blocks it
// has now, and those that the last cut sent.
type shownText struct {
	doc   prose.Doc
	text  string
	open  bool
	begun bool
	now   []prose.Chunk
	sent  []prose.Chunk
}

// blocks returns the blocks of a text. A growing text costs its new end.
func (t *shownText) blocks(text string, open bool) []prose.Chunk {
	if t.begun && t.text == text && t.open == open {
		return t.now
	}
	t.text, t.open, t.begun = text, open, true
	if open {
		t.now = t.doc.Grow(text)
	} else {
		t.now, t.doc = prose.Render(text), prose.Doc{}
	}
	return t.now
}

// blocks patches the blocks of a text part from old to now. What only grew by
// text is sent as that text.
func (p *patch) blocks(part string, old, now []prose.Chunk) {
	both := min(len(old), len(now))
	for i := range both {
		if old[i] != now[i] {
			p.block(part, i, old[i], now[i])
		}
	}
	var fresh strings.Builder
	for i := both; i < len(now); i++ {
		fresh.WriteString(render(templates.Chunk(templates.ChunkID(part, i), now[i])))
	}
	if fresh.Len() > 0 {
		p.upsert("#"+part, fresh.String())
	}
	for i := both; i < len(old); i++ {
		p.remove("#" + templates.ChunkID(part, i))
	}
}

func (p *patch) block(part string, i int, old, now prose.Chunk) {
	id := templates.ChunkID(part, i)
	if up, text, ok := prose.Grown(old.HTML, now.HTML); ok {
		p.add("#"+id+top(now)+strings.Repeat(">:last-child", up-1), text)
		return
	}
	whole, mark := render(templates.Chunk(id, now)), p.len()
	d := differ{out: p, anonymous: true}
	if d.children("#"+id, parse(render(templates.Chunk(id, old))), parse(whole)) && p.len()-mark < len(whole)+80 {
		return
	}
	p.cutTo(mark)
	p.upsert("#"+part, whole)
}

// top addresses the one element of a block from what holds it.
func top(c prose.Chunk) string {
	name := strings.TrimPrefix(c.HTML, "<")
	if end := strings.IndexAny(name, " >"); end > 0 && c.HTML[0] == '<' {
		return ">" + name[:end]
	}
	return ">:last-child"
}
