package openai

// A codeState tracks, byte by byte, whether Markdown text is inside code: inline
// code up to the end of the line, or a fenced block. Only backticks open code.
type codeState struct {
	ticks            int  // backticks in a row
	ticksAtLineStart bool // the row is the first text of its line
	open             int  // how many backticks opened the code, 0 outside code
	fence            bool
	onFenceLine      bool // in the line that opened the fence
	lineHasText      bool // this line has more than white space
}

// add processes the next byte.
func (c *codeState) add(b byte) {
	if b == '`' {
		if c.ticks == 0 {
			c.ticksAtLineStart = !c.lineHasText
		}
		c.ticks, c.lineHasText = c.ticks+1, true
		return
	}
	c.endTicks()
	switch b {
	case '\n', '\r':
		c.lineHasText, c.onFenceLine = false, false
		if !c.fence {
			c.open = 0 // inline code does not continue on the next line
		}
	case ' ', '\t':
	default:
		c.lineHasText = true
	}
}

// endTicks interprets the backticks in a row: they open code, close it, or neither.
func (c *codeState) endTicks() {
	n := c.ticks
	c.ticks = 0
	switch {
	case n == 0:
	case c.open == 0:
		c.open, c.fence = n, n >= 3 && c.ticksAtLineStart
		c.onFenceLine = c.fence
	case c.fence && c.onFenceLine: // a line with more backticks opens no fence
		c.fence = false
		if n == c.open {
			c.open = 0
		}
	case c.fence:
		if c.ticksAtLineStart && n >= c.open {
			c.open, c.fence = 0, false
		}
	case n == c.open:
		c.open = 0
	}
}
