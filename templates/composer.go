package templates

import (
	"context"
	"encoding/json"

	"colloquy/classroom"
)

// mentionList is the roster as JSON for mention.js.
func mentionList(ctx context.Context, roster []classroom.Agent) string {
	type row struct {
		Name string `json:"name"`
		Role string `json:"role"`
	}
	rows := make([]row, 0, len(roster))
	for _, a := range roster {
		rows = append(rows, row{agentName(ctx, a), roleLabel(ctx, a.Role)})
	}
	out, err := json.Marshal(rows)
	if err != nil {
		return "[]"
	}
	return string(out)
}
