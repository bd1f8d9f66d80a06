package templates

import (
	"encoding/json"

	"colloquy/classroom"
)

// agentNames is the roster as the mention list of the composer reads it.
func agentNames(roster []classroom.Agent) string {
	type row struct {
		Name string `json:"name"`
		Role string `json:"role"`
	}
	rows := make([]row, 0, len(roster))
	for _, a := range roster {
		rows = append(rows, row{called(a), roleWord(a.Role)})
	}
	out, err := json.Marshal(rows)
	if err != nil {
		return "[]"
	}
	return string(out)
}
