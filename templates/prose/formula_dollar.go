package prose

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// dollar reads $…$ where it can only be a formula: on one line, no space inside the marks, no digit or letter outside
// them, and nothing that reads like two prices.
func dollar(line []byte, block text.Reader) ast.Node {
	before := block.PrecendingCharacter()
	if before < 128 && (util.IsAlphaNumeric(byte(before)) || before == '$') {
		return nil
	}
	at, _ := formulaEnd(line[1:], "$", "$")
	if at <= 0 {
		return nil
	}
	tex, after := line[1:1+at], line[at+2:]
	if util.IsSpace(tex[0]) || util.IsSpace(tex[at-1]) || bytes.IndexByte(tex, '`') >= 0 || looksLikePrices(tex) {
		return nil
	}
	if len(after) > 0 && (util.IsAlphaNumeric(after[0]) || after[0] == '$') {
		return nil
	}
	block.Advance(at + 2)
	return &formula{tex: tex}
}

// looksLikePrices reports whether a formula is an amount followed by words: "5, or 10" as in "$5, or 10$ more".
func looksLikePrices(tex []byte) bool {
	if tex[0] < '0' || tex[0] > '9' || bytes.ContainsAny(tex, `\^_=`) {
		return false
	}
	letters := 0
	for _, c := range tex {
		if letters++; c|0x20 < 'a' || c|0x20 > 'z' {
			letters = 0
		}
		if letters > 1 {
			return true
		}
	}
	return false
}
