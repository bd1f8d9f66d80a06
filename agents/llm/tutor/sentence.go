package tutor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// neverLast are abbreviations that no sentence ends with; beforeNumber are
// words too, and abbreviations only before a number.
var (
	neverLast = setOf(`dr mr mrs ms prof st mt fig figs eq eqs vol pp cf vs ca approx e.g i.e eg ie z.b d.h bzw
		gen col rev hon capt lt sgt viz incl nr eds jan feb apr jun jul aug sept oct nov dec`)
	beforeNumber = setOf(`no nos p ch sec art mar sep ed c max min`)
)

const (
	enders  = ".!?…。！？"
	closers = `"'”’»)]*_` // may stand between the full stop and the space
	openers = "\"'“‘«([*_$`¿¡"
)

// sentencesOf splits a paragraph into sentences: not after abbreviations and
// initials, not in decimals, not inside code, formulas and links.
func sentencesOf(text string) []string {
	text = strings.Join(strings.Fields(text), " ")
	var out []string
	spans, from := spansOf(text), 0
	for i := 0; i < len(text); {
		if len(spans) > 0 && i >= spans[0].from {
			i, spans = max(i, spans[0].to), spans[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if !strings.ContainsRune(enders, r) {
			continue
		}
		if end, ok := sentenceEnd(text, from, i, r); ok {
			out = append(out, strings.TrimSpace(text[from:end]))
			from, i = end, end
		}
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// sentenceEnd says whether the sentence that began at from ends with the ender
// r before i, and where.
func sentenceEnd(text string, from, i int, r rune) (int, bool) {
	if strings.ContainsRune("。！？", r) {
		return i, true
	}
	end := i
	for end < len(text) && strings.ContainsAny(text[end:end+runeLen(text, end)], closers+".!?…") {
		end += runeLen(text, end)
	}
	if end == len(text) {
		return end, true
	}
	if text[end] != ' ' || !begins(text[end+1:]) {
		return 0, false
	}
	return end, r != '.' || !abbreviated(text[from:i-1], text[end+1:])
}

func runeLen(s string, i int) int {
	_, n := utf8.DecodeRuneInString(s[i:])
	return n
}

// begins reports whether rest looks like the beginning of a sentence.
func begins(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, openers))
	return !unicode.IsLower(r)
}

// abbreviated reports whether the full stop between before and rest belongs to
// an abbreviation or an initial.
func abbreviated(before, rest string) bool {
	cut := strings.LastIndexByte(before, ' ') + 1
	last := strings.TrimLeft(before[cut:], openers+"-–—")
	fold := strings.ToLower(last)
	switch {
	case beforeNumber[fold]: // "No. The answer …" is a sentence of one word
		next, _ := utf8.DecodeRuneInString(rest)
		return unicode.IsDigit(next)
	case neverLast[fold]:
		return true
	}
	r, size := utf8.DecodeRuneInString(last)
	return size == len(last) && unicode.IsUpper(r) && r != 'I' && inName(strings.TrimSpace(before[:cut]), rest)
}

// inName reports whether an initial between before and rest belongs to a name:
// "J. S. Bach" and "Johann S. Bach", but not "vitamin C. It …".
func inName(before, rest string) bool {
	if before != "" && !strings.HasSuffix(before, ".") {
		r, _ := utf8.DecodeRuneInString(before[strings.LastIndexByte(before, ' ')+1:])
		if !unicode.IsUpper(r) {
			return false
		}
	}
	w, _, _ := strings.Cut(rest, " ")
	if len(w) == 2 && w[1] == '.' {
		return true
	}
	words := wordsOf(w)
	return len(words) == 1 && !stopWords[words[0].fold]
}
