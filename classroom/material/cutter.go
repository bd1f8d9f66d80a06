package material

import (
	"embed"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"

	"colloquy/classroom/text"
)

// A cutter collects blocks into passages.
type cutter struct {
	source  string
	out     []Passage
	path    [7]string // the heading in force at each level, from 1
	staff   [7]bool
	example bool // the section is a worked example and stays together

	open     bool
	from, to int // of the passage that is open
	leadsIn  bool
}

// add adds a block. A passage stays open as long as the next block may belong to it.
func (c *cutter) add(b block) {
	if b.kind == ast.KindHeading {
		c.flush()
		c.enter(b)
		return
	}
	from, to := c.trim(b)
	if from == to {
		return
	}
	if c.open && c.belongs(from, to) {
		c.to = to
	} else {
		c.flush()
		c.open, c.from, c.to = true, from, to
	}
	c.leadsIn = b.kind == ast.KindParagraph && strings.HasSuffix(strings.TrimRight(c.source[from:to], "*_ "), ":")
}

// belongs reports whether the block at from belongs to the passage that is open.
func (c *cutter) belongs(from, to int) bool {
	if to-c.from > MaxPassage {
		return false
	}
	short := c.to-c.from < shortPassage || isFormula(c.source[from:to])
	return c.example || c.leadsIn || short
}

// isFormula reports whether a block is one formula, which belongs to what is said of it.
func isFormula(s string) bool { return strings.HasPrefix(s, "$$") && strings.HasSuffix(s, "$$") }

// trim returns the bytes of a block without the space around it and without lines that
// only separate.
func (c *cutter) trim(b block) (from, to int) {
	s := c.source[b.from:b.to]
	for {
		s = strings.TrimRightFunc(s, unicode.IsSpace)
		at := strings.LastIndexByte(s, '\n') + 1
		if line := strings.TrimSpace(s[at:]); len(line) < 3 || strings.Trim(line, "-*_ ") != "" {
			break
		}
		s = s[:at]
	}
	left := len(s) - len(strings.TrimLeft(s, "\n\r"))
	if strings.TrimSpace(s) == "" {
		return b.from, b.from
	}
	return b.from + left, b.from + len(s)
}

func (c *cutter) enter(b block) {
	title := headingText(c.source[b.from:b.to])
	c.path[b.level], c.staff[b.level] = title, StaffOnly(title)
	clear(c.path[b.level+1:])
	clear(c.staff[b.level+1:])
	said := " " + text.Plain(title)
	c.example = strings.Contains(said, " example") || strings.Contains(said, "beispiel")
}

// flush ends the passage that is open.
func (c *cutter) flush() {
	for c.open && c.to-c.from > MaxPassage {
		at := c.from + cutPlace(c.source[c.from:c.to])
		c.append(c.from, at)
		c.from = at
	}
	if c.open {
		c.append(c.from, c.to)
	}
	c.open, c.leadsIn = false, false
}

func (c *cutter) append(from, to int) {
	s := c.source[from:to]
	from += len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	to -= len(s) - len(strings.TrimRightFunc(s, unicode.IsSpace))
	if from >= to {
		return
	}
	p := Passage{From: from, To: to}
	var names []string
	for level, name := range c.path {
		if name != "" {
			names = append(names, name)
		}
		p.Staff = p.Staff || c.staff[level]
	}
	p.Heading = strings.Join(names, " › ")
	c.out = append(c.out, p)
}

const maxHeading = 300 // bytes; a longer heading is cut

var emphasis = strings.NewReplacer("**", "", "__", "", "`", "", "*", "")

// headingText returns what a heading says, without its marks.
func headingText(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	line = strings.TrimLeft(line, "# \t")
	if closed := strings.TrimRight(line, "#"); closed == "" || strings.HasSuffix(closed, " ") {
		line = closed
	}
	line = emphasis.Replace(line)
	line = strings.Join(strings.Fields(line), " ")
	if len(line) > maxHeading {
		line = strings.ToValidUTF8(line[:maxHeading], "") + "…"
	}
	return line
}

//go:embed data/staff.txt
var data embed.FS

// staffHeadings are the rules of data/staff.txt: what a heading is, begins with or holds.
var staffHeadings = func() map[string][]string {
	content, _ := data.ReadFile("data/staff.txt")
	out := map[string][]string{}
	for line := range strings.Lines(string(content)) {
		if kind, words, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
			out[kind] = append(out[kind], " "+words+" ")
		}
	}
	return out
}()

// Aside reports whether a heading says that its section lists where to read more.
func Aside(heading string) bool { return headingIs("aside", heading) }

// StaffOnly reports whether a heading says that its section is for teachers only.
func StaffOnly(heading string) bool {
	said := headingWords(heading)
	for _, w := range staffHeadings["begins"] {
		if strings.HasPrefix(said, w) {
			return true
		}
	}
	for _, w := range staffHeadings["holds"] {
		if strings.Contains(said, w) {
			return true
		}
	}
	return headingIs("is", heading)
}

// headingIs reports whether data/staff.txt has a heading, as a whole, as one of a kind.
func headingIs(kind, heading string) bool {
	return slices.Contains(staffHeadings[kind], headingWords(heading))
}

// headingWords returns the words of a heading without numbers, with a space around each.
func headingWords(heading string) string {
	var words []string
	for _, w := range strings.Fields(text.Plain(heading)) {
		if strings.Trim(w, "0123456789.,") != "" {
			words = append(words, w)
		}
	}
	return " " + strings.Join(words, " ") + " "
}
