package templates

import (
	"fmt"
	"strings"

	"colloquy/classroom"
	"colloquy/templates/prose"
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
