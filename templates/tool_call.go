package templates

import (
	"encoding/json"
	"strings"

	"colloquy/classroom"
)

const (
	maxPassages = 6    // of a search, shown
	maxPassage  = 1200 // bytes of one passage, shown
	maxRaw      = 4000 // bytes of arguments or of a result, shown
	searchTool  = "search_materials"
	slow        = 100 // ms: what a step took is shown from here on
)

// toolName shows the name of a tool as words.
func toolName(tool string) string { return short(strings.ReplaceAll(tool, "_", " "), 60) }

// A search is a call of the search tool, as the card shows it.
type search struct {
	Query    string              `json:"query"`
	Passages []classroom.Passage `json:"passages"`
}

// searchOf reads the details of a finished search, or the arguments of one at
// work; nil for other calls, and for a search that failed.
func searchOf(c *classroom.Call) *search {
	if c.Name != searchTool || c.IsError {
		return nil
	}
	raw := c.Details
	if !c.Done || len(raw) == 0 {
		raw = c.Args
	}
	s := new(search)
	if json.Unmarshal(raw, s) != nil {
		return nil
	}
	return s
}

func callWords(c *classroom.Call, s *search) string {
	switch {
	case s != nil && !c.Done:
		return "Searching the materials for “" + short(s.Query, maxSummaries) + "”"
	case s != nil && len(s.Passages) == 0:
		return "Searched the materials for “" + short(s.Query, maxSummaries) + "”: nothing found"
	case s != nil:
		return "Searched the materials for “" + short(s.Query, maxSummaries) + "”: " + plural(len(s.Passages), "passage", "passages")
	case !c.Done:
		return "Using " + toolName(c.Name)
	case c.IsError:
		return "Using " + toolName(c.Name) + " did not work"
	}
	return "Used " + toolName(c.Name)
}

func resultLabel(c *classroom.Call) string {
	if c.IsError {
		return "What went wrong"
	}
	return "Result"
}

// readable indents JSON for a person; what is no JSON stays as it is.
func readable(raw json.RawMessage) string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return string(raw)
	}
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return string(raw)
	}
	return string(out)
}

// clipped cuts raw text to what a page shows of it.
func clipped(s string) string {
	s, cut := clip(s, maxRaw)
	if cut {
		s += "…"
	}
	return s
}

// sectionOf is where a passage stands in its material, whose own title goes without saying.
func sectionOf(p classroom.Passage) string {
	section := strings.TrimPrefix(p.Section, p.Material)
	return strings.TrimPrefix(section, " › ")
}

func passageText(s string) string {
	s, cut := clip(strings.TrimSpace(s), maxPassage)
	if cut {
		s += "…"
	}
	return s
}
