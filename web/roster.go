package web

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
)

// Bounds of a roster. Colour and avatar are keys that the page maps to a look.
const (
	maxAgents    = 12
	maxAgentName = 60
	maxLook      = 32
	maxTools     = 32
	maxToolName  = 64
)

// checkRoster checks a roster and gives an id to each agent that has none. Ids differ
// by more than case, since people and models write them in any case.
func checkRoster(in []classroom.Agent) ([]classroom.Agent, error) {
	if len(in) < 1 || len(in) > maxAgents {
		return nil, classroom.ErrBadRoster
	}
	taken := map[string]bool{} // in lower case
	out := make([]classroom.Agent, 0, len(in))
	for _, a := range in {
		a.Name = plainName(a.Name)
		if a.ID == "" {
			a.ID = idOf(a.Name, taken)
		}
		if err := checkAgent(a); err != nil {
			return nil, err
		}
		key := strings.ToLower(a.ID)
		if taken[key] {
			return nil, classroom.ErrBadRoster
		}
		taken[key] = true
		out = append(out, a)
	}
	return out, nil
}

func checkAgent(a classroom.Agent) error {
	role := a.Role == classroom.Teacher || a.Role == classroom.Assistant || a.Role == classroom.Student
	switch {
	case a.Name == "" || !role || !classroom.ValidID(a.ID) || isReserved(a.ID) || isReserved(a.Name):
		return classroom.ErrBadRoster
	case utf8.RuneCountInString(a.Name) > maxAgentName:
		return classroom.ErrAgentName
	case utf8.RuneCountInString(a.Persona) > maxProse:
		return classroom.ErrAgentPersona
	case !validLook(a.Color) || !validLook(a.Avatar):
		return classroom.ErrAgentLook
	case len(a.Tools) > maxTools:
		return classroom.ErrAgentTools
	}
	for _, name := range a.Tools {
		if utf8.RuneCountInString(name) > maxToolName {
			return classroom.ErrAgentTools
		}
	}
	return nil
}

// validLook reports whether text can be the key of a colour or an avatar.
func validLook(text string) bool {
	other := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }
	return len(text) <= maxLook && !strings.ContainsFunc(text, other)
}

// isReserved reports whether a director uses a word itself: it answers with the id of
// an agent, or with one of these words.
func isReserved(word string) bool {
	return strings.EqualFold(word, "end") || strings.EqualFold(word, "user")
}

// idOf returns an id for a name: its ASCII letters and digits, with a number if that
// id is taken.
func idOf(name string, taken map[string]bool) string {
	plain := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	if plain == "" {
		plain = "agent"
	}
	plain = plain[:min(len(plain), 32)]
	id := plain
	for n := 2; taken[id] || isReserved(id); n++ {
		id = fmt.Sprintf("%s-%d", plain, n)
	}
	return id
}
