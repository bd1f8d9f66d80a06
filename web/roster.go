package web

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
)

// What an agent may have. Its colour and its shape are keys of the page's.
const (
	maxAgents    = 12
	maxAgentName = 60
	maxLook      = 32
	maxTools     = 32
	maxToolName  = 64
)

// rosterOf checks a roster and gives an id to each agent that has none. Ids
// differ by more than their case, since people and models name agents in any.
func rosterOf(in []classroom.Agent) ([]classroom.Agent, error) {
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
	case a.Name == "" || !role || !classroom.ValidID(a.ID) || reserved(a.ID) || reserved(a.Name):
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

// validLook reports whether text is a key of a colour or of a shape.
func validLook(text string) bool {
	other := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }
	return len(text) <= maxLook && !strings.ContainsFunc(text, other)
}

// reserved reports whether an id or a name is a word of the director's, who
// answers with an agent's or with one of these.
func reserved(word string) bool {
	return strings.EqualFold(word, "end") || strings.EqualFold(word, "user")
}

// idOf makes an id of a name: its plain letters and digits, numbered where taken.
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
	for n := 2; taken[id] || reserved(id); n++ {
		id = fmt.Sprintf("%s-%d", plain, n)
	}
	return id
}
