package agents

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/classroom"
)

// next says who speaks next in the run's exchange, by the log alone.
func (r *run) next() (classroom.Agent, bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	card := r.s.fold.Card(r.exchange)
	if card == nil {
		return classroom.Agent{}, false
	}
	return nextSpeaker(r.s.speakers(), card)
}

// nextSpeaker is the floor of question and answer: whoever a person named in a
// steer since they last spoke, then whoever the question names, then the
// teacher, an assistant and one classmate, each once. A window that was cut off
// in an earlier attempt does not count as having spoken.
func nextSpeaker(roster []classroom.Agent, card *classroom.Card) (classroom.Agent, bool) {
	if a, ok := calledUpon(roster, card); ok {
		return a, true
	}
	for _, a := range speakingOrder(roster, card) {
		if !spoke(card, a.ID) {
			return a, true
		}
	}
	return classroom.Agent{}, false
}

func spoke(card *classroom.Card, agent string) bool {
	for _, w := range card.Windows {
		if w.Agent.ID != agent {
			continue
		}
		whole := w.StopReason == classroom.StopEnd || w.StopReason == classroom.StopToolUse
		if whole || w.Attempt == card.Attempt {
			return true
		}
	}
	return false
}

func speakingOrder(roster []classroom.Agent, card *classroom.Card) []classroom.Agent {
	named := mentioned(card.Question.Text, roster)
	order := append([]classroom.Agent{}, named...)
	add := func(a classroom.Agent) {
		for _, b := range order {
			if a.ID == b.ID {
				return
			}
		}
		order = append(order, a)
	}
	for _, role := range []classroom.Role{classroom.Teacher, classroom.Assistant} {
		if of := withRole(roster, role); len(of) > 0 {
			add(of[0])
		}
	}
	if mates := withRole(roster, classroom.Student); len(mates) > 0 && len(withRole(named, classroom.Student)) == 0 {
		add(mates[(card.Exchange-1)%len(mates)])
	}
	if len(order) == 0 && len(roster) > 0 {
		order = roster[:1]
	}
	return order
}

// withRole keeps the agents of one role, the highest priority first.
func withRole(roster []classroom.Agent, role classroom.Role) []classroom.Agent {
	var out []classroom.Agent
	for _, a := range roster {
		if a.Role == role {
			out = append(out, a)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Priority > out[j].Priority })
	return out
}

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
