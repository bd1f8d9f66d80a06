package live

import (
	"bytes"
	"context"
	"io"

	"github.com/a-h/templ"
)

// A patch is what one unnamed frame brings: elements that the page's script
// carries out one after another. Their targets are all looked up before the
// first is carried out, those of upserts apart, which are looked up in turn.
type patch struct {
	buf   bytes.Buffer
	parts int // elements that do more than add
}

func (p *patch) open(element, target string) {
	p.buf.WriteString("<hx-")
	p.buf.WriteString(element)
	p.buf.WriteString(` hx-target="`)
	p.buf.WriteString(target)
	p.buf.WriteByte('"')
}

// morph makes the target what html is, and leaves alone what is the same.
func (p *patch) morph(target, html string) { p.partial(target, "outerMorph", html) }

// add puts html at the end of the target. It alone is not idempotent.
func (p *patch) add(target, html string) { p.partial(target, "beforeend", html) }

func (p *patch) remove(target string) { p.partial(target, "delete", "") }

func (p *patch) partial(target, swap, html string) {
	if swap != "beforeend" {
		p.parts++
	}
	p.open("partial", target)
	p.buf.WriteString(` hx-swap="`)
	p.buf.WriteString(swap)
	p.buf.WriteString(`">`)
	p.buf.WriteString(html)
	p.buf.WriteString("</hx-partial>")
}

// upsert puts elements with ids into the container, or in place of those that
// have their ids already.
func (p *patch) upsert(container, html string) {
	p.parts++
	p.open("upsert", container)
	p.buf.WriteByte('>')
	p.buf.WriteString(html)
	p.buf.WriteString("</hx-upsert>")
}

func (p *patch) len() int       { return p.buf.Len() }
func (p *patch) cutTo(n int)    { p.buf.Truncate(n) }
func (p *patch) String() string { return p.buf.String() }

// render renders a component that needs no context. Components of package
// templates fail only when their writer does, and a buffer does not.
func render(c templ.Component) string {
	var b bytes.Buffer
	if err := renderTo(&b, c); err != nil {
		panic("render: " + err.Error())
	}
	return b.String()
}

func renderTo(w io.Writer, c templ.Component) error { return c.Render(context.Background(), w) }
