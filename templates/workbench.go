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
func emptyWords(roster []classroom.Agent) string {
	if len(roster) == 0 {
		return "Ask a question below, and the answer appears here."
	}
	names := make([]string, 0, len(roster))
	for _, a := range roster {
		names = append(names, short(called(a), 40))
	}
	return "Ask a question below. " + listed(names) + " will answer one after another. You may interject at any time."
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
