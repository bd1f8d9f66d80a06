package templates

import (
	"encoding/json"
	"fmt"
	"strings"

	"colloquy/classroom"
	"colloquy/templates/prose"
)

const (
	maxPassages  = 6    // of a search, shown
	maxPassage   = 1200 // bytes of one passage, shown
	maxRaw       = 4000 // bytes of arguments or of a result, shown
	searchTool   = "search_materials"
	maxQuestion  = 1500 // bytes of a question shown without a scroll box of its own
	maxSummaries = 160  // bytes of a text in one line
	maxHeading   = 90   // bytes of a long question in its heading
	slow         = 100  // ms: what a step took is shown from here on
)

func entryID(v CardView, w *classroom.Window, e *classroom.Entry) string {
	return EntryID(v.Card.Exchange, w.Index, e.Index)
}

func partID(v CardView, w *classroom.Window, e *classroom.Entry, part int) string {
	return PartID(v.Card.Exchange, w.Index, e.Index, part)
}

// chunks renders a text part, from what the view brings where it brings it.
func chunks(v CardView, w *classroom.Window, e *classroom.Entry, part int) []prose.Chunk {
	if v.Prose != nil {
		return v.Prose(w, e, part)
	}
	text := e.Message.Blocks[part].Text
	if e.Message.Open {
		return prose.Open(text)
	}
	return prose.Render(text)
}

func retryWords(r *classroom.Retry) string {
	out := fmt.Sprintf("The model is asked again (%d of %d)", r.Attempt, r.Max)
	if r.WaitMS > 0 {
		out += " after " + took(r.WaitMS)
	}
	if r.Reason != "" {
		out += ": " + short(r.Reason, maxSummaries)
	}
	return strings.TrimSuffix(out, ".") + "."
}

func noticeWords(c *classroom.Compaction) string {
	out := "The beginning of the conversation was summarised, to fit the model"
	if c.TokensAfter > 0 && c.TokensBefore > c.TokensAfter {
		out += ": about " + grouped(c.TokensBefore) + " tokens became " + grouped(c.TokensAfter)
	}
	return out
}

func thoughtFor(p *classroom.BlockView) string {
	if p.Ended-p.Started < 1000 {
		return "Thought for less than a second"
	}
	return "Thought for " + between(p.Started, p.Ended)
}

func preparing(tool string) string {
	if tool == searchTool {
		return "About to search the materials"
	}
	if tool == "" {
		return "Preparing a step"
	}
	return "Preparing a step: " + toolName(tool)
}

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
