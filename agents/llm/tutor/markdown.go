package tutor

import (
	"regexp"
	"strings"
)

// A blockKind says what a block of a passage is.
type blockKind int

const (
	paragraph blockKind = iota
	heading
	list
	table
	formula // $$ … $$
	code
)

// A block is a part of a passage: its lines as they are, markers of quotation
// apart. A list has one line for each point.
type block struct {
	kind  blockKind
	lines []string
}

var (
	headingLine   = regexp.MustCompile(`^ {0,3}#{1,6}(?:\s+(.*?)(?:\s+#+)?)?\s*$`)
	underline     = regexp.MustCompile(`^ {0,3}(?:=+|-{2,})\s*$`)
	ruleLine      = regexp.MustCompile(`^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$`)
	pointLine     = regexp.MustCompile(`^(\s*)([-*+•]|\d{1,3}[.)])\s+(\S.*)$`)
	tableRule     = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$`)
	fenceLine     = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	quoteMark     = regexp.MustCompile(`^ {0,3}>\s?`)
	taskBox       = regexp.MustCompile(`^\[[ xX]\]\s+`)
	formulaMarks  = map[string]string{"$$": "$$", `\[`: `\]`}
	numberedPoint = regexp.MustCompile(`^\d`)
)

// blocksOf reads Markdown or plain text. It never fails: what it does not know
// is a paragraph.
func blocksOf(text string) []block {
	r := reader{lines: strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ").Replace(text), "\n")}
	for i, l := range r.lines {
		for quoteMark.MatchString(l) {
			l = quoteMark.ReplaceAllString(l, "")
		}
		r.lines[i] = strings.TrimRight(l, " ")
	}
	for r.at < len(r.lines) {
		r.step()
	}
	r.close()
	return r.out
}

// A reader walks over the lines of a passage and gathers blocks.
type reader struct {
	lines []string
	at    int
	open  block // a paragraph or a list that the next line may still be part of
	out   []block
}

func (r *reader) close() {
	if len(r.open.lines) > 0 {
		r.out = append(r.out, r.open)
	}
	r.open = block{}
}

// step reads the block or the line at r.at.
func (r *reader) step() {
	line := r.lines[r.at]
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		r.blank()
	case fenceLine.MatchString(line):
		r.fence(fenceLine.FindStringSubmatch(line)[1])
	case formulaMarks[first(trimmed, 2)] != "":
		r.formula(trimmed, formulaMarks[first(trimmed, 2)])
	case headingLine.MatchString(line):
		r.close()
		r.out = append(r.out, block{heading, []string{headingLine.FindStringSubmatch(line)[1]}})
		r.at++
	case r.open.kind == paragraph && len(r.open.lines) > 0 && underline.MatchString(line):
		r.open.kind = heading
		r.close()
		r.at++
	case ruleLine.MatchString(line):
		r.close()
		r.at++
	case strings.Contains(line, "|") && r.at+1 < len(r.lines) && strings.Contains(r.lines[r.at+1], "|") && tableRule.MatchString(r.lines[r.at+1]):
		r.table()
	case pointLine.MatchString(line) && r.mayOpenList(line):
		r.point(line)
	default:
		r.prose(line, trimmed)
	}
}

// blank ends a paragraph. A list goes on if its next line is a point or is indented.
func (r *reader) blank() {
	r.at++
	goesOn := r.at < len(r.lines) && (pointLine.MatchString(r.lines[r.at]) || strings.HasPrefix(r.lines[r.at], "  "))
	if r.open.kind != list || !goesOn {
		r.close()
	}
}

// mayOpenList keeps "in the year\n1914. The war" a paragraph, as Markdown does.
func (r *reader) mayOpenList(line string) bool {
	mark := pointLine.FindStringSubmatch(line)[2]
	return r.open.kind == list || len(r.open.lines) == 0 || !numberedPoint.MatchString(mark) || mark[:len(mark)-1] == "1"
}

func (r *reader) point(line string) {
	if r.open.kind != list {
		r.close()
		r.open.kind = list
	}
	m := pointLine.FindStringSubmatch(line)
	mark := m[2]
	if !numberedPoint.MatchString(mark) {
		mark = "-"
	}
	depth := min(len(m[1])/2, 3)
	r.open.lines = append(r.open.lines, strings.Repeat("  ", depth)+mark+" "+taskBox.ReplaceAllString(m[3], ""))
	r.at++
}

func (r *reader) prose(line, trimmed string) {
	r.at++
	if r.open.kind == list && len(r.open.lines) > 0 {
		if r.lines[r.at-2] != "" || strings.HasPrefix(line, "  ") {
			r.open.lines[len(r.open.lines)-1] += " " + trimmed
			return
		}
		r.close()
	}
	r.open.lines = append(r.open.lines, trimmed)
}

func (r *reader) fence(mark string) {
	r.close()
	b := block{code, []string{strings.TrimSpace(r.lines[r.at])}}
	for r.at++; r.at < len(r.lines); r.at++ {
		if end := strings.TrimSpace(r.lines[r.at]); strings.HasPrefix(end, mark) && strings.Trim(end, mark[:1]) == "" {
			r.at++
			break
		}
		b.lines = append(b.lines, r.lines[r.at])
	}
	b.lines = append(b.lines, mark)
	r.out = append(r.out, b)
}

// formula reads a displayed formula. One that does not end before the next
// blank line is a paragraph.
func (r *reader) formula(trimmed, end string) {
	body, from := trimmed[2:], r.at
	for {
		if in, rest, ok := strings.Cut(body, end); ok && strings.Trim(rest, " .,;") == "" {
			r.close()
			whole := strings.Join(strings.Fields(in), " ")
			r.out = append(r.out, block{formula, []string{"$$" + whole + "$$"}})
			r.at++
			return
		}
		r.at++
		if r.at >= len(r.lines) || strings.TrimSpace(r.lines[r.at]) == "" {
			r.at = from
			r.prose(trimmed, trimmed)
			return
		}
		body += " " + strings.TrimSpace(r.lines[r.at])
	}
}

func (r *reader) table() {
	r.close()
	b := block{kind: table}
	for ; r.at < len(r.lines) && strings.Contains(r.lines[r.at], "|"); r.at++ {
		b.lines = append(b.lines, strings.TrimSpace(r.lines[r.at]))
	}
	r.out = append(r.out, b)
}

func first(s string, n int) string { return s[:min(n, len(s))] }
