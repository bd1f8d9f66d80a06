package templates

import (
	"slices"

	"colloquy/classroom"
)

const maxRecent = 8

// recentSessions are the sessions of all classes, the last used first.
func recentSessions(n Nav) []classroom.Session {
	var out []classroom.Session
	for _, c := range n.Classes {
		out = append(out, c.Sessions...)
	}
	slices.SortStableFunc(out, func(a, b classroom.Session) int { return int(b.Updated - a.Updated) })
	return out[:min(len(out), maxRecent)]
}

// sessionTitle is a session's title, or what stands for one.
func sessionTitle(title string) string {
	if title = short(title, 200); title != "" {
		return title
	}
	return "New session"
}

func statusWord(s classroom.Status) string {
	switch s {
	case classroom.Running:
		return "answering"
	case classroom.Interrupted:
		return "interrupted"
	}
	return ""
}
