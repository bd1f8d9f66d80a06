package templates

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"

	"colloquy/classroom"
	"colloquy/templates/locale"
	"colloquy/templates/prose"
)

// FinishedText renders a text block of a finished message, with a mark behind each of its
// citations. session is that of the addresses of the sources.
func FinishedText(l *locale.Language, session string, m *classroom.Message, block int) []prose.Chunk {
	text, marked := withMarks(m, block)
	chunks := prose.Render(text, ProseWords(l))
	if len(marked) == 0 {
		return chunks
	}
	for i := range chunks {
		for n, c := range marked {
			chunks[i].HTML = strings.ReplaceAll(chunks[i].HTML, placeholder(n), citationMark(l, session, c))
		}
	}
	return chunks
}

// Signs of the private use area stand around a number where a mark belongs, from the source
// to the HTML. A text that has them itself gets no marks.
const markBegin, markEnd = "\ue0c1", "\ue0c2"

func placeholder(n int) string { return markBegin + strconv.Itoa(n) + markEnd }

// withMarks returns the source of a block with a placeholder behind each citation, and the
// citations by the numbers of their placeholders.
func withMarks(m *classroom.Message, block int) (string, map[int]classroom.Citation) {
	source := m.Blocks[block].Text
	if len(m.Citations) == 0 || strings.Contains(source, markBegin) {
		return source, nil
	}
	marked := map[int]classroom.Citation{}
	runes := []rune(source)
	var b strings.Builder
	at := 0
	for _, c := range m.Citations {
		if c.Block != block || c.To < at || c.To > len(runes) || !takesMark(runes, c.To) {
			continue
		}
		b.WriteString(string(runes[at:c.To]) + placeholder(c.N))
		at = c.To
		marked[c.N] = c
	}
	return b.String() + string(runes[at:]), marked
}

// takesMark reports whether a placeholder behind a character stands in running text: not in a
// line of code, of a formula or of a table.
func takesMark(runes []rune, at int) bool {
	from, to := at, at
	for from > 0 && runes[from-1] != '\n' {
		from--
	}
	for to < len(runes) && runes[to] != '\n' {
		to++
	}
	line := string(runes[from:to])
	return !strings.ContainsAny(line, "`$|\\") && !strings.HasPrefix(strings.TrimLeft(line, " >"), "~~~")
}

// citationMark is the mark of a citation: a number that leads to its source, or words that
// say that there is none.
func citationMark(l *locale.Language, session string, c classroom.Citation) string {
	if c.Status == classroom.NotFromMaterials {
		return `<span class="cite unfounded">` + escapeHTML(l.Text("card.not_from_materials")) + `</span>`
	}
	key := "card.cited_" + string(c.Status)
	label := strconv.Itoa(c.N) + ": " + l.Text(key, "Source", sourceName(c.Material, c.Heading))
	return `<a class="cite ` + string(c.Status) + `" href="` + escapeHTML(sourceAddress(session, c)) + `" title="` +
		escapeHTML(label) + `" aria-label="` + escapeHTML(label) + `">` + strconv.Itoa(c.N) + `</a>`
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

func escapeHTML(s string) string { return htmlEscapes.Replace(s) }

// sourceAddress is where the passage of a citation is opened.
func sourceAddress(session string, c classroom.Citation) string {
	q := url.Values{"material": {c.MaterialID}, "from": {strconv.Itoa(c.PassageID - 1)}}
	return "/sessions/" + session + "/source?" + q.Encode() + "#lit"
}

// sourceName names a passage by its material and its innermost headings.
func sourceName(material, heading string) string {
	if name := sectionName(heading); name != "" {
		return material + " › " + name
	}
	return material
}

// sectionName returns the headings of a passage without the outermost, which names the
// material.
func sectionName(heading string) string {
	headings := strings.Split(heading, " › ")
	if len(headings) > 1 {
		headings = headings[1:]
	}
	return strings.Join(headings, " › ")
}

// A cardSource is a passage that a card cites, once.
type cardSource struct {
	classroom.Citation
	Name string
}

// cardSources returns the sources of a card, first cited first, and how many citations have
// none.
func cardSources(c *classroom.Card) (sources []cardSource, unfounded int) {
	seen := map[string]bool{}
	for _, w := range c.Windows {
		for _, e := range w.Entries {
			if e.Message == nil || e.Message.Superseded {
				continue
			}
			for _, cited := range e.Message.Citations {
				key := cited.MaterialID + " " + strconv.Itoa(cited.PassageID)
				switch {
				case cited.Status == classroom.NotFromMaterials:
					unfounded++
				case !seen[key]:
					seen[key] = true
					sources = append(sources, cardSource{cited, sourceName(cited.Material, cited.Heading)})
				}
			}
		}
	}
	return sources, unfounded
}

// finishedChunks renders a finished text for the reader of a page.
func finishedChunks(ctx context.Context, session string, m *classroom.Message, block int) []prose.Chunk {
	return FinishedText(cmp.Or(locale.From(ctx), locale.English()), session, m, block)
}
