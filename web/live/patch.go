package live

import (
	"bytes"
	"context"
	"strings"

	"colloquy/templates/locale"

	"github.com/a-h/templ"
)

// A patch is the content of one unnamed frame: instructions that htmx carries out
// in order. It looks up all targets before it carries out the first instruction;
// only the target of an upsert is looked up in turn.
type patch struct {
	language  *locale.Language // nil: English
	buf       bytes.Buffer
	replacing int // instructions other than append
}

func (p *patch) openTag(element, target string) {
	p.buf.WriteString("<hx-")
	p.buf.WriteString(element)
	p.buf.WriteString(` hx-target="`)
	p.buf.WriteString(target)
	p.buf.WriteByte('"')
}

// morph turns the target into html and leaves alone what is the same in both.
func (p *patch) morph(target, html string) { p.partial(target, "outerMorph", html) }

// append adds html at the end of the target. No other instruction has a different
// effect if it is carried out twice.
func (p *patch) append(target, html string) { p.partial(target, "beforeend", html) }

func (p *patch) remove(target string) { p.partial(target, "delete", "") }

func (p *patch) partial(target, swap, html string) {
	if swap != "beforeend" {
		p.replacing++
	}
	p.openTag("partial", target)
	p.buf.WriteString(` hx-swap="`)
	p.buf.WriteString(swap)
	p.buf.WriteString(`">`)
	p.buf.WriteString(html)
	p.buf.WriteString("</hx-partial>")
}

// upsert replaces the elements that have the same ids as those in html, and inserts
// the others into the container.
func (p *patch) upsert(container, html string) {
	p.replacing++
	p.openTag("upsert", container)
	p.buf.WriteByte('>')
	p.buf.WriteString(html)
	p.buf.WriteString("</hx-upsert>")
}

// morphChanged morphs the element with an id where it changed.
func (p *patch) morphChanged(id, old, now string) {
	if strings.TrimSpace(old) != strings.TrimSpace(now) {
		p.morph("#"+id, now)
	}
}

func (p *patch) len() int       { return p.buf.Len() }
func (p *patch) truncate(n int) { p.buf.Truncate(n) }
func (p *patch) String() string { return p.buf.String() }

func (p *patch) render(c templ.Component) string { return render(p.language, c) }

// render renders a component of package templates in a language. Components return only
// the errors of their writer, and a buffer returns none.
func render(l *locale.Language, c templ.Component) string {
	ctx := context.Background()
	if l != nil {
		ctx = locale.With(ctx, l)
	}
	var b bytes.Buffer
	if err := c.Render(ctx, &b); err != nil {
		panic("render: " + err.Error())
	}
	return b.String()
}
