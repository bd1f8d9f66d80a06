package templates

import (
	"net/http"
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

// modeChosen is the mode that the form for a new session shows as chosen.
func modeChosen(v ClassPageView) string {
	if v.Mode != "" {
		return v.Mode
	}
	return v.Class.Mode
}

func homeWords(h Home) string {
	for _, c := range h.Nav.Classes {
		if c.Class.ID == h.ClassID && len(c.Class.Roster) > 0 {
			return rosterWords(c.Class.Roster) + " All from the class's own materials."
		}
	}
	return "The class answers one after another, from its own materials."
}

func problemTitle(p Problem) string {
	status := p.Status
	switch {
	case p.Title != "":
		return p.Title
	case status == http.StatusNotFound:
		return "There is nothing here"
	case status == http.StatusUnauthorized:
		return "Please sign in"
	case status == http.StatusForbidden:
		return "This is not yours to see"
	case status == http.StatusConflict:
		return "Something changed meanwhile"
	case status >= http.StatusInternalServerError:
		return "Something went wrong here"
	}
	return "That did not work"
}
