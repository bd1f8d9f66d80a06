package openai

// code follows Markdown, byte by byte, to know what is inside code: inline, up
// to the end of the line, or in a fence. Backticks count only.
type code struct {
	run   int  // backticks that have come in a row
	line  bool // the run began its line
	open  int  // how many backticks opened the code, 0 outside
	fence bool
	info  bool // still in the line that opened the fence
	inked bool // something other than space stands in this line
}

// pass takes the next byte.
func (c *code) pass(b byte) {
	if b == '`' {
		if c.run == 0 {
			c.line = !c.inked
		}
		c.run, c.inked = c.run+1, true
		return
	}
	c.settle()
	switch b {
	case '\n', '\r':
		c.inked, c.info = false, false
		if !c.fence {
			c.open = 0 // a backtick alone; the text goes on
		}
	case ' ', '\t':
	default:
		c.inked = true
	}
}

// settle says what the backticks were that have come in a row.
func (c *code) settle() {
	n := c.run
	c.run = 0
	switch {
	case n == 0:
	case c.open == 0:
		c.open, c.fence = n, n >= 3 && c.line
		c.info = c.fence
	case c.fence && c.info: // no fence has backticks in its line
		c.fence = false
		if n == c.open {
			c.open = 0
		}
	case c.fence:
		if c.line && n >= c.open {
			c.open, c.fence = 0, false
		}
	case n == c.open:
		c.open = 0
	}
}
