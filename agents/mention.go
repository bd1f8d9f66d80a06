package agents

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/classroom"
)

// calledUpon returns the agent that a steer names and that has not opened a window since.
func calledUpon(roster []classroom.Agent, card *classroom.Card) (classroom.Agent, bool) {
	var due []classroom.Agent
	for _, w := range card.Windows {
		kept := due[:0]
		for _, a := range due {
			if a.ID != w.Agent.ID {
				kept = append(kept, a)
			}
		}
		due = kept
		for _, x := range w.Entries {
			if x.Steer == nil {
				continue
			}
			for _, a := range mentioned(x.Steer.Text, roster) {
				if a.ID != w.Agent.ID {
					due = append(due, a)
				}
			}
		}
	}
	if len(due) == 0 {
		return classroom.Agent{}, false
	}
	return due[0], true
}

// mentioned returns the agents that text names with @, in the order of their
// mentions: by id, by whole name, or by the first word of the name, in any case.
func mentioned(text string, roster []classroom.Agent) []classroom.Agent {
	var out []classroom.Agent
	lower := strings.ToLower(text)
	for at := strings.IndexByte(lower, '@'); at >= 0; {
		rest := lower[at+1:]
		if a, ok := namedBy(rest, roster); ok && len(mentionedIn(out, a.ID)) == 0 {
			out = append(out, a)
		}
		next := strings.IndexByte(rest, '@')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return out
}

func mentionedIn(list []classroom.Agent, id string) []classroom.Agent {
	for i, a := range list {
		if a.ID == id {
			return list[i : i+1]
		}
	}
	return nil
}

// namedBy returns the agent whose name or id, the longest first, text begins with.
func namedBy(text string, roster []classroom.Agent) (classroom.Agent, bool) {
	best, length := classroom.Agent{}, 0
	for _, a := range roster {
		name := strings.ToLower(a.Name)
		forms := []string{strings.ToLower(a.ID), name}
		for _, word := range strings.Fields(name) {
			if !strings.HasSuffix(word, ".") {
				forms = append(forms, word)
			}
		}
		for _, form := range forms {
			if len(form) > length && startsWithWord(text, form) {
				best, length = a, len(form)
			}
		}
	}
	return best, length > 0
}

func startsWithWord(text, word string) bool {
	if word == "" || !strings.HasPrefix(text, word) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[len(word):])
	return len(text) == len(word) || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func isLetter(r rune) bool { return r != utf8.RuneError && unicode.IsLetter(r) }
