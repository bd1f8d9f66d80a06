package agents

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
)

// directed reads a director's reply as forgivingly as it can: an id or a name,
// in any case and script, with signs, Markdown, JSON or a role around it. It
// returns the id of one of open, USER or END where those are offered, or "".
// Where the reply names several, the first counts.
func directed(reply string, open []classroom.Agent, ending bool) string {
	var object map[string]any
	if at := strings.IndexByte(reply, '{'); at >= 0 && json.NewDecoder(strings.NewReader(reply[at:])).Decode(&object) == nil {
		for _, key := range []string{"next_agent", "next", "agent", "id", "speaker"} {
			if s, ok := object[key].(string); ok {
				reply = s
				break
			}
		}
	}
	if bare := said(strings.Trim(reply, "*_`#>[]()\n ")); ending && (strings.EqualFold(bare, sayUser) || strings.EqualFold(bare, sayEnd)) {
		return strings.ToUpper(bare)
	}
	// In a sentence a small "will" is no name, and an id only where no name stands;
	// by themselves both may be in any case.
	text, fold := reply, func(word string) string { return word }
	alone := len(strings.Fields(reply)) <= 4
	if alone {
		text, fold = strings.ToLower(reply), strings.ToLower
	}
	best, at, length := "", len(text)+1, 0
	try := func(who, word string) {
		i := indexWord(text, fold(word))
		if i >= 0 && (i < at || i == at && len(word) > length) {
			best, at, length = who, i, len(word)
		}
	}
	for _, a := range open {
		if alone {
			try(a.ID, a.ID)
		}
		try(a.ID, a.Name)
		for _, part := range strings.Fields(a.Name) {
			if ofOne(part, open) {
				try(a.ID, part)
			}
		}
	}
	if ending {
		// In running text "end" and "user" are words like others.
		for _, word := range []string{sayUser, sayEnd} {
			if indexWord(reply, word) >= 0 {
				try(word, word)
			}
		}
	}
	for i := 0; i < len(open) && best == ""; i++ {
		try(open[i].ID, open[i].ID)
	}
	return best
}

// ofOne reports whether a part of a name is that of one agent only, and no title.
func ofOne(part string, open []classroom.Agent) bool {
	if strings.HasSuffix(part, ".") || utf8.RuneCountInString(part) < 2 && part[0] < utf8.RuneSelf {
		return false
	}
	switch strings.ToLower(part) {
	case "ms", "mr", "mrs", "dr", "the", "prof", "miss", "sir":
		return false
	}
	n := 0
	for _, a := range open {
		for _, p := range strings.Fields(a.Name) {
			if strings.EqualFold(p, part) {
				n++
			}
		}
	}
	return n == 1
}

// indexWord is where word stands in text by itself, or -1. Next to a letter of a
// script without spaces it counts too.
func indexWord(text, word string) int {
	if word == "" {
		return -1
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(word):])
		if !joins(before) && !joins(after) {
			return i
		}
		from = i + len(word)
	}
}

// joins reports whether a letter beside a word makes it another word.
func joins(r rune) bool {
	return r < 0x2E80 && (r == '-' || r == '_' || r >= '0' && r <= '9' || isLetter(r))
}
