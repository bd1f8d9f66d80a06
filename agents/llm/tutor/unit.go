package tutor

import (
	"regexp"
	"strings"
)

// A unitKind says what a unit is.
type unitKind int

const (
	sentence  unitKind = iota // with the formula or the code that it introduces
	point                     // of a list, without the others
	wholeList                 // with the sentence that introduces it
	wholeTable
)

// A unit is the smallest stretch of a passage that can be quoted by itself.
type unit struct {
	kind   unitKind
	lines  []string // as it is quoted, inert
	block  int      // the number of its block in the passage; sentences of one paragraph share it
	place  int      // its place in the passage
	points int      // of wholeList
	order  bool     // of wholeList: numbered
	cut    bool     // of wholeTable: one row of a long one
	words  []word
	stems  map[string]bool
	hidden bool   // it gives away what is withheld
	key    string // what it says, without marks and spaces
}

// A passage is what the search found, cut into units.
type passage struct {
	MaterialID string `json:"material_id"`
	Material   string `json:"material"`
	Section    string `json:"section"`
	Text       string `json:"text"`

	units []*unit
	head  question // its own heading, read as a question
	above []word   // the words of all headings and of the material's name
}

const (
	maxUnit     = 600 // the longest sentence that is quoted
	maxWhole    = 1000
	maxText     = 16 << 10 // of one passage; searches give far less
	maxUnits    = 300      // of one passage
	wholeRows   = 9
	maxPassages = 12 // the passages that are looked at
)

func (p *passage) read() {
	if p.units != nil {
		return
	}
	p.Text = strings.ToValidUTF8(first(p.Text, maxText), "")
	c := cutter{blocks: blocksOf(p.Text)}
	for c.at = 0; c.at < len(c.blocks) && len(c.units) < maxUnits; c.at++ {
		c.cut(c.blocks[c.at])
	}
	c.flush()
	p.units = c.units
	sections := strings.Split(p.Section, "›")
	title := sections[len(sections)-1]
	if strings.TrimSpace(title) == "" && c.heading != "" {
		title = c.heading
		p.Section = title
	}
	p.head = parse(title, nil)
	p.above = wordsOf(p.Section + " " + c.heading + " " + title + " " + p.Material)
}

// A cutter cuts blocks into units.
type cutter struct {
	blocks  []block
	at      int
	lead    string // a sentence that ends with a colon and waits for what it introduces
	heading string // the last heading in the passage itself
	units   []*unit
}

func (c *cutter) cut(b block) {
	switch b.kind {
	case heading:
		c.flush()
		c.heading = b.lines[0]
	case paragraph:
		c.flush()
		c.paragraph(sentencesOf(strings.Join(b.lines, " ")))
	case formula:
		c.attach(inertFormula(b.lines[0]))
	case code:
		c.attach(b.lines...)
	case list:
		c.list(b.lines)
	case table:
		c.table(b.lines)
	}
}

func (c *cutter) paragraph(sentences []string) {
	for i, s := range sentences {
		if i == len(sentences)-1 && strings.HasSuffix(s, ":") {
			c.lead = s
			return
		}
		c.add(sentence, inert(s))
	}
}

// flush makes a unit of a lead that introduces nothing.
func (c *cutter) flush() {
	if c.lead != "" {
		c.add(sentence, inert(c.lead))
	}
	c.lead = ""
}

// attach puts a formula or code behind the sentence before it.
func (c *cutter) attach(lines ...string) {
	switch {
	case c.lead != "":
		c.flush()
	case len(c.units) == 0 || c.units[len(c.units)-1].kind != sentence:
		return // nothing says what it is
	}
	u := c.units[len(c.units)-1]
	u.lines = append(append(u.lines, ""), lines...)
	c.describe(u)
}

func (c *cutter) list(lines []string) {
	var quoted []string
	for _, l := range lines {
		indent := len(l) - len(strings.TrimLeft(l, " "))
		mark, text, _ := strings.Cut(l[indent:], " ")
		quoted = append(quoted, l[:indent]+mark+" "+flat(text))
	}
	u := c.whole(wholeList, quoted)
	u.points, u.order = len(lines), numberedPoint.MatchString(lines[0])
	for _, l := range lines {
		_, text, _ := strings.Cut(strings.TrimSpace(l), " ")
		c.add(point, inert(text))
		c.units[len(c.units)-1].block = u.block
	}
}

func (c *cutter) table(lines []string) {
	var quoted []string
	for _, l := range lines {
		quoted = append(quoted, "| "+strings.Trim(flat(l), "| ")+" |")
	}
	if len(lines) <= wholeRows {
		c.whole(wholeTable, quoted)
		return
	}
	lead := c.lead
	for _, row := range quoted[2:] {
		c.lead = lead
		c.whole(wholeTable, []string{quoted[0], quoted[1], row}).cut = true
	}
}

// whole adds lines as one unit, with the lead before them.
func (c *cutter) whole(kind unitKind, lines []string) *unit {
	if c.lead != "" {
		lines = append([]string{inert(c.lead), ""}, lines...)
	}
	c.lead = ""
	return c.add(kind, lines...)
}

func (c *cutter) add(kind unitKind, lines ...string) *unit {
	u := &unit{kind: kind, lines: lines, block: c.at, place: len(c.units)}
	c.describe(u)
	c.units = append(c.units, u)
	return u
}

func (c *cutter) describe(u *unit) {
	u.words = wordsOf(strings.Join(u.lines, " "))
	u.stems = map[string]bool{}
	for _, w := range u.words {
		u.stems[w.stem] = true
	}
	u.key = keyOf(strings.Join(u.lines, " "))
}

// keyOf keeps of a text only what it says, so that a quote is known again
// whatever marks stand in it.
func keyOf(text string) string {
	var b strings.Builder
	for _, w := range wordsOf(text) {
		b.WriteString(w.fold)
	}
	return b.String()
}

var formulaTag = regexp.MustCompile(`[\x00-\x1f]`)

func inertFormula(line string) string { return formulaTag.ReplaceAllString(line, " ") }

func (u *unit) text() string { return strings.Join(u.lines, "\n") }

func (u *unit) length() int { return len(u.text()) }

// quotable reports whether u is a whole thought of a size that can be shown.
func (u *unit) quotable() bool {
	switch u.kind {
	case wholeList, wholeTable:
		return u.length() <= maxWhole
	case point:
		return len(u.words) >= 3 && u.length() <= maxUnit
	}
	return len(u.words) >= 4 && u.length() <= maxUnit && !strings.HasSuffix(u.lines[0], "?") && (len(u.lines) > 1 || !strings.HasSuffix(u.lines[0], ":"))
}

// dangles reports whether u begins with a word that points to what stands before it.
func (u *unit) dangles() bool {
	if u.kind != sentence || len(u.words) < 2 {
		return false
	}
	at := 0
	if leadsIn[u.words[0].fold] {
		at = 1 // "In this formula …"
	}
	return pointers[u.words[at].fold]
}

var leadsIn = setOf(`in on at by from for with after before because of`)

var pointers = setOf(`it its they them their this these those that he she his her such however therefore thus hence so but and
	then also otherwise instead nevertheless moreover furthermore consequently both here there`)
