package floor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/classroom"
)

// Mentioned returns the agents that text names with @, in the order of their
// mentions: by id, by whole name, or by one word of the name, in any case.
func Mentioned(text string, roster []classroom.Agent) []classroom.Agent {
	var out []classroom.Agent
	_, rest, found := strings.Cut(strings.ToLower(text), "@")
	for found {
		if a, ok := namedAtStart(rest, roster); ok {
			out = appendMissing(out, a)
		}
		_, rest, found = strings.Cut(rest, "@")
	}
	return out
}

func (f Floor) namedInQuestion() []classroom.Agent {
	return Mentioned(f.Card().Question.Text, f.Roster)
}

// namedAtStart returns the agent with whose name or id text begins. Where
// several do, the longest name counts.
func namedAtStart(text string, roster []classroom.Agent) (classroom.Agent, bool) {
	best, length := classroom.Agent{}, 0
	for _, a := range roster {
		for _, name := range namesOf(a) {
			if len(name) > length && startsWithWord(text, name) {
				best, length = a, len(name)
			}
		}
	}
	return best, length > 0
}

// namesOf returns an agent's id, its name and the words of its name, in lower
// case. An abbreviated title such as "Dr." is no name.
func namesOf(a classroom.Agent) []string {
	name := strings.ToLower(a.Name)
	names := []string{strings.ToLower(a.ID), name}
	for _, word := range strings.Fields(name) {
		if !strings.HasSuffix(word, ".") {
			names = append(names, word)
		}
	}
	return names
}

func startsWithWord(text, word string) bool {
	if word == "" || !strings.HasPrefix(text, word) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[len(word):])
	return len(text) == len(word) || !unicode.IsLetter(next) && !unicode.IsDigit(next)
}
