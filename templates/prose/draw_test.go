package prose

import (
	"strings"

	"pgregory.net/rapid"
)

// pieces are what drawn texts are made of: marks that open, close and interrupt each other, and a few words.
var pieces = []string{
	"a", "word ", "two words", "1", "42 ", "é", "课🌍", " ", "  ", "    ", "\t", "\n", "\n", "\n", "\n\n", "\n\n", "\r\n",
	"\r",
	"# ", "## x", "#", "- ", "* ", "+ ", "-", "1. ", "2) ", "10. ", "> ", ">", "---", "===", "***", "~~", "~~~", "```",
	"```go\n",
	"`", "``", "*", "**", "_", "__", "|", "| a | b |\n", "|-|-|\n", "| - | :-: |\n", "\\", "\\|", "$", "$$", "\\(",
	"\\)", "\\[", "\\]",
	"x_1", "\\frac{1}{2}", "a+b", "[", "]", "](", ")", "[x](https://a.org)", "[r]", "[^1]", "![i](https://e.org/i.png)",
	"<", ">", "&", "&amp;", "&lt", "<b>", "</p>", "<script>", "https://go.dev", "www.a.org", "a@b.org",
	"<https://x.org>", "[ ] ", "[x] ",
	"javascript:", "\"", "'", "func main() {", "}", "\x00", "\xff", "\xe8\xaf", "\u2028", "!", ":", ".",
}

func drawText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
}

// lessons are texts as models write them.
var lessons = map[string]string{
	"plain": "# Light\n\nPlants **use** light.\nThey *grow*.\n\n## Why?\n\nBecause ~~magic~~ chemistry: see " +
		"[this](https://example.org/a?b=c&d=e).\n",
	"list": "Steps:\n\n1. Take water\n2. Add `salt`\n\n   and stir:\n\n   ```sh\n   stir --fast\n\n   done\n   " +
		"```\n3. Wait\n\n- one\n  - two\n    - three\n- [ ] open\n- [x] done\n\nEnd.\n",
	"code": "Here:\n```go\npackage main\n\n// é 课\nfunc main() {\n\tprintln(\"<hi> & bye\")\n}\n```\nAnd a " +
		"table:\n\n| a | b |\n|:--|--:|\n| 1 | `x\\|y` |\n| $|$ | z |\n\nEnd & out.\n",
	"math": "We know \\(a_1 + b_2\\) and $x^2$.\n\n\\[ \\frac{1}{2} \\]\n\n$$\nx\n+ y\n= z\n$$\n\nIt costs $5 and " +
		"$6, or US$7.\n\n> \\[\n> \\sqrt{2}\n> \\]\n> quoted\n",
	"rough": "foo\n#bar\n#\nfoo\n===\n---\n* * *\n> a\nb\n> c\n\n    code\n\n    " +
		"more\n\n~~~\n```\n~~~\n<div>\n\n*x*</div>\n\n\\(never closed *a* \\{",
	"loose": "- a\n\n- b\n\n  c\n- d\n\n1. e\n\n2. f\n\n       code\n\ng\n\n- h\n```\n- i\n\n- j\n```\n\n* k\n  > " +
		"l\n\n  > m\n",
	"stray": "so \\(a *b*\n- x\n\ny \\[z *z*\n\n> \\(q *r*\n\ns\n",
	"image": "![secret](https://evil.example/?q=1) [![in](https://a.org/i.png)](https://b.org) <https://c.org> " +
		"www.d.org e@f.org\n",
}
