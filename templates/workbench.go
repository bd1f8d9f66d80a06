package templates

import (
	"strings"

	"colloquy/classroom"
)

// query is what stands between an address and a further parameter.
func query(address string) string {
	if strings.Contains(address, "?") {
		return "&"
	}
	return "?"
}

// emptyWords say what will happen when the first question is asked.
func emptyWords(mode string, roster []classroom.Agent) string {
	switch mode {
	case classroom.ModeDiscussion:
		return "Give the class a question or a claim to discuss. Everybody speaks once a round, and you may interject at any time."
	case classroom.ModeDebate:
		return "State a motion below. Two of the class speak for and against it, a moderator opens and sums up. Name two with @ to choose the sides."
	case classroom.ModeLecture:
		return "Name a topic below. The teacher speaks through it part by part, and stops for your questions."
	}
	if len(roster) == 0 {
		return "Ask a question below, and the answer appears here."
	}
	return "Ask a question below. " + rosterWords(roster) + " You may interject at any time."
}

// rosterWords say who does what about a question: of several classmates one speaks.
func rosterWords(roster []classroom.Agent) string {
	var parts, students []string
	for _, a := range roster {
		name := short(called(a), 40)
		switch a.Role {
		case classroom.Teacher:
			parts = append(parts, name+" answers")
		case classroom.Assistant:
			parts = append(parts, name+" adds what to remember")
		default:
			students = append(students, name)
		}
	}
	switch n := len(students); {
	case n == 1:
		parts = append(parts, students[0]+" asks on")
	case n > 3:
		parts = append(parts, "one of "+strings.Join(students[:2], ", ")+", … asks on")
	case n > 1:
		parts = append(parts, "one of "+listed(students)+" asks on")
	}
	return listed(parts) + "."
}

func listed(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
