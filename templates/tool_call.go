package templates

import (
	"context"
	"encoding/json"
	"strings"

	"colloquy/classroom"
)

const (
	maxPassages     = 6    // of a search, shown
	maxPassageBytes = 1200 // bytes of one passage, shown
	maxRawBytes     = 4000 // bytes of arguments or of a result, shown
	minShownMS      = 100  // the duration of a shorter step is not shown
)

// toolName returns the name of a tool with spaces for underscores.
func toolName(tool string) string { return shorten(strings.ReplaceAll(tool, "_", " "), 60) }

func resultLabel(ctx context.Context, c *classroom.Call) string {
	if c.IsError {
		return t(ctx, "tool_call.went_wrong")
	}
	return t(ctx, "tool_call.result")
}

// indentJSON indents JSON for reading; other text stays as it is.
func indentJSON(raw json.RawMessage) string {
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

// truncateRaw shortens arguments and results to what a page shows of them.
func truncateRaw(s string) string {
	s, cut := truncate(s, maxRawBytes)
	if cut {
		s += "…"
	}
	return s
}

// passageSection is the section of a passage without the title of its material,
// which stands beside it.
func passageSection(p classroom.Passage) string {
	section := strings.TrimPrefix(p.Section, p.Material)
	return strings.TrimPrefix(section, " › ")
}

func passageText(s string) string {
	s, cut := truncate(strings.TrimSpace(s), maxPassageBytes)
	if cut {
		s += "…"
	}
	return s
}
