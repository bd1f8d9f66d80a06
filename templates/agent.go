package templates

import (
	"context"
	"hash/fnv"
	"slices"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
)

// agentName is the name of an agent, or else its role.
func agentName(ctx context.Context, a classroom.Agent) string {
	if strings.TrimSpace(a.Name) == "" {
		return roleLabel(ctx, a.Role)
	}
	return a.Name
}

func roleLabel(ctx context.Context, r classroom.Role) string {
	switch r {
	case classroom.Teacher, classroom.Assistant, classroom.Student:
		return t(ctx, "agent.role_"+string(r))
	}
	return t(ctx, "agent.role_guest")
}

// initials are the first letters of up to two words of a name.
func initials(name string) string {
	out := ""
	for _, word := range strings.Fields(name) {
		r, _ := utf8.DecodeRuneInString(word)
		if r == utf8.RuneError {
			continue
		}
		out += strings.ToUpper(string(r))
		if utf8.RuneCountInString(out) == 2 {
			break
		}
	}
	if out == "" {
		return "?"
	}
	return out
}

// rosterSummary says what each agent does after a question. Of several classmates
// only one speaks.
func rosterSummary(ctx context.Context, roster []classroom.Agent) string {
	var parts, students []string
	for _, a := range roster {
		name := shorten(agentName(ctx, a), 40)
		switch a.Role {
		case classroom.Teacher:
			parts = append(parts, t(ctx, "agent.does_teacher", "Name", name))
		case classroom.Assistant:
			parts = append(parts, t(ctx, "agent.does_assistant", "Name", name))
		default:
			students = append(students, name)
		}
	}
	switch n := len(students); {
	case n == 1:
		parts = append(parts, t(ctx, "agent.does_student", "Name", students[0]))
	case n > 1:
		parts = append(parts, t(ctx, "agent.does_students"))
	}
	return t(ctx, "agent.roster_does", "List", joinAnd(ctx, parts))
}

func roleClass(r classroom.Role) string {
	switch r {
	case classroom.Teacher:
		return "role-teacher"
	case classroom.Assistant:
		return "role-assistant"
	}
	return "role-student"
}

func colorClass(a classroom.Agent) string { return "c-" + color(a) }

// Colors are the keys of the agents' palette; each is a class "c-KEY" of the style sheet.
func Colors() []string {
	return []string{"teal", "rust", "blue", "plum", "moss", "rose", "amber", "slate"}
}

// color is the palette key of an agent: its own, or one derived from role and id.
func color(a classroom.Agent) string {
	if slices.Contains(Colors(), a.Color) {
		return a.Color
	}
	switch a.Role {
	case classroom.Teacher:
		return "teal"
	case classroom.Assistant:
		return "rust"
	}
	return pick(a.ID, Colors()[2:])
}

// Avatars are the keys of the avatar shapes.
func Avatars() []string {
	return []string{"hexagon", "diamond", "circle", "leaf", "arch", "shield", "octagon", "square"}
}

// shapes are SVG paths in a square of 40 by 40.
var shapes = map[string]string{
	"circle": "M20 2.5a17.5 17.5 0 1 1 0 35a17.5 17.5 0 0 1 0-35z",
	"square": "M9.5 4h21A5.5 5.5 0 0 1 36 9.5v21a5.5 5.5 0 0 1-5.5 5.5h-21" +
		"A5.5 5.5 0 0 1 4 30.5v-21A5.5 5.5 0 0 1 9.5 4z",
	"diamond": "M20 2.5 37.5 20 20 37.5 2.5 20z",
	"hexagon": "M20 2.5 35.5 11.2v17.6L20 37.5 4.5 28.8V11.2z",
	"shield":  "M20 3 35 7.5V20c0 8.5-6.5 14.5-15 17.5C11.5 34.500 5 28.500 5 20V7.500z",
	"octagon": "M13 3h14l10 10v14L27 37H13L3 27V13z",
	"leaf":    "M4 4h17a15 15 0 0 1 15 15v17H19A15 15 0 0 1 4 21z",
	"arch":    "M4.500 36.500V19a15.500 15.500 0 0 1 31 0v17.500z",
}

// shape is the avatar key of an agent: its own, or one derived from role and id.
func shape(a classroom.Agent) string {
	if slices.Contains(Avatars(), a.Avatar) {
		return a.Avatar
	}
	switch a.Role {
	case classroom.Teacher:
		return "hexagon"
	case classroom.Assistant:
		return "diamond"
	}
	return pick(a.ID, Avatars()[2:])
}

func pick(id string, keys []string) string {
	h := fnv.New32a()
	h.Write([]byte(id))
	return keys[h.Sum32()%uint32(len(keys))]
}
