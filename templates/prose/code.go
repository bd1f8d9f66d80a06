package prose

import "strings"

const codeFoot = "</code></pre>"

func codeHead(language string) string {
	if language = languageName(language); language == "" {
		return `<pre class="chroma" tabindex="0"><code>`
	}
	return `<pre class="chroma" tabindex="0"><code class="language-` + language + `">`
}

// languageName returns the name of a language as it can stand in a class, or "".
func languageName(info string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(info), " ")
	name = strings.ToLower(name)
	if len(name) > 24 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789+#-_.") != "" {
		return ""
	}
	return name
}

// growingCode is a fence that is still open. Each line is escaped once.
type growingCode struct {
	head    string
	indent  int
	lines   []byte // escaped, each but the first preceded by a line end
	hasLine bool
}

func openCode(f fence) growingCode {
	return growingCode{head: codeHead(tidy(f.info)), indent: f.indent}
}

func (c *growingCode) line(line string) {
	c.lines = append(c.lines, c.formatLine(strings.TrimSuffix(line, "\n"))...)
	c.hasLine = true
}

// formatLine returns a line as it is appended, without the indentation of the fence.
func (c *growingCode) formatLine(line string) string {
	for range c.indent {
		line = strings.TrimPrefix(line, " ")
	}
	if c.hasLine {
		return "\n" + escape(line)
	}
	return escape(line)
}

func (c *growingCode) html(last string) string {
	if last != "" {
		last = c.formatLine(last)
	}
	return c.head + string(c.lines) + last + codeFoot
}
