package openai

// code follows Markdown, byte by byte, to know what is inside code: inline, up
// to the end of the line, or in a fence. Backticks count only.
type codeState struct {
	ticks            int  // backticks that have come in a row
	ticksAtLineStart bool // the run began its line
	open             int  // how many backticks opened the code, 0 outside
	fence            bool
	onFenceLine      bool // still in the line that opened the fence
	lineHasText      bool // something other than space stands in this line
}

// pass takes the next byte.
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
			c.open = 0 // a backtick alone; the text goes on
		}
	case ' ', '\t':
	default:
		c.lineHasText = true
	}
}

// settle says what the backticks were that have come in a row.
func (c *codeState) endTicks() {
	n := c.ticks
	c.ticks = 0
	switch {
	case n == 0:
	case c.open == 0:
		c.open, c.fence = n, n >= 3 && c.ticksAtLineStart
		c.onFenceLine = c.fence
	case c.fence && c.onFenceLine: // no fence has backticks in its line
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
