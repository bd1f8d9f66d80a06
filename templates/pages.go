package templates

import (
	"fmt"
	"net/http"
	"slices"

	"colloquy/classroom"

	"github.com/a-h/templ"
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

// indexingWords say how far the search index is. The index is one for all classes.
func indexingWords(p classroom.Progress) string {
	return fmt.Sprintf("The materials are being prepared for the search: %d of %d passages are done. "+
		"Until then answers may miss some of them.", p.Done, p.Total)
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

// ownName is what stands in the field for the person's name.
func ownName(s Settings) string {
	if s.Name != nil {
		return *s.Name
	}
	return s.Page.Person.Name
}

// wrong marks a field in which something is not right; what, stands in the element of that id.
func wrong(is bool, told string) templ.Attributes {
	if !is {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": told}
}
