package prose

import "strings"

// maxSegment is the length after which an open stretch is split at the next line, and a line at a space. The split can
// show (a list continues as a second list) until the finished text is rendered.
const maxSegment = 16 << 10

// A splitter reads complete lines and says where a text can be split so that its parts render as the whole does. If it
// is not sure it does not split, and the Markdown parser gets the longer stretch. Each answer depends only on the lines
// so far, so Open does not depend on the pieces in which a text arrived.
type splitter struct {
	fence fence // the top-level fence that is open
	item  int   // column where the content of the last list item begins; 0 outside lists
	size  int   // bytes of the stretch
	blank bool  // the last line was blank
	text  bool  // the stretch has a line that is not blank
}

// A fence is the opening line of a code block.
type fence struct {
	mark   byte // '`' or '~'; 0 for none
	count  int
	indent int
	info   string
}

// read reads the next line and reports whether the stretch ends before or after it.
func (s *splitter) read(line string) (before, after bool) {
	s.size += len(line)
	line = strings.TrimRight(line, "\r\n")
	if s.fence.mark != 0 {
		return false, s.fence.closedBy(line)
	}
	column, rest := indentation(line)
	if rest == "" {
		s.blank = true
		return false, s.size > maxSegment
	}
	opened := fence{}
	if column < 4 && (s.item == 0 || column < s.item) {
		opened = fenceIn(line)
	}
	marker := marker(rest)
	before = s.text && (opened.mark != 0 || s.blank && column < 4 && (s.item == 0 || marker == 0 && column < s.item))
	if before {
		*s = splitter{size: len(line)}
	}
	if marker > 0 && (s.item == 0 || column < s.item) {
		s.item = column + marker
	}
	s.fence, s.blank, s.text = opened, false, true
	return before, opened.mark == 0 && s.size > maxSegment
}

// indentation returns the column of the first character that is not a space, and the line from there.
func indentation(line string) (column int, rest string) {
	for i := range len(line) {
		switch line[i] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column, line[i:]
		}
	}
	return column, ""
}

// marker returns the width of a list marker with the space after it, or 0 without one.
func marker(rest string) int {
	n := 0
	for n < len(rest) && n < 9 && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	switch {
	case n == len(rest):
		return 0
	case n == 0 && strings.IndexByte("-*+", rest[0]) < 0:
		return 0
	case n > 0 && rest[n] != '.' && rest[n] != ')':
		return 0
	}
	n++
	spaces, content := indentation(rest[n:])
	switch {
	case content == "":
		return n + 1
	case spaces == 0:
		return 0
	case spaces > 4:
		return n + 1
	}
	return n + spaces
}

// fenceIn reads the opening line of a fence.
func fenceIn(line string) fence {
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	if indent > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return fence{}
	}
	info := strings.TrimLeft(rest, rest[:1])
	count := len(rest) - len(info)
	if count < 3 || rest[0] == '`' && strings.Contains(info, "`") {
		return fence{}
	}
	return fence{mark: rest[0], count: count, indent: indent, info: strings.TrimSpace(info)}
}

func (f fence) closedBy(line string) bool {
	column, rest := indentation(line)
	tail := strings.TrimLeft(rest, string(f.mark))
	return column < 4 && len(rest)-len(tail) >= f.count && strings.TrimSpace(tail) == ""
}

// closing reports whether an unfinished line may become the closing line.
func (f fence) closing(line string) bool {
	column, rest := indentation(line)
	return column < 4 && strings.TrimSpace(strings.TrimLeft(rest, string(f.mark))) == ""
}
