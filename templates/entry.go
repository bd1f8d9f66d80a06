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

func blockID(v CardView, w *classroom.Window, e *classroom.Entry, block int) string {
	return BlockID(v.Card.Exchange, w.Index, e.Index, block)
}

// textChunks renders a text block, with v.Prose if the caller has its own.
func textChunks(v CardView, w *classroom.Window, e *classroom.Entry, block int) []prose.Chunk {
	if v.Prose != nil {
		return v.Prose(w, e, block)
	}
	text := e.Message.Blocks[block].Text
	if e.Message.Open {
		return prose.Open(text)
	}
	return prose.Render(text)
}

func retryText(r *classroom.Retry) string {
	out := fmt.Sprintf("The model is asked again (%d of %d)", r.Attempt, r.Max)
	if r.WaitMS > 0 {
		out += " after " + formatDuration(r.WaitMS)
	}
	if r.Reason != "" {
		out += ": " + shorten(r.Reason, maxLineBytes)
	}
	return strings.TrimSuffix(out, ".") + "."
}

func compactionText(c *classroom.Compaction) string {
	out := "The beginning of the conversation was summarised to fit the model's context window"
	if c.TokensAfter > 0 && c.TokensBefore > c.TokensAfter {
		out += ": about " + formatCount(c.TokensBefore) + " tokens became " + formatCount(c.TokensAfter)
	}
	return out
}

func thinkingDuration(p *classroom.BlockView) string {
	if p.Ended-p.Started < 1000 {
		return "Thought for less than a second"
	}
	return "Thought for " + formatElapsed(p.Started, p.Ended)
}

func pendingCallLabel(tool string) string {
	if tool == searchTool {
		return "About to search the materials"
	}
	if tool == "" {
		return "Preparing a step"
	}
	return "Preparing a step: " + toolName(tool)
}
