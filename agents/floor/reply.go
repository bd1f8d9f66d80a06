package floor

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/classroom"
)

// What a director may reply instead of an agent's id.
const (
	ReplyUser = "USER" // ask the person
	ReplyEnd  = "END"  // end the discussion
)

// ReadReply reads a director's reply: an id or a name of a candidate, in any
// case and script, with punctuation, Markdown, JSON or a role around it. It
// returns the candidate's id, ReplyUser or ReplyEnd where mayEnd offers them, or
// "" where it finds none of these. Where the reply names several, the first
// counts.
func ReadReply(reply string, candidates []classroom.Agent, mayEnd bool) string {
	reply = fieldOfJSON(reply)
	word := strings.ToUpper(normalise(strings.Trim(reply, "*_`#>[]()\n ")))
	if mayEnd && (word == ReplyUser || word == ReplyEnd) {
		return word
	}
	s := newWordSearch(reply)
	for _, a := range candidates {
		if s.short {
			s.try(a.ID, a.ID)
		}
		s.try(a.ID, a.Name)
		for _, word := range strings.Fields(a.Name) {
			if identifiesOne(word, candidates) {
				s.try(a.ID, word)
			}
		}
	}
	if mayEnd {
		for _, word := range []string{ReplyUser, ReplyEnd} {
			if indexWord(reply, word) >= 0 { // only in capitals: in a sentence "end" is a word like others
				s.try(word, word)
			}
		}
	}
	for i := 0; i < len(candidates) && s.found == ""; i++ {
		s.try(candidates[i].ID, candidates[i].ID)
	}
	return s.found
}

// fieldOfJSON returns the field of a JSON object in the reply that names the
// next speaker, or the reply itself.
func fieldOfJSON(reply string) string {
	at := strings.IndexByte(reply, '{')
	if at < 0 {
		return reply
	}
	var object map[string]any
	if json.NewDecoder(strings.NewReader(reply[at:])).Decode(&object) != nil {
		return reply
	}
	for _, key := range []string{"next_agent", "next", "agent", "id", "speaker"} {
		if s, ok := object[key].(string); ok {
			return s
		}
	}
	return reply
}

// A wordSearch finds the first of several words in a reply; of two that begin at
// the same place, the longer one.
//
// In a sentence the case counts, since a small "will" is no name, and ids are
// looked for only where no name stands. A reply of a few words may be in any case.
type wordSearch struct {
	text       string
	short      bool
	found      string
	at, length int
}

func newWordSearch(reply string) *wordSearch {
	s := &wordSearch{text: reply, short: len(strings.Fields(reply)) <= 4}
	if s.short {
		s.text = strings.ToLower(reply)
	}
	s.at = len(s.text) + 1
	return s
}

// try records id if word occurs earlier in the text than the best match.
func (s *wordSearch) try(id, word string) {
	if s.short {
		word = strings.ToLower(word)
	}
	i := indexWord(s.text, word)
	if i >= 0 && (i < s.at || i == s.at && len(word) > s.length) {
		s.found, s.at, s.length = id, i, len(word)
	}
}

// identifiesOne reports whether a word of a name belongs to one candidate only
// and is no title.
func identifiesOne(word string, candidates []classroom.Agent) bool {
	if strings.HasSuffix(word, ".") || utf8.RuneCountInString(word) < 2 && word[0] < utf8.RuneSelf {
		return false
	}
	switch strings.ToLower(word) {
	case "ms", "mr", "mrs", "dr", "the", "prof", "miss", "sir":
		return false
	}
	n := 0
	for _, a := range candidates {
		for _, w := range strings.Fields(a.Name) {
			if strings.EqualFold(w, word) {
				n++
			}
		}
	}
	return n == 1
}

// indexWord returns where word stands in text as a word of its own, or -1.
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
		if !continuesWord(before) && !continuesWord(after) {
			return i
		}
		from = i + len(word)
	}
}

// firstScriptWithoutSpaces is the first code point of scripts without spaces between
// words (Chinese, Japanese): there any neighbour may be another word.
const firstScriptWithoutSpaces = 0x2E80

// continuesWord reports whether r beside a word makes it part of a longer one.
func continuesWord(r rune) bool {
	if r == utf8.RuneError || r >= firstScriptWithoutSpaces {
		return false
	}
	return r == '-' || r == '_' || r >= '0' && r <= '9' || unicode.IsLetter(r)
}
