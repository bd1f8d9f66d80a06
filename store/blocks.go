package store

import "strings"

// A block is a heading, or a stretch of lines without an empty one; a fenced
// stretch is one block whatever is in it.
type block struct {
	level int // of a heading, 1 to 6; 0 is none
	text  string
}

func blocks(text string) []block {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	b := blockReader{}
	for line := range strings.SplitSeq(withoutFrontMatter(text), "\n") {
		b.line(strings.TrimRight(line, " \t"))
	}
	b.end()
	return b.out
}

// withoutFrontMatter drops the settings that some tools put between two lines
// of dashes at the top.
func withoutFrontMatter(text string) string {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return text
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok || strings.Contains(head, "\n\n") || !strings.Contains(head, ":") {
		return text
	}
	return body
}

type blockReader struct {
	out   []block
	lines []string
	fence string // the marks that opened the fence we are in
}

func (b *blockReader) line(line string) {
	if b.fence != "" {
		b.lines = append(b.lines, line)
		if closesFence(line, b.fence) {
			b.end()
		}
		return
	}
	bare := strings.TrimSpace(line)
	if marks := fenceMarks(bare); marks != "" {
		b.end()
		b.fence, b.lines = marks, []string{line}
		return
	}
	if level, title := heading(line); level > 0 {
		b.end()
		b.head(level, title)
		return
	}
	if level := underline(bare); level > 0 && len(b.lines) == 1 && plainTitle(b.lines[0]) {
		title := b.lines[0]
		b.lines = nil
		b.head(level, title)
		return
	}
	if bare == "" || rule(bare) {
		b.end()
		return
	}
	b.lines = append(b.lines, line)
}

func (b *blockReader) head(level int, title string) {
	if title = plain(title); title != "" {
		b.out = append(b.out, block{level: level, text: title})
	}
}

func (b *blockReader) end() {
	if text := strings.Trim(strings.Join(b.lines, "\n"), "\n"); strings.TrimSpace(text) != "" {
		b.out = append(b.out, block{text: text})
	}
	b.lines, b.fence = nil, ""
}

func fenceMarks(bare string) string {
	for _, mark := range []string{"`", "~"} {
		n := len(bare) - len(strings.TrimLeft(bare, mark))
		if n >= 3 && (mark == "~" || !strings.Contains(bare[n:], "`")) {
			return bare[:n]
		}
	}
	return ""
}

func closesFence(line, fence string) bool {
	bare := strings.TrimSpace(line)
	return strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == ""
}

// heading reads "## Title ##".
func heading(line string) (level int, title string) {
	bare := strings.TrimLeft(line, " ")
	if len(line)-len(bare) > 3 {
		return 0, ""
	}
	rest := strings.TrimLeft(bare, "#")
	level = len(bare) - len(rest)
	if level < 1 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(rest)
	if closed := strings.TrimRight(title, "#"); closed == "" || strings.HasSuffix(closed, " ") {
		title = strings.TrimSpace(closed)
	}
	return level, title
}

// underline reads the line below a heading that is written over it.
func underline(bare string) int {
	if len(bare) < 3 {
		return 0
	}
	switch "" {
	case strings.Trim(bare, "="):
		return 1
	case strings.Trim(bare, "-"):
		return 2
	}
	return 0
}

// plainTitle reports whether a line above dashes can be a heading, and is not a
// table's head, a quotation or a list item.
func plainTitle(line string) bool {
	bare := strings.TrimSpace(line)
	return len(bare) <= 200 && !strings.Contains(bare, "|") && !strings.HasPrefix(bare, ">") &&
		!strings.HasPrefix(bare, "- ") && !strings.HasPrefix(bare, "* ")
}

// rule reports whether a line is a thematic break.
func rule(bare string) bool {
	bare = strings.ReplaceAll(bare, " ", "")
	return len(bare) >= 3 && (strings.Trim(bare, "-") == "" || strings.Trim(bare, "*") == "" || strings.Trim(bare, "_") == "")
}

// plain drops the marks of emphasis and code from a heading.
func plain(title string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("**", "", "__", "", "`", "", "*", "").Replace(title)), " ")
}
